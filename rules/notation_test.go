package rules_test

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/rules"
)

// testBoard is the standard board with the lines centred on their nominal radii.
func testBoard() board.Spec {
	s := board.Tournament26()
	for _, r := range []*board.Ring{&s.Fifteen, &s.Ten, &s.Start} {
		r.Outer += r.Width / 2
	}
	return s
}

// scene is a shot in one line a field. Discs are named by their side's letter and
// a number; "s" is the shot disc, of side A unless Side says otherwise.
//
//	Before   "a1 0 150, b1 28 0 lean"
//	After    "a1 0 60, b1 in, s off"       off, in, gone (nowhere to be seen)
//	Contacts "s>a1 a1>b1", "" for none, "?" for not watched, "~" for in sight but not told
type scene struct {
	Before, After string
	Contacts      string
	Damage        string
	Exits         string
	Crossed       string
	Hand          string
	Side          board.Side
	Number        int
	Sigma         float64
	Rules         rules.Ruleset
	NoTrack       bool // withholds which disc is which
	NoPosts       bool // takes the posts off the board
}

type ready struct {
	before, after board.Snapshot
	shot          rules.Shot
	rs            rules.Ruleset
	names         []string
}

func (s scene) ready(t testing.TB) ready {
	t.Helper()
	r := ready{rs: s.Rules}
	r.rs.Board = testBoard()
	if s.NoPosts {
		r.rs.Board.Posts = board.Posts{}
	}
	r.shot.Side, r.shot.Number = s.Side, s.Number
	if s.Side == board.NoSide {
		r.shot.Side = board.SideA
	}
	at := map[string]int{}
	for _, f := range fields(s.Before) {
		d, where := parseDisc(t, f, s.Sigma)
		require.Equal(t, "on", where)
		at[f[0]] = len(r.before.Discs)
		r.before.Discs = append(r.before.Discs, d)
		if d.Rest != board.InHole { // a 20 of an earlier shot is in no verdict
			r.names = append(r.names, f[0])
		}
	}
	r.names = append(r.names, "s")
	tr := &rules.Track{Shot: rules.Missing}
	for range r.before.Discs {
		tr.Discs = append(tr.Discs, rules.Missing)
	}
	for _, f := range fields(s.After) {
		d, where := parseDisc(t, f, s.Sigma)
		to := &tr.Shot
		if f[0] != "s" {
			i, ok := at[f[0]]
			if ok {
				to = &tr.Discs[i]
			} else {
				to = nil
			}
		} else {
			d.Side = r.shot.Side
		}
		place := len(r.after.Discs)
		switch where {
		case "off":
			place = rules.Gone
		case "gone":
			place = rules.Missing
		default:
			r.after.Discs = append(r.after.Discs, d)
		}
		if to != nil {
			*to = place
		}
	}
	if !s.NoTrack {
		r.shot.Track = tr
	}
	body := func(id string) rules.Body {
		switch id {
		case "s":
			return rules.ShotDisc
		case "post":
			return rules.Post(0)
		case "ditch":
			return rules.DitchDisc
		}
		i, ok := at[id]
		require.True(t, ok, "no disc %q", id)
		return rules.Disc(i)
	}
	contacts := func(text string) []rules.Contact {
		var out []rules.Contact
		for pair := range strings.FieldsSeq(text) {
			var c rules.Contact
			pair, rest, _ := strings.Cut(pair, "@") // a>b@seconds@confidence
			if rest != "" {
				at, conf, _ := strings.Cut(rest, "@")
				c.At, _ = strconv.ParseFloat(at, 64)
				c.Confidence, _ = strconv.ParseFloat(conf, 64)
			}
			x, y, ok := strings.Cut(pair, ">")
			require.True(t, ok, "contact %q", pair)
			c.Striker, c.Struck = body(x), body(y)
			out = append(out, c)
		}
		return out
	}
	exits := func(text string) []rules.Exit {
		var out []rules.Exit
		for id := range strings.FieldsSeq(text) {
			id, at, _ := strings.Cut(id, "@")
			e := rules.Exit{Body: body(id)}
			e.At, _ = strconv.ParseFloat(at, 64)
			out = append(out, e)
		}
		return out
	}
	ev := &r.shot.Evidence
	switch s.Contacts {
	case "?": // two pictures and nothing between
	case "~":
		ev.Watched = rules.WatchedPlay
	default:
		ev.Watched = rules.WatchedContacts | rules.WatchedExits
		ev.Contacts = contacts(s.Contacts)
	}
	ev.Damage, ev.Exits, ev.Crossed = contacts(s.Damage), exits(s.Exits), exits(s.Crossed)
	for id := range strings.FieldsSeq(s.Hand) {
		ev.Hand = append(ev.Hand, body(id))
		ev.HandOver = true
	}
	return r
}

func fields(text string) [][]string {
	var out [][]string
	for part := range strings.SplitSeq(text, ",") {
		if f := strings.Fields(part); len(f) > 0 {
			out = append(out, f)
		}
	}
	return out
}

func parseDisc(t testing.TB, f []string, sigma float64) (board.Disc, string) {
	t.Helper()
	d := board.Disc{Sigma: sigma, Confidence: 1, Side: board.SideA + board.Side(f[0][0]-'a')}
	switch {
	case len(f) == 2 && f[1] == "in":
		d.Rest = board.InHole
		return d, "on"
	case len(f) == 2:
		return d, f[1]
	}
	require.GreaterOrEqual(t, len(f), 3, "disc %v", f)
	var err error
	d.X, err = strconv.ParseFloat(f[1], 64)
	require.NoError(t, err)
	d.Y, err = strconv.ParseFloat(f[2], 64)
	require.NoError(t, err)
	if len(f) > 3 {
		d.Rest = map[string]board.Rest{"lean": board.Leaning, "stand": board.Standing, "hang": board.OnSurface}[f[3]]
	}
	return d, "on"
}

func (s scene) judge(t testing.TB) (rules.Verdict, []string) {
	t.Helper()
	r := s.ready(t)
	v, err := rules.Judge(r.before, r.after, r.shot, r.rs)
	require.NoError(t, err)
	return v, r.names
}

// tell writes a verdict in one line: the ruling, "!" when it is flagged for
// review, then removed discs with their reasons, 20s, discs put back, and the
// rest of the board.
func tell(v rules.Verdict, names []string) string {
	var gone, twenties, back, on, wait []string
	for i, o := range v.Outcomes {
		switch {
		case o.Fate == rules.Ditched:
			gone = append(gone, names[i]+":"+o.Why.String())
		case o.Fate == rules.Scored:
			twenties = append(twenties, names[i])
		case o.Fate == rules.Awaiting:
			wait = append(wait, names[i])
		case o.Restored:
			back = append(back, names[i])
		default:
			on = append(on, fmt.Sprintf("%s=%d", names[i], o.Zone.Points()))
		}
	}
	out := v.Ruling.String()
	if v.Review {
		out += "!"
	}
	for _, p := range []struct {
		name string
		list []string
	}{{"out", gone}, {"20", twenties}, {"back", back}, {"wait", wait}, {"on", on}} {
		if len(p.list) > 0 {
			sort.Strings(p.list)
			out += " | " + p.name + " " + strings.Join(p.list, " ")
		}
	}
	return out
}

// doubts are the kinds of a verdict's doubts, remote ones in brackets.
func doubts(v rules.Verdict) string {
	var out []string
	for _, d := range v.Doubts {
		k := d.Kind.String()
		if d.Remote {
			k = "(" + k + ")"
		}
		out = append(out, k)
	}
	return strings.Join(out, " ")
}
