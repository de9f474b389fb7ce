package photos_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/calibrate/camera"
	"crokcam/sim/render"
	"crokcam/sim/render/photos"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

func TestTheSameSeedMakesTheSamePicture(t *testing.T) {
	o := photos.Options{Width: 240, Height: 180}
	take := func(seed uint64) ([]byte, []byte) {
		picture, truth, err := photos.Take(t.Context(), seed, "x", o)
		require.NoError(t, err)
		return picture, truth
	}
	a, at := take(5)
	b, bt := take(5)
	require.True(t, bytes.Equal(a, b))
	require.Equal(t, string(at), string(bt))
	c, ct := take(6)
	require.False(t, bytes.Equal(a, c))
	require.NotEqual(t, string(at), string(ct))
}

func TestPicturesStayAsTheyAre(t *testing.T) {
	for name, o := range map[string]photos.Options{
		"maple-window":   {View: "mild", Light: "window", Board: "maple", Load: "full"},
		"old_blue-glare": {View: "overhead", Light: "glare", Board: "old_blue", Load: "mid"},
		"oak-lamps":      {View: "strong", Light: "two_lamps", Board: "oak_family", Load: "full"},
	} {
		t.Run(name, func(t *testing.T) {
			o.Width, o.Height = 320, 240
			picture, _, err := photos.Take(t.Context(), 11, name, o)
			require.NoError(t, err)
			path := filepath.Join("testdata", name+".jpg")
			if *update {
				require.NoError(t, os.WriteFile(path, picture, 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			// Processors that fuse products with sums may differ in last bits.
			require.Less(t, apart(t, picture, want), 1.5, "if it is meant to be so: go test ./sim/render/photos -update")
		})
	}
}

// apart is the mean difference between two JPEG files in brightness, of 255.
func apart(t *testing.T, a, b []byte) float64 {
	decode := func(data []byte) *image.YCbCr {
		img, err := jpeg.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		return img.(*image.YCbCr)
	}
	p, q := decode(a), decode(b)
	require.Equal(t, p.Rect, q.Rect)
	sum := 0.0
	for i := range p.Y {
		sum += math.Abs(float64(p.Y[i]) - float64(q.Y[i]))
	}
	return sum / float64(len(p.Y))
}

func TestEverySceneCanBeShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, k := photos.Draw(rapid.Uint64().Draw(t, "seed"), photos.Options{})
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		if k.View == "" || k.Lighting == "" || k.Board == "" || k.Load == "" || k.Table == "" || len(k.Colours) != 2 {
			t.Fatalf("a kind without words: %+v", k)
		}
		for i, d := range s.Discs {
			r := math.Hypot(d.Foot[0], d.Foot[1])
			switch d.Place {
			case render.InHole:
				if r > s.Board.Hole.Radius-d.Radius+1e-9 {
					t.Fatalf("disc %d sticks in the hole's wall", i)
				}
			case render.InDitch:
				if r < s.Board.Surface+d.Radius || r > s.Board.Surface+s.Board.Ditch-d.Radius+1 {
					t.Fatalf("disc %d does not fit the ditch at %v", i, r)
				}
			}
			for j, e := range s.Discs[:i] {
				if d.Place == e.Place && d.Place != render.Leaning && math.Hypot(d.Foot[0]-e.Foot[0], d.Foot[1]-e.Foot[1]) < d.Radius+e.Radius-1e-9 {
					t.Fatalf("discs %d and %d overlap", i, j)
				}
			}
		}
	})
}

func TestTruthFollowsFromTheCameraAndTheBoard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, k := photos.Draw(rapid.Uint64Max(1<<40).Draw(t, "seed"), photos.Options{})
		truth := render.TruthOf(&s, k, nil)
		// The camera as somebody would build it who has read the truth alone.
		c := camera.Camera{
			Width: truth.Size[0], Height: truth.Size[1], F: truth.Camera.K[0][0], CX: truth.Camera.K[0][2], CY: truth.Camera.K[1][2],
			K1: truth.Camera.Distortion.K1, R: truth.Camera.R, T: truth.Camera.T,
		}
		spec := s.Board
		for _, d := range truth.Discs {
			u, v := c.Project(d.Top[0], d.Top[1], d.Top[2])
			if math.Hypot(u-d.TopPx[0], v-d.TopPx[1]) > 0.01 {
				t.Fatalf("disc %d: its top is at %v, %v, the truth says %v", d.ID, u, v, d.TopPx)
			}
			x, y := c.Unproject(d.BasePx[0], d.BasePx[1], d.Base[2])
			if math.Hypot(x-d.XY[0], y-d.XY[1]) > 0.05 {
				t.Fatalf("disc %d: its foot is seen at %v, %v, the truth says %v", d.ID, x, y, d.XY)
			}
			if d.Location != "surface" || d.Tilted || math.Abs(d.Gap) < 0.01 {
				continue
			}
			spec.Disc.Radius = d.Radius
			call := spec.Call(board.Disc{Point: board.Point{X: d.XY[0], Y: d.XY[1]}})
			if call.Zone.Points() != d.Score || math.Abs(call.Gap-d.Gap) > 0.01 {
				t.Fatalf("disc %d at %v counts %v by %.3f mm, the truth says %d by %v", d.ID, d.XY, call.Zone, call.Gap, d.Score, d.Gap)
			}
		}
	})
}

func TestDiscsAreSeenWhereTheTruthHasThem(t *testing.T) {
	// Discs far from one another, from straight above and aslant: as many pixels
	// show each as its outline holds.
	for _, view := range photos.Views {
		t.Run(view, func(t *testing.T) {
			s, k := photos.Draw(21, photos.Options{Width: 480, Height: 360, View: view, Light: "panels", Board: "maple", Load: "full"})
			s.Hands = nil
			first := s.Discs[0]
			s.Discs = nil
			for i := range 5 {
				d := first
				d.ID, d.Axis, d.Place = i, camera.Vec3{}, render.OnSurface
				a := float64(i) * 2 * math.Pi / 5
				d.Foot = camera.Vec3{150 * math.Cos(a), 150 * math.Sin(a), 0}
				s.Discs = append(s.Discs, d)
			}
			shot, err := render.Shoot(t.Context(), &s)
			require.NoError(t, err)
			for _, d := range render.TruthOf(&s, k, shot).Discs {
				require.True(t, d.InFrame)
				require.InDelta(t, 0.97, *d.Visible, 0.06, "the bevel takes a little")
			}
		})
	}
}

func TestAnInterruptedRunLeavesWholeFiles(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "pictures")
	ctx, stop := context.WithCancel(t.Context())
	o := photos.Options{Width: 200, Height: 160}
	err := photos.Write(ctx, folder, 50, 1, 2, o, func(done, total int) {
		require.Equal(t, 50, total)
		if done == 2 {
			stop()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	pictures := 0
	for _, f := range files {
		name, ending, _ := strings.Cut(f.Name(), ".")
		data, err := os.ReadFile(filepath.Join(folder, f.Name()))
		require.NoError(t, err)
		switch ending {
		case "jpg":
			pictures++
			_, err := jpeg.Decode(bytes.NewReader(data))
			require.NoError(t, err)
			require.FileExists(t, filepath.Join(folder, name+".json"))
		case "json":
			var truth struct {
				Image string
				Size  [2]int
			}
			require.NoError(t, json.Unmarshal(data, &truth))
			require.Equal(t, name+".jpg", truth.Image)
		default:
			require.Fail(t, "left behind", f.Name())
		}
	}
	require.GreaterOrEqual(t, pictures, 2)
	require.Less(t, pictures, 50)
}

func TestAFolderThatCannotBeMadeIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	require.Error(t, photos.Write(t.Context(), file, 1, 1, 1, photos.Options{Width: 200, Height: 160}, nil))
}

func BenchmarkShoot(b *testing.B) {
	for _, light := range []string{"two_lamps", "window"} {
		b.Run(fmt.Sprintf("1280x960/%s", light), func(b *testing.B) {
			s, _ := photos.Draw(8, photos.Options{Width: 1280, Height: 960, Light: light, Load: "full"})
			for b.Loop() {
				_, err := render.Shoot(b.Context(), &s)
				require.NoError(b, err)
			}
		})
	}
}
