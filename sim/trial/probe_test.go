package trial

import (
	"context"
	"fmt"
	"testing"
	"time"

	"crokcam/board"
	profiles "crokcam/configs/rules"
	"crokcam/rules"
	"crokcam/rules/profile"
	"crokcam/sim"
	"crokcam/sim/physics"
)

func TestProbe(t *testing.T) {
	pp, _ := physics.ByName("club")
	table, _ := sim.NewTable(board.Tournament26(), pp)
	set, _ := profile.Load(profiles.FS)
	for _, n := range []string{"nca", "mayday", "mayday_blog", "woodworkers", "video"} {
		f, _ := set[n].Format(rules.TwoPlayers)
		b := time.Now()
		r, err := Run(context.Background(), Config{Table: table, Format: f, Shots: 20000, Skill: 0.7, Noise: 0.5, Seed: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := r.Differing
		r.Differing = nil
		fmt.Printf("%s %v %+v agree %.4f\n", n, time.Since(b), *r, r.Agreement())
		for i, x := range d {
			if i < 4 {
				fmt.Println("   ", x.Shot, "|", x.Contacts, "|", x.Snapshot)
			}
		}
	}
}
