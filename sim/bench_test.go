package sim_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"crokcam/sim"
)

// BenchmarkShoot is the cost of a shot at boards of so many discs.
func BenchmarkShoot(b *testing.B) {
	for _, n := range []int{0, 12, 24} {
		b.Run(fmt.Sprintf("%d discs", n), func(b *testing.B) {
			table := club(b)
			var starts []sim.Setup
			var shots []sim.Shot
			for k := range 500 {
				start, shot := randomBoard(rand.New(rand.NewPCG(uint64(k), 91)), table.Spec(), n)
				starts, shots = append(starts, start), append(shots, shot)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := table.Shoot(starts[i%len(starts)], shots[i%len(shots)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
