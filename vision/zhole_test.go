package vision

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"
)

func TestDevHole(t *testing.T) {
	for _, d := range devPics() {
		p, c, err := devCal(d.Path)
		if err != nil {
			continue
		}
		cam := working(c, p)
		pl := lay(p, &cam, c.Board)
		all, r, _ := pl.discs(c.Board, c.Board.Disc.Thickness)
		truth := false
		for _, td := range d.Discs {
			if td.Points == 20 {
				truth = true
			}
		}
		var cc *candidate
		var kept []candidate
		for i := range all {
			if all[i].inHole() {
				if cc == nil || all[i].score > cc.score {
					cc = &all[i]
				}
			} else if all[i].score > sure {
				kept = append(kept, all[i])
			}
		}
		if cc == nil {
			fmt.Printf("HOLE %v none %s\n", truth, filepath.Base(d.Path))
			continue
		}
		near := 999.0
		for _, k := range kept {
			near = math.Min(near, apartIn(lab(cc.colour), lab(k.colour)))
		}
		verdict := pl.hole(cc, kept, c.Board, r)
		fmt.Printf("HOLE %v verdict %d near %5.1f score %.2f votes %.1f grow %5.2f spread %4.1f con %4.0f rms %.2f top %.1f,%.1f hypot %.1f lean3 %.1f,%.1f blur %.2f lab %.0f %s\n", truth, verdict, near, cc.score, cc.votes, cc.grow, cc.spread, cc.contrast, cc.rms, cc.top.X, cc.top.Y, cc.top.Radius(), -pl.lean(3.2)*pl.nadir.X, -pl.lean(3.2)*pl.nadir.Y, pl.blurmm, lab(cc.colour), filepath.Base(d.Path))
	}
}
