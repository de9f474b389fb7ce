package vision

import (
	"fmt"
	"image"
	"image/color"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"
)

func TestDevDraw(t *testing.T) {
	for _, d := range devPics() {
		p, c, err := devCal(d.Path)
		if err != nil {
			continue
		}
		cam := working(c, p)
		pl := lay(p, &cam, c.Board)
		cs, r, _ := pl.discs(c.Board, c.Board.Disc.Thickness)
		const z = 3
		m := gocv.NewMatWithSize(pl.pic.H*z, pl.pic.W*z, gocv.MatTypeCV8UC3)
		b, _ := m.DataPtrUint8()
		for y := range pl.pic.H * z {
			for x := range pl.pic.W * z {
				v, _ := pl.pic.At(float64(x)/z, float64(y)/z)
				for ch := range 3 {
					b[(y*pl.pic.W*z+x)*3+ch] = uint8(v[ch])
				}
			}
		}
		for i, cc := range cs {
			if cc.score < 0.08 {
				continue
			}
			s := cc.shape
			for j := range 64 {
				sn, cs := rimDirection(j)
				e := cc.rim[j]
				px := func(d float64) image.Point {
					return image.Pt(int((cc.top.X+d*cs+pl.extent)*z+.5), int((pl.extent-cc.top.Y-d*sn)*z+.5))
				}
				gocv.Circle(&m, px(s.top), 1, color.RGBA{0, 255, 0, 0}, -1)
				gocv.Circle(&m, px(s.hull(cs, sn)), 1, color.RGBA{0, 255, 255, 0}, -1)
				if e.weight > 0 {
					gocv.Circle(&m, px(e.at), 1, color.RGBA{255, 0, 255, 0}, -1)
				}
			}
			gocv.PutText(&m, fmt.Sprintf("%d %.2f", i, cc.score), image.Pt(int((s.foot.X+pl.extent)*z)-40, int((pl.extent-s.foot.Y)*z)), gocv.FontHersheyPlain, 1, color.RGBA{255, 255, 0, 0}, 1)
		}
		fmt.Println(r)
		gocv.IMWrite("/tmp/look/draw_"+filepath.Base(d.Path), m)
		m.Close()
	}
}
