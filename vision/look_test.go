package vision_test

import (
	"math"
	"path/filepath"
	"testing"

	"crokcam/calibrate"
	"crokcam/internal/raster"
	"crokcam/vision"
	"crokcam/vision/eval"

	"github.com/stretchr/testify/require"
	"gocv.io/x/gocv"
)

// The ray-traced boards know their discs to the micrometre.
func TestDiscsAreFoundOnRayTracedBoards(t *testing.T) {
	const folder = "../testdata/renders"
	truths, err := eval.LoadTruths(folder)
	require.NoError(t, err)
	truth, missed, invented := 0, 0, 0
	for _, picture := range truths {
		f := filepath.Join(folder, picture.File)
		m := gocv.IMRead(f, gocv.IMReadColor)
		p, err := raster.FromMat(m, calibrate.WorkingSize)
		require.NoError(t, m.Close())
		require.NoError(t, err)
		cal, err := calibrate.Find(p, calibrate.Options{})
		require.NoError(t, err, f)
		scene, err := vision.Look(p, cal, vision.Options{})
		require.NoError(t, err, f)
		taken := make([]bool, len(scene.Discs))
		for _, w := range picture.Discs {
			hit := false
			for i, d := range scene.Discs {
				u, v := cal.Camera.Project(d.Top.X, d.Top.Y, 0)
				if !taken[i] && math.Hypot(u-w.Px[0], v-w.Px[1])*cal.Quality.MMPerPx < 11 {
					taken[i], hit = true, true
					break
				}
			}
			// A disc in the hole may be asked about instead.
			if w.Optional || w.Points == 20 && scene.Hole == vision.HoleUnclear {
				continue
			}
			truth++
			if !hit {
				missed++
			}
		}
		for _, k := range taken {
			if !k {
				invented++
			}
		}
	}
	require.Greater(t, truth, 50)
	require.LessOrEqual(t, missed, 3*truth/100, "of %d", truth)
	require.LessOrEqual(t, invented, truth/100, "of %d", truth)
}
