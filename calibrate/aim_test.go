package calibrate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/calibrate/camera"
	"crokcam/internal/scenes"
)

// A round rail stands higher than the board: seen aslant, its circles are
// about another centre, and they show more clearly than thin lines.
func TestAHighRailDoesNotLeadTheAimAway(t *testing.T) {
	bold := scenes.Crokinole(scenes.Plain(scenes.Oak), 0, 0, 1, 0.3)
	faint := func(x, y float64) (c [3]float64) {
		for ch, v := range bold(x, y) {
			c[ch] = 0.75*scenes.Oak[ch] + 0.25*v
		}
		return c
	}
	railed := func(x, y float64) [3]float64 {
		if r := math.Hypot(x-14, y+10); r > 360 && r < 410 && int(r)%8 < 4 {
			return scenes.White
		}
		return faint(x, y)
	}
	view := scenes.Views[1]
	truth, err := Find(scenes.Photograph(bold, view), Options{})
	require.NoError(t, err)
	soft := scenes.Photograph(railed, view).Shrink(searchSize).Blur(1)
	cam := truth.Camera.Scaled(soft.Scale)
	cu, cv := cam.Project(0, 0, 0)
	h := hypothesis{n: camera.Vec3{cam.R[0][2], cam.R[1][2], cam.R[2][2]}, f: cam.F, cu: cam.CX, cv: cam.CY}
	pl := newPlane(h.n, h.f, h.cu, h.cv)
	ru, rv := cam.Project(14, -10, 0) // the rail's centre
	var ok bool
	h.a, h.b, ok = pl.at(ru, rv)
	require.True(t, ok)

	edges := findEdges(soft)
	off := func(h hypothesis) float64 {
		pl := newPlane(h.n, h.f, h.cu, h.cv)
		u, v := pl.back(h.a, h.b)
		return math.Hypot(u-cu, v-cv)
	}
	sharp := sharpen(h, edges, searchSize)
	aimed := aim(sharp, edges, searchSize)
	require.Greater(t, off(sharp), 2.5)
	require.Less(t, off(aimed), 1.5)
}
