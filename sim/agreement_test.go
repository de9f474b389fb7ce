package sim_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
)

// many is how many cases a check runs: few, or with CROKCAM_SIM_LONG=1 all.
func many(t *testing.T, few, all int) int {
	if long, _ := strconv.ParseBool(os.Getenv("CROKCAM_SIM_LONG")); long {
		return all
	}
	t.Logf("%d of %d cases; CROKCAM_SIM_LONG=1 runs all", few, all)
	return few
}

// A second computation by steps of 20 µs comes to the same end, to 0.01 mm, on
// random boards.
func TestAgreesWithTinySteps(t *testing.T) {
	table := club(t)
	spec := board.Tournament26()
	worst := 0.0
	for k := range many(t, 40, 1000) {
		r := rand.New(rand.NewPCG(uint64(k), 4))
		start, shot := randomBoard(r, spec, r.IntN(13))
		got, err := table.Shoot(start, shot)
		require.NoError(t, err)
		want := newStepper(spec, table.Params(), 20e-6, start, shot)
		for i, d := range want.run() {
			g := got.Discs[i]
			off := far(at(g.X, g.Y), at(d.x, d.y))
			worst = max(worst, off)
			if g.Where != d.where || off > 0.01 {
				t.Errorf("board %d, disc %d: %s at %.4f, %.4f, by steps %s at %.4f, %.4f (%d contacts)", k, i, g.Where, g.X, g.Y, d.where, d.x, d.y, len(got.Contacts))
			}
		}
	}
	t.Logf("largest difference %.2g mm", worst)
}
