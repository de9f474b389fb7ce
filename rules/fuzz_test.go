package rules_test

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/rules"
)

// bytesReader hands out numbers from a fuzzer's bytes; zeros when they run out.
type bytesReader struct{ b []byte }

func (r *bytesReader) byte() byte {
	if len(r.b) == 0 {
		return 0
	}
	x := r.b[0]
	r.b = r.b[1:]
	return x
}

// mm is mostly a place on a board, sometimes any float at all.
func (r *bytesReader) mm() float64 {
	k := r.byte()
	if k == 255 && len(r.b) >= 8 {
		v := math.Float64frombits(binary.LittleEndian.Uint64(r.b))
		r.b = r.b[8:]
		return v
	}
	return (float64(k) - 127) * 2.7
}

func (r *bytesReader) discs() []board.Disc {
	n := int(r.byte() % 70)
	if n == 69 {
		n = 10_000
	}
	out := make([]board.Disc, 0, n)
	for i := range n {
		d := board.Disc{Point: board.Point{X: r.mm(), Y: r.mm()}}
		k := r.byte()
		d.Side, d.Rest = board.Side(k%6), board.Rest(k/6%5)
		if k > 200 {
			d.Sigma = r.mm() / 100
		}
		if len(r.b) == 0 && i > 2 && n < 100 {
			break
		}
		out = append(out, d)
	}
	return out
}

func (r *bytesReader) contacts() []rules.Contact {
	var out []rules.Contact
	for range r.byte() % 100 {
		c := rules.Contact{Striker: rules.Body(int8(r.byte())), Struck: rules.Body(int8(r.byte()))}
		if k := r.byte(); k > 128 {
			c.At, c.Confidence = r.mm()/100, float64(k-128)/120
		}
		if len(r.b) == 0 {
			break
		}
		out = append(out, c)
	}
	return out
}

func (r *bytesReader) exits() []rules.Exit {
	var out []rules.Exit
	for range r.byte() % 8 {
		out = append(out, rules.Exit{Body: rules.Body(int8(r.byte())), At: float64(r.byte()) / 50})
	}
	return out
}

// FuzzJudge feeds the judge with anything: no panic, errors are typed, and a
// verdict keeps its promises.
func FuzzJudge(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{2, 127, 180, 1, 127, 60, 2, 3, 127, 180, 1, 127, 90, 2, 200, 127, 1, 1, 3, 2, 255, 1, 0})
	f.Add([]byte{69})
	f.Add([]byte{3, 255, 0, 0, 0, 0, 0, 0, 248, 127, 1, 2, 3, 4, 5, 6})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &bytesReader{data}
		rs := rules.Ruleset{
			OpenBoard: rules.OpenBoard(r.byte() % 5), Contact: rules.ContactRule(r.byte() % 4), ContactPenalty: rules.ContactPenalty(r.byte() % 3),
			OpenBoardPenalty: rules.OpenBoardPenalty(r.byte() % 2), OpenBoardScope: rules.Scope(r.byte() % 2),
			InvalidOpponentDiscs: rules.OpponentDiscs(r.byte() % 2), Damage: rules.Damage(r.byte() % 3), Spin: rules.Spin(r.byte() % 2), Line: rules.LineEdge(r.byte() % 2),
		}
		before, after := board.Snapshot{Discs: r.discs()}, board.Snapshot{Discs: r.discs()}
		shot := rules.Shot{Side: board.Side(r.byte() % 6), Number: int(int8(r.byte()))}
		ev := &shot.Evidence
		ev.Watched = rules.Watch(r.byte() % 8)
		ev.Contacts, ev.Damage, ev.Exits, ev.Crossed = r.contacts(), r.contacts(), r.exits(), r.exits()
		ev.HandOver = r.byte()%2 == 1
		if r.byte()%2 == 1 {
			shot.Track = &rules.Track{Shot: int(int8(r.byte()))}
			for range before.Discs {
				shot.Track.Discs = append(shot.Track.Discs, int(int8(r.byte())))
			}
		}
		shot.Owned[board.SideA] = r.byte() % 14
		v, err := rules.Judge(before, after, shot, rs)
		if err != nil {
			if !errors.Is(err, rules.ErrInput) && !errors.Is(err, rules.ErrRuleset) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		checkVerdict(t, before, after, v)
	})
}

// checkVerdict holds a verdict to what its documentation promises.
func checkVerdict(t *testing.T, before, after board.Snapshot, v rules.Verdict) {
	t.Helper()
	seenBefore, seenAfter, twenties := map[int8]bool{}, map[int8]bool{}, [board.SideD + 1]uint8{}
	for i, o := range v.Outcomes {
		if o.Before >= 0 {
			require.False(t, seenBefore[o.Before])
			seenBefore[o.Before] = true
			require.Equal(t, before.Discs[o.Before].Side, o.Side)
		} else {
			require.Equal(t, len(v.Outcomes)-1, i, "the shot disc is last")
			require.Equal(t, v.Shooter, o.Side)
		}
		if o.After >= 0 {
			require.False(t, seenAfter[o.After])
			seenAfter[o.After] = true
			require.Equal(t, after.Discs[o.After].Side, o.Side)
		}
		require.Equal(t, o.Fate == rules.Ditched, o.Why != rules.NotDitched)
		if o.Fate == rules.Scored {
			twenties[o.Side]++
			require.Equal(t, board.Twenty, o.Zone)
		}
	}
	require.Equal(t, twenties, v.Twenties)
	likely := slices.ContainsFunc(v.Doubts, func(d rules.Doubt) bool { return !d.Remote })
	if v.Ruling == rules.Unclear || v.Ruling == rules.Desynced || likely {
		require.True(t, v.Review)
	}
	require.Equal(t, v.Ruling == rules.Desynced, len(v.Desync) > 0)
	require.NotEmpty(t, v.Reasons)
	for i, d := range v.Doubts {
		for k := range d.Answers {
			w, err := v.Answered(i, k)
			require.NoError(t, err)
			require.NotEqual(t, rules.Unclear, w.Ruling)
		}
	}
}
