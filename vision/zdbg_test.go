package vision

import (
	"fmt"
	"math"
	"os"
	"testing"
)

func TestDevPlaces(t *testing.T) {
	var bx, by float64
	fmt.Sscanf(os.Getenv("AT"), "%f,%f", &bx, &by)
	for _, d := range devPics() {
		p, c, _ := devCal(d.Path)
		cam := working(c, p)
		pl := lay(p, &cam, c.Board)
		g := pl.gradient()
		var radii []float64
		for _, s := range discShares {
			radii = append(radii, s*c.Board.Start.Outer)
		}
		h := c.Board.Disc.Thickness
		ps := pl.candidates(g, radii, h, 300)
		x, y := c.Camera.Unproject(bx, by, 0)
		fmt.Printf("want top %.1f %.1f\n", x, y)
		for i, q := range ps {
			if math.Hypot(q.X-x, q.Y-y) < 12 {
				fmt.Printf("place %d votes %.1f at %.1f %.1f", i, q.votes, q.X-x, q.Y-y)
				cd := pl.settle(q, 15.7, h)
				fmt.Printf(" settles %.1f %.1f score %.2f con %.0f spread %.0f stained %.2f grow %.2f\n", cd.top.X-x, cd.top.Y-y, cd.score, cd.contrast, cd.spread, cd.stained, cd.grow)
			}
		}
	}
}
