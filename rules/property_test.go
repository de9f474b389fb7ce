package rules_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"crokcam/board"
	"crokcam/rules"
)

// wholeGames is how many random games are played; -rapid.checks overrides it.
const wholeGames = 10_000

func setChecks(t *testing.T, n int) {
	t.Helper()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if given {
		return
	}
	if testing.Short() {
		n /= 20
	}
	f := flag.Lookup("rapid.checks")
	was := f.Value.String()
	require.NoError(t, f.Value.Set(itoa(n)))
	t.Cleanup(func() { _ = f.Value.Set(was) })
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func randomRuleset(rt *rapid.T, l rules.Layout) rules.Ruleset {
	pick := func(name string, n int) uint8 { return uint8(rapid.IntRange(0, n-1).Draw(rt, name)) }
	rs := rules.Ruleset{
		OpenBoard: rules.OpenBoard(pick("open_board", 4)), OpenBoardScope: rules.Scope(pick("scope", 2)),
		OpenBoardPenalty: rules.OpenBoardPenalty(pick("open_board_penalty", 2)), Contact: rules.ContactRule(pick("contact", 4)),
		ContactPenalty: rules.ContactPenalty(pick("contact_penalty", 3)), InvalidOpponentDiscs: rules.OpponentDiscs(pick("opponent_discs", 2)),
		Damage: rules.Damage(pick("damage", 3)), Spin: rules.Spin(pick("spin", 2)), Line: rules.LineEdge(pick("line", 2)),
		Starter: rules.Starter(pick("starter", 2)),
	}
	switch l {
	case rules.ThreeFree:
		rs.RoundScore = []rules.RoundScore{rules.MatchPoints3, rules.Accumulate}[pick("score", 2)]
	case rules.FourFree:
		rs.RoundScore = []rules.RoundScore{rules.RankPoints4, rules.Accumulate}[pick("score", 2)]
	default:
		rs.RoundScore = rules.RoundScore(pick("score", 3))
	}
	return rs
}

// randomPlace is a free place for a disc, at any distance from the centre out to
// the edge of the surface.
func randomPlace(r *rand.Rand, discs []board.Disc) board.Point {
next:
	for {
		a, d := 2*math.Pi*r.Float64(), 18+308*math.Sqrt(r.Float64())
		p := board.Point{X: d * math.Cos(a), Y: d * math.Sin(a)}
		for i := range discs {
			if discs[i].Rest != board.InHole && math.Hypot(p.X-discs[i].X, p.Y-discs[i].Y) < 32 {
				continue next
			}
		}
		return p
	}
}

// randomShot makes up a shot at a board: discs struck in a chain, some of them
// sunk or driven off, some coming back to do damage, some only grazed.
func randomShot(r *rand.Rand, before board.Snapshot, side board.Side, number int) (board.Snapshot, rules.Shot) {
	n := len(before.Discs)
	after := board.Snapshot{}
	shot := rules.Shot{Side: side, Number: number}
	ev := &shot.Evidence
	ev.Watched = rules.WatchedContacts | rules.WatchedExits
	track := rules.Track{Discs: make([]int, n), Shot: rules.Gone}

	struck := map[int]bool{}
	by := rules.ShotDisc
	chain := r.IntN(4)
	for k := 0; k < chain && n > 0; k++ {
		if r.IntN(6) == 0 {
			ev.Contacts = append(ev.Contacts, rules.Contact{Striker: rules.ShotDisc, Struck: rules.Post(r.IntN(8))})
		}
		i := r.IntN(n)
		if by == rules.Disc(i) {
			continue
		}
		ev.Contacts = append(ev.Contacts, rules.Contact{Striker: by, Struck: rules.Disc(i)})
		struck[i] = true
		if r.IntN(2) == 0 {
			by = rules.Disc(i)
		}
	}
	holeFree := true
	settle := func(from *board.Disc, s board.Side) int {
		d := board.Disc{Side: s, Confidence: 1}
		switch k := r.IntN(12); {
		case k == 0 && holeFree:
			holeFree = false
			d.Rest = board.InHole
		case k <= 2:
			return rules.Gone
		case k == 3 && from != nil:
			d = *from // grazed
		default:
			d.Point = randomPlace(r, append(slices.Clone(after.Discs), before.Discs...))
		}
		after.Discs = append(after.Discs, d)
		return len(after.Discs) - 1
	}
	exit := func(b rules.Body, place int) {
		if place == rules.Gone || r.IntN(20) == 0 {
			ev.Exits = append(ev.Exits, rules.Exit{Body: b})
		}
		if r.IntN(20) == 0 {
			ev.Crossed = append(ev.Crossed, rules.Exit{Body: b})
		}
	}
	for i := range before.Discs {
		if struck[i] {
			j := settle(&before.Discs[i], before.Discs[i].Side)
			track.Discs[i] = j
			if j == rules.Gone || after.Discs[j].Point != before.Discs[i].Point {
				exit(rules.Disc(i), j)
			}
		}
	}
	track.Shot = settle(nil, side)
	exit(rules.ShotDisc, track.Shot)
	for i := range before.Discs {
		if struck[i] {
			continue
		}
		if len(ev.Exits) > 0 && r.IntN(10) == 0 {
			ev.Damage = append(ev.Damage, rules.Contact{Striker: ev.Exits[0].Body, Struck: rules.Disc(i)})
			track.Discs[i] = settle(&before.Discs[i], before.Discs[i].Side)
			if track.Discs[i] == rules.Gone {
				ev.Exits = append(ev.Exits, rules.Exit{Body: rules.Disc(i)})
			}
			continue
		}
		after.Discs = append(after.Discs, before.Discs[i])
		track.Discs[i] = len(after.Discs) - 1
	}
	shot.Track = &track
	return after, shot
}

// told is a verdict by disc, in the order of the discs before, free of places.
type told struct {
	Ruling rules.Ruling
	Review bool
	Fate   []rules.Fate
	Why    []rules.Why
	Zone   []board.Zone
	Back   []bool
}

func toldOf(v rules.Verdict, order []int) told {
	out := told{Ruling: v.Ruling, Review: v.Review}
	for k := range v.Outcomes {
		i := k
		if k < len(order) {
			i = order[k]
		}
		o := v.Outcomes[i]
		out.Fate = append(out.Fate, o.Fate)
		out.Why = append(out.Why, o.Why)
		out.Zone = append(out.Zone, o.Zone)
		out.Back = append(out.Back, o.Restored)
	}
	return out
}

func mapPoints(s board.Snapshot, f func(board.Point) board.Point) board.Snapshot {
	out := board.Snapshot{Discs: slices.Clone(s.Discs)}
	for i := range out.Discs {
		out.Discs[i].Point = f(out.Discs[i].Point)
	}
	return out
}

func mapSides(s board.Snapshot, f func(board.Side) board.Side) board.Snapshot {
	out := board.Snapshot{Discs: slices.Clone(s.Discs)}
	for i := range out.Discs {
		out.Discs[i].Side = f(out.Discs[i].Side)
	}
	return out
}

// shuffled puts the discs of both snapshots in another order and rewrites what
// refers to them. order gives, for each disc before, its new place.
func shuffled(r *rand.Rand, before, after board.Snapshot, shot rules.Shot) (board.Snapshot, board.Snapshot, rules.Shot, []int) {
	order, places := r.Perm(len(before.Discs)), r.Perm(len(after.Discs))
	b, a := board.Snapshot{Discs: make([]board.Disc, len(order))}, board.Snapshot{Discs: make([]board.Disc, len(places))}
	for i, k := range order {
		b.Discs[k] = before.Discs[i]
	}
	for i, k := range places {
		a.Discs[k] = after.Discs[i]
	}
	body := func(x rules.Body) rules.Body {
		if x >= 0 {
			return rules.Disc(order[x])
		}
		return x
	}
	contacts := func(in []rules.Contact) (out []rules.Contact) {
		for _, c := range in {
			c.Striker, c.Struck = body(c.Striker), body(c.Struck)
			out = append(out, c)
		}
		return out
	}
	exits := func(in []rules.Exit) (out []rules.Exit) {
		for _, e := range in {
			e.Body = body(e.Body)
			out = append(out, e)
		}
		return out
	}
	s := shot
	ev := &s.Evidence
	ev.Contacts, ev.Damage, ev.Exits, ev.Crossed = contacts(ev.Contacts), contacts(ev.Damage), exits(ev.Exits), exits(ev.Crossed)
	if shot.Track != nil {
		tr := rules.Track{Discs: make([]int, len(order)), Shot: shot.Track.Shot}
		if tr.Shot >= 0 {
			tr.Shot = places[tr.Shot]
		}
		for i, k := range order {
			tr.Discs[k] = shot.Track.Discs[i]
			if tr.Discs[k] >= 0 {
				tr.Discs[k] = places[tr.Discs[k]]
			}
		}
		s.Track = &tr
	}
	return b, a, s, order
}

// checkInvariance judges a shot again on a turned and on a mirrored board, with
// the discs in another order, and with the colours exchanged.
func checkInvariance(t require.TestingT, r *rand.Rand, before, after board.Snapshot, shot rules.Shot, rs rules.Ruleset, v rules.Verdict) {
	want := toldOf(v, nil)
	turn := 2 * math.Pi * r.Float64()
	sin, cos := math.Sincos(turn)
	rotate := func(p board.Point) board.Point { return board.Point{X: p.X*cos - p.Y*sin, Y: p.X*sin + p.Y*cos} }
	mirror := func(p board.Point) board.Point { return board.Point{X: -p.X, Y: p.Y} }
	for _, f := range []func(board.Point) board.Point{rotate, mirror} {
		w, err := rules.Judge(mapPoints(before, f), mapPoints(after, f), shot, rs)
		require.NoError(t, err)
		require.Equal(t, want, toldOf(w, nil), "turned or mirrored")
	}
	b, a, s, order := shuffled(r, before, after, shot)
	w, err := rules.Judge(b, a, s, rs)
	require.NoError(t, err)
	require.Equal(t, want, toldOf(w, order), "discs in another order")

	swap := func(s board.Side) board.Side {
		switch s {
		case board.SideA:
			return board.SideB
		case board.SideB:
			return board.SideA
		}
		return s
	}
	s = shot
	s.Side = swap(s.Side)
	s.Owned[board.SideA], s.Owned[board.SideB] = s.Owned[board.SideB], s.Owned[board.SideA]
	w, err = rules.Judge(mapSides(before, swap), mapSides(after, swap), s, rs)
	require.NoError(t, err)
	require.Equal(t, want, toldOf(w, nil), "colours exchanged")
	require.Equal(t, v.Twenties[board.SideA], w.Twenties[board.SideB])
}

// checkConserved sees that no disc is lost or made up.
func checkConserved(t require.TestingT, g rules.Game) {
	if g.Phase() == rules.Over || g.Phase() == rules.ShootingOut {
		return
	}
	f := g.Format()
	have := g.Ditch()
	for s, n := range g.RoundTwenties() {
		have[s] += n
	}
	for _, d := range g.Board().Discs {
		have[d.Side]++
	}
	owned := rules.Points{}
	for _, s := range f.Layout.Seats() {
		side := f.Layout.Side(s)
		have[side] += g.Left(s)
		owned[side] += f.Discs
		if f.Layout == rules.TwoAgainstOne && side == board.SideB {
			owned[side] += f.Discs
		}
	}
	require.Equal(t, owned, have, "board + ditch + 20s + unshot = owned")
	for _, n := range g.Scores() {
		require.GreaterOrEqual(t, n, 0)
	}
}

// Whole games of random shots, legal and illegal, under random rules.
func TestRandomGames(t *testing.T) {
	setChecks(t, wholeGames)
	shots, rounds, refused := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		l := rules.Layout(rapid.IntRange(0, 4).Draw(rt, "layout"))
		discs := []int{1, 2, 3, 6}
		if l == rules.TwoPlayers {
			discs = append(discs, 8, 12)
		}
		f := rules.Format{
			Layout: l, Rules: randomRuleset(rt, l), Discs: rapid.SampledFrom(discs).Draw(rt, "discs"),
			Lead: rapid.SampledFrom(l.Seats()).Draw(rt, "lead"),
		}
		f.End.Rounds = rapid.IntRange(1, 3).Draw(rt, "rounds")
		f.End.Ties = rapid.SampledFrom([][]rules.TieBreak{nil, {rules.MoreTwenties}, {rules.Shootout}, {rules.MoreTwenties, rules.Shootout}}).Draw(rt, "ties")
		if l == rules.Doubles && rapid.Bool().Draw(rt, "either partner") {
			f.DoublesOrder = rules.SidesAlternate
		}
		g, err := rules.NewGame(f)
		require.NoError(rt, err)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "shots"), 1))
		timed := rapid.IntRange(0, 9).Draw(rt, "timed") == 0

		states, events := []rules.Game{g}, []rules.Event{}
		apply := func(e rules.Event) bool {
			next, err := g.Apply(e)
			if err != nil {
				var ee *rules.EventError
				require.ErrorAs(rt, err, &ee)
				require.Equal(rt, states[len(states)-1], g, "a refused event changes nothing")
				refused++
				return false
			}
			g = next
			states, events = append(states, g), append(events, e)
			checkConserved(rt, g)
			return true
		}
		for g.Phase() != rules.Over {
			switch g.Phase() {
			case rules.Counting:
				require.False(rt, apply(rules.ShotForfeited{Seat: f.Lead}), "no shot after the last")
				require.True(rt, apply(rules.CountAgreed{}))
				rounds++
				continue
			case rules.ShootingOut:
				require.False(rt, apply(rules.CountAgreed{}))
				hits := rules.Points{}
				for s := 1; s <= l.Sides(); s++ {
					hits[s] = r.IntN(4)
				}
				require.True(rt, apply(rules.ShootoutHeld{Hits: hits}))
				continue
			}
			next := g.Next()
			require.NotEmpty(rt, next)
			seat := next[r.IntN(len(next))]
			for s := board.South; s <= board.East; s++ {
				if !slices.Contains(next, s) && r.IntN(8) == 0 {
					require.False(rt, apply(rules.ShotForfeited{Seat: s}), "out of turn")
				}
			}
			if r.IntN(10) == 0 && g.Extra() == (rules.Points{}) {
				// Taking the board as it lies where it lies as known changes nothing.
				same := rules.BoardTaken{Board: g.Board(), Twenties: g.RoundTwenties(), Next: seat}
				for s := range same.Left {
					same.Left[s] = g.Left(board.Seat(s))
				}
				taken, err := g.Apply(same)
				require.NoError(rt, err)
				require.Equal(rt, next, taken.Next())
				require.Equal(rt, g.Ditch(), taken.Ditch())
				require.Equal(rt, g.Hammer(), taken.Hammer())
			}
			if timed && r.IntN(20) == 0 {
				timed = false
				require.True(rt, apply(rules.TimeUp{}))
				continue
			}
			if other := f.Layout.Seats()[r.IntN(len(f.Layout.Seats()))]; r.IntN(60) == 0 && g.Left(other) > 0 && g.Extra() == (rules.Points{}) {
				require.True(rt, apply(rules.ShotForfeited{Seat: other, OutOfTurn: true}))
				continue
			}
			if r.IntN(30) == 0 {
				require.True(rt, apply(rules.ShotForfeited{Seat: seat}))
				continue
			}
			side := l.Side(seat)
			before := g.Board()
			after, shot := randomShot(r, before, side, g.ShotNumber())
			shot.Owned = g.Owned(side)
			if r.IntN(30) == 0 { // somebody puts a disc down
				extra := board.Disc{Side: side, Point: randomPlace(r, append(slices.Clone(after.Discs), before.Discs...))}
				bad := board.Snapshot{Discs: append(slices.Clone(after.Discs), extra)}
				v, err := rules.Judge(before, bad, shot, f.Rules)
				require.NoError(rt, err)
				require.Equal(rt, rules.Desynced, v.Ruling)
				require.False(rt, apply(rules.ShotJudged{Seat: seat, Verdict: v}), "a desynced verdict")
			}
			v, err := rules.Judge(before, after, shot, f.Rules)
			require.NoError(rt, err)
			shots++
			if r.IntN(3) == 0 {
				checkInvariance(rt, r, before, after, shot, f.Rules, v)
			}
			if v.Ruling == rules.Unclear {
				require.False(rt, apply(rules.ShotJudged{Seat: seat, Verdict: v}), "an open verdict")
				for i := range v.Doubts {
					if len(v.Doubts[i].Answers) > 0 {
						v, err = v.Answered(i, r.IntN(2))
						require.NoError(rt, err)
						break
					}
				}
			}
			if !apply(rules.ShotJudged{Seat: seat, Verdict: v}) {
				// A disc in the hole that nobody can rule on: the players agree to lift it.
				require.True(rt, slices.ContainsFunc(v.Outcomes, func(o rules.Outcome) bool { return o.Fate == rules.Awaiting }))
				v.Outcomes = slices.Clone(v.Outcomes)
				for i := range v.Outcomes {
					if v.Outcomes[i].Fate == rules.Awaiting {
						v.Outcomes[i].Fate, v.Outcomes[i].Why = rules.Ditched, rules.OffSurface
					}
				}
				require.True(rt, apply(rules.ShotJudged{Seat: seat, Verdict: v}))
			}
		}
		require.False(rt, apply(rules.TimeUp{}), "nothing after the end")

		// Undo is replay: folding any number of the events gives that state again.
		again, err := rules.NewGame(f)
		require.NoError(rt, err)
		upTo := r.IntN(len(events) + 1)
		for _, e := range events[:upTo] {
			again, err = again.Apply(e)
			require.NoError(rt, err)
		}
		require.Equal(rt, states[upTo], again)
		sum := rules.Points{}
		for _, x := range g.Rounds() {
			for s := range sum {
				sum[s] += x.Awarded[s]
			}
		}
		require.Equal(rt, sum, g.Scores())
	})
	t.Logf("%d shots in %d rounds, %d events refused", shots, rounds, refused)
}

// From snapshots alone the judge is never surely wrong about a shot that broke
// no rule unseen.
func TestSnapshotsAreNeverSurelyWrong(t *testing.T) {
	setChecks(t, 3000)
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 2))
		rs := randomRuleset(rt, rules.TwoPlayers)
		var before board.Snapshot
		for range rapid.IntRange(0, 10).Draw(rt, "discs") {
			at := randomPlace(r, before.Discs)
			for math.Hypot(at.X, at.Y) > 288 { // touching the outer line, it would have been removed by the last shot
				at = randomPlace(r, before.Discs)
			}
			before.Discs = append(before.Discs, board.Disc{Side: board.SideA + board.Side(r.IntN(2)), Point: at, Confidence: 1})
		}
		after, shot := randomShot(r, before, board.SideA, 1+r.IntN(3))
		truth, err := rules.Judge(before, after, shot, rs)
		require.NoError(rt, err)
		if truth.Ruling == rules.Unclear || truth.Review || struckFromRest(before, after, shot) {
			return
		}
		blind := shot
		blind.Evidence = rules.Evidence{}
		v, err := rules.Judge(before, after, blind, rs)
		require.NoError(rt, err)
		if v.Ruling != rules.Unclear && !v.Review {
			require.Equal(rt, toldOf(truth, nil), toldOf(v, nil))
		}
	})
}

// struckFromRest tells whether a disc that never moved is said to have struck
// another, which no disc can do.
func struckFromRest(before, after board.Snapshot, shot rules.Shot) bool {
	for _, c := range shot.Evidence.Contacts {
		if c.Striker < 0 {
			continue
		}
		if j := shot.Track.Discs[c.Striker]; j >= 0 && after.Discs[j] == before.Discs[c.Striker] {
			return true
		}
	}
	return false
}

// What a camera makes of plain shots, told by displacement alone while the board
// was in sight: few verdicts are flagged, and hardly any is wrong and sure.
func TestFlagsInSightAreFew(t *testing.T) {
	const sigma, shots = 0.3, 4000
	r := rand.New(rand.NewPCG(7, 7))
	scatter := func(s board.Snapshot) board.Snapshot {
		out := mapPoints(s, func(p board.Point) board.Point {
			return board.Point{X: p.X + sigma*r.NormFloat64(), Y: p.Y + sigma*r.NormFloat64()}
		})
		for i := range out.Discs {
			out.Discs[i].Sigma = sigma
		}
		return out
	}
	judged, flagged, wrong := 0, 0, 0
	for judged < shots {
		var before board.Snapshot
		for range r.IntN(7) {
			before.Discs = append(before.Discs, board.Disc{Side: board.SideA + board.Side(r.IntN(2)), Point: randomPlace(r, before.Discs), Confidence: 1})
		}
		after, shot := randomShot(r, before, board.SideA, 2)
		if !plain(before, after, shot) {
			continue
		}
		judged++
		truth, err := rules.Judge(before, after, shot, rules.Ruleset{})
		require.NoError(t, err)
		shot.Evidence = rules.Evidence{Watched: rules.WatchedPlay}
		v, err := rules.Judge(scatter(before), scatter(after), shot, rules.Ruleset{})
		require.NoError(t, err)
		a, b := toldOf(truth, nil), toldOf(v, nil)
		a.Zone, b.Zone = nil, nil // what lies near a line is another matter
		a.Review, b.Review = false, false
		switch {
		case v.Review:
			flagged++
		case !reflect.DeepEqual(a, b):
			wrong++
		}
	}
	t.Logf("of %d shots %d flagged, %d wrong and not flagged", judged, flagged, wrong)
	require.LessOrEqual(t, flagged, shots*8/100)
	require.LessOrEqual(t, wrong, shots*3/1000)
}

// plain tells whether nothing happened that displacement does not show: every
// disc that was touched moved, and none that left came back.
func plain(before, after board.Snapshot, shot rules.Shot) bool {
	ev := &shot.Evidence
	for _, c := range ev.Contacts {
		if c.Struck >= 0 {
			if j := shot.Track.Discs[c.Struck]; j >= 0 && after.Discs[j] == before.Discs[c.Struck] {
				return false
			}
		}
	}
	for _, e := range ev.Exits {
		j := shot.Track.Shot
		if e.Body >= 0 {
			j = shot.Track.Discs[e.Body]
		}
		if j >= 0 {
			return false
		}
	}
	return len(ev.Damage) == 0
}

// Two discs that change places, and every other pairing, are matched as a search
// of all pairings would.
func TestMatchingIsOptimal(t *testing.T) {
	setChecks(t, 2000)
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 3))
		n := rapid.IntRange(1, 6).Draw(rt, "discs")
		still := rapid.IntRange(0, 3).Draw(rt, "still")
		var before, after board.Snapshot
		for range n + still {
			before.Discs = append(before.Discs, board.Disc{Side: board.SideB, Point: randomPlace(r, before.Discs), Sigma: 0.1})
		}
		all := slices.Clone(before.Discs)
		for i := range before.Discs {
			d := before.Discs[i]
			if i < n {
				d.Point = randomPlace(r, all)
				if r.IntN(3) == 0 { // into the place of another, or nearly
					d.Point = before.Discs[(i+1)%n].Point
					d.X += 3 * r.Float64()
				}
			} else {
				d.X += 0.2 * r.Float64()
			}
			clash := slices.ContainsFunc(after.Discs, func(e board.Disc) bool { return math.Hypot(e.X-d.X, e.Y-d.Y) < 32 })
			if clash || r.IntN(6) == 0 {
				continue // off the board
			}
			after.Discs = append(after.Discs, d)
			all = append(all, d)
		}
		r.Shuffle(len(after.Discs), func(i, j int) { after.Discs[i], after.Discs[j] = after.Discs[j], after.Discs[i] })
		v, err := rules.Judge(before, after, rules.Shot{Side: board.SideA}, rules.Ruleset{})
		require.NoError(rt, err)
		pairing := make([]int, len(before.Discs))
		for i := range pairing {
			pairing[i] = int(v.Outcomes[i].After)
		}
		moved, path := matchCost(before, after, pairing)
		bestMoved, bestPath := bestMatch(before, after)
		require.Equal(rt, bestMoved, moved)
		require.InDelta(rt, bestPath, path, 1e-6)
	})
}

func matchCost(before, after board.Snapshot, pairing []int) (moved int, path float64) {
	for i, j := range pairing {
		if j < 0 {
			moved++
			path += board.Tournament26().Surface + board.Tournament26().Disc.Radius - before.Discs[i].Radius()
			continue
		}
		d := math.Hypot(before.Discs[i].X-after.Discs[j].X, before.Discs[i].Y-after.Discs[j].Y)
		if d > 0.5 {
			moved++
			path += d
		}
	}
	return moved, path
}

// bestMatch tries every pairing.
func bestMatch(before, after board.Snapshot) (int, float64) {
	bestMoved, bestPath := math.MaxInt, math.Inf(1)
	pairing := make([]int, len(before.Discs))
	var try func(i int, used uint64, gone int)
	try = func(i int, used uint64, gone int) {
		if gone > len(before.Discs)-len(after.Discs) {
			return
		}
		if i == len(pairing) {
			if m, p := matchCost(before, after, pairing); m < bestMoved || m == bestMoved && p < bestPath {
				bestMoved, bestPath = m, p
			}
			return
		}
		for j := range after.Discs {
			if used&(1<<j) == 0 {
				pairing[i] = j
				try(i+1, used|1<<j, gone)
			}
		}
		pairing[i] = -1
		try(i+1, used, gone+1)
	}
	try(0, 0, 0)
	return bestMoved, bestPath
}

// A near miss: the disc that stopped next to the place of another of its side is
// not taken for it while that one is still there.
func TestMatchingSwapsAndNearMisses(t *testing.T) {
	for _, c := range []struct {
		name string
		scene
		after []int // place after of each disc before
	}{
		{"nothing moved", scene{Before: "b1 0 100, b2 0 -100", After: "b1 0 100, b2 0 -100"}, []int{0, 1}},
		{"in another order", scene{Before: "b1 0 100, b2 0 -100", After: "b2 0 -100, b1 0 100"}, []int{1, 0}},
		{"one moved", scene{Before: "b1 0 100, b2 0 -100", After: "b2 0 -100, b1 0 150"}, []int{1, 0}},
		{"one moved to just beside the other", scene{Before: "b1 0 100, b2 0 -100", After: "b1 0 -68, b2 0 -100"}, []int{0, 1}},
		{"one took the other's place, which is gone", scene{Before: "b1 0 100, b2 0 250", After: "b1 0 249.8"}, []int{-1, 0}},
		{"both moved: shortest paths", scene{Before: "b1 0 100, b2 50 100", After: "b1 20 140, b2 70 140"}, []int{0, 1}},
		{"of two that moved the one nearer the edge has left", scene{Before: "b1 250 0, b2 0 100", After: "b2 125 50"}, []int{-1, 0}},
		{"sides do not mix", scene{Before: "a1 0 100, b1 50 100", After: "a1 50 101, b1 0 101"}, []int{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.Contacts, c.NoTrack = "?", true
			v, _ := c.judge(t)
			var got []int
			for _, o := range v.Outcomes[:len(v.Outcomes)-1] {
				got = append(got, int(o.After))
			}
			// Places after are those in the scene's own order.
			require.Equal(t, c.after, got)
		})
	}
	// Which of two discs was shot is asked where it matters, and only there.
	miss := scene{Before: "a1 0 -120, b1 0 250", After: "a1 0 -60, b1 0 250, s off", Contacts: "s>a1", Exits: "s", NoTrack: true}
	v, names := miss.judge(t)
	require.Equal(t, "failed | out a1:invalid_shot s:off_surface | on b1=5", tell(v, names))
	miss.Rules = penalty(rules.ShooterOnly)
	v, _ = miss.judge(t)
	require.Contains(t, doubts(v), "identity")
	v, names = miss.judge(t)
	w, err := v.Answered(slices.IndexFunc(v.Doubts, func(d rules.Doubt) bool { return d.Kind == rules.DoubtIdentity }), 0)
	require.NoError(t, err)
	require.Equal(t, "failed | out a1:off_surface s:reentry | on b1=5", tell(w, names))
	require.Equal(t, board.Point{Y: -120}, w.Outcomes[0].At, "where it was last seen")
	// Whichever was shot, both are lifted, and those that lie still are not.
	both := scene{Before: "a1 -150 0, a2 150 0, a3 -150 100, b1 0 250", After: "a1 -150 0, a2 190 0, a3 -150 100, b1 0 250, s 60 0", Contacts: "s>a2", NoTrack: true}
	v, names = both.judge(t)
	require.Equal(t, "failed | out a2:invalid_shot s:invalid_shot | on a1=10 a3=10 b1=5", tell(v, names))
	require.Empty(t, v.Doubts)
}

// A whole side that moved is matched as well.
func TestMatchingManyThatMoved(t *testing.T) {
	var before, after board.Snapshot
	for i := range 12 {
		a := float64(i) * math.Pi / 6
		put := func(s *board.Snapshot, r float64) {
			s.Discs = append(s.Discs, board.Disc{Side: board.SideA, Point: board.Point{X: r * math.Cos(a), Y: r * math.Sin(a)}})
		}
		put(&before, 150)
		put(&after, 180)
	}
	slices.Reverse(after.Discs)
	v, err := rules.Judge(before, after, rules.Shot{Side: board.SideA}, rules.Ruleset{})
	require.NoError(t, err)
	for i := range before.Discs {
		require.EqualValues(t, 11-i, v.Outcomes[i].After)
	}
}

// Errors from the game say what was refused.
func TestEventErrorsAreTyped(t *testing.T) {
	g, err := rules.NewGame(rules.Format{Discs: 1, End: rules.End{Rounds: 1}})
	require.NoError(t, err)
	_, err = g.Apply(rules.ShotForfeited{Seat: board.North})
	require.ErrorIs(t, err, rules.ErrTurn)
	var e *rules.EventError
	require.ErrorAs(t, err, &e)
	require.Contains(t, err.Error(), "another player's turn")
}
