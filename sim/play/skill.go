package play

import (
	"fmt"
	"math/rand/v2"

	"crokcam/sim"
)

// Skill is how well somebody plays, from 0 (never played before) to 1 (better
// than anybody). At 0.7 about 55 % of open 20s are made, as competitors do on
// average, at 0.9 about 75 %, as the best do.
type Skill float64

// Validate reports a skill that is none.
func (s Skill) Validate() error {
	if !(s >= 0 && s <= 1) {
		return fmt.Errorf("play: a skill of %g: it must be from 0 to 1", float64(s))
	}
	return nil
}

// Hand is how a flick strays from what was meant: standard deviations.
type Hand struct {
	Aim   float64 // of the heading, rad
	Speed float64 // of the speed, as a share of it
	Spin  float64 // rad/s
}

// The hands of a beginner and of a player beyond all others. In between the
// deviations go down by the same share for every step of skill.
var (
	beginner = Hand{Aim: 0.057, Speed: 0.28, Spin: 25}
	machine  = Hand{Aim: 0.0119, Speed: 0.070, Spin: 3}
)

// Hand is the hand that goes with a skill.
func (s Skill) Hand() Hand {
	between := func(a, b float64) float64 {
		// a·(b/a)^s by halving the interval: roots and products only, so that it is
		// the same on every machine.
		lo, hi := 0.0, 1.0
		for range 24 {
			mid, m := (lo+hi)/2, sqrt(float64(a*b))
			if float64(s) < mid {
				hi, b = mid, m
			} else {
				lo, a = mid, m
			}
		}
		return a
	}
	return Hand{
		Aim:   between(beginner.Aim, machine.Aim),
		Speed: between(beginner.Speed, machine.Speed),
		Spin:  between(beginner.Spin, machine.Spin),
	}
}

// flick is a shot as the hand carries it out.
func (h Hand) flick(meant sim.Shot, r *rand.Rand) sim.Shot {
	meant.Heading += float64(h.Aim * normal(r))
	meant.Speed = min(sim.MaxSpeed, max(50, float64(meant.Speed*(1+float64(h.Speed*normal(r))))))
	meant.Spin += float64(h.Spin * normal(r))
	return meant
}

// normal is a random number of mean 0 and deviation 1, very nearly normal: a sum
// of twelve even ones, which unlike an exact method takes no logarithm.
func normal(r *rand.Rand) float64 {
	s := -6.0
	for range 12 {
		s += r.Float64()
	}
	return s
}
