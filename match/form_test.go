package match_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/match"
	"crokcam/rules"
)

var update = flag.Bool("update", false, "write the golden files anew")

// everyKind is an event of every kind, with every field set.
func everyKind() []match.Event {
	at := time.Date(2026, 11, 30, 19, 0, 0, 250_000_000, time.UTC)
	disc := func(side board.Side, rest board.Rest, x, y float64) board.Disc {
		return board.Disc{Point: board.Point{X: x, Y: y}, Side: side, Rest: rest, Sigma: 0.4, Confidence: 0.98}
	}
	outcome := rules.Outcome{
		At: board.Point{X: -120.4, Y: 88.1}, Sigma: 0.4, Before: -1, After: 1, Side: board.SideA, Fate: rules.Ditched, Why: rules.InvalidShot,
		Rest: board.OnSurface, Zone: board.Out, Lies: board.Ten, Line: board.Ten, Struck: true, Restored: true,
	}
	evidence := match.Evidence{
		Watched:  rules.WatchedContacts | rules.WatchedExits,
		Contacts: []rules.Contact{{Striker: rules.ShotDisc, Struck: rules.Post(7), At: 0.31, Confidence: 0.8}, {Striker: rules.ShotDisc, Struck: rules.Disc(0), At: 0.44}},
		Damage:   []rules.Contact{{Striker: rules.DitchDisc, Struck: rules.Disc(0), At: 1.2}},
		Exits:    []rules.Exit{{Body: rules.Disc(0), At: 0.9}},
		Crossed:  []rules.Exit{{Body: rules.ShotDisc, At: 0.7}},
		Hand:     []rules.Body{rules.Disc(0)}, HandOver: true, Still: []rules.Body{rules.Disc(0)}, Nudged: []rules.Body{rules.Disc(0)},
	}
	verdict := match.Verdict{
		Ruling: rules.Unclear, Review: true, OpenShot: true, Basis: rules.FromBoth, Shooter: board.SideA,
		Outcomes: []rules.Outcome{outcome}, Twenties: [board.SideD + 1]uint8{0, 1, 2},
		Reasons: []rules.Reason{{Rule: "CON-3", Key: "contact.miss", Disc: 0, Other: -1, Gap: -0.25}},
		Close:   []rules.CloseCall{{Disc: 0, Gap: 0.3, Zone: board.Ten, Other: board.Fifteen, Turns: true}},
		Doubts: []rules.Doubt{{Kind: rules.DoubtGraze, Rule: "INF-3", Discs: []int{0}, Remote: true,
			Answers: []rules.Answer{{Key: "yes", Ruling: rules.Good, Outcome: []rules.Outcome{outcome}}}}},
		Desync: []rules.Discrepancy{{Kind: rules.TooMany, Side: board.SideB, Count: 9, Most: 8}},
	}
	change := func(c match.Change) match.Body {
		return match.Corrected{Target: 3, Change: c, Reason: "the players say so"}
	}
	plan := match.Plan(rules.Quinte(rules.Ruleset{Contact: rules.Direct, Spin: rules.SpinOut, Board: board.Tournament26()}, 8))
	plan.Stages[0].Format.End = rules.End{Target: 100, WinBy: 2, EvenRoundsFrom: 8, Ties: []rules.TieBreak{rules.MoreTwenties, rules.Shootout}}
	plan.Stages[1].Format.Lead, plan.Stages[1].Format.DoublesOrder = board.North, rules.SidesAlternate
	snapshot := board.Snapshot{Discs: []board.Disc{disc(board.SideB, board.OnSurface, 60, -12.5)}}
	bodies := []match.Body{
		match.Started{Match: "01890a5d-ac96-774b-bcce-b302099a8057", Code: "K4MR7", Title: "Final", Players: []match.Player{{Seat: board.South, Name: "Ann"}, {Seat: board.North, Name: "Bob"}},
			Sides: []match.SideName{{Side: board.SideA, Name: "The Anns", Colour: "black"}}, Profile: "nca", Plan: plan, Board: "table 3", Source: "camera:0", Reference: "R2-T3"},
		match.RoundStarted{Lead: board.North},
		match.ShotDetected{Seat: board.South, Before: snapshot,
			After:    board.Snapshot{Discs: []board.Disc{disc(board.SideB, board.Leaning, 8, 0), disc(board.SideA, board.InHole, 0, 0)}},
			Evidence: evidence, Track: &match.Track{Discs: []int{0, rules.Gone, rules.Missing}, Shot: 1},
			BeforeAt: at, MovedAt: at.Add(time.Second), RestedAt: at.Add(3 * time.Second), AfterAt: at.Add(3200 * time.Millisecond),
			Pictures: match.Pictures{Before: "aa.jpg", After: "bb.jpg"}, OutOfTurn: true},
		match.ShotJudged{Shot: 3, Verdict: verdict},
		match.QuestionAsked{Turn: 3, About: match.AboutDoubt, Discs: []match.DiscID{"3", "2.1"}, Doubt: 1, Blocking: true, Choices: []match.Choice{
			{Key: "yes", Change: &match.Change{Answer: &match.ChangeAnswer{Doubt: 1, Answer: 0}}}, {Key: "no"}}},
		match.QuestionAnswered{Question: 5, Choice: "yes"},
		match.QuestionWithdrawn{Question: 5, Reason: "removed after all"},
		match.RemovalExpected{Turn: 3, Remove: []match.DiscID{"3"}, Restore: []match.DiscID{"2.1"}},
		match.RemovalChecked{Turn: 3, Stays: []match.DiscID{"3"}, Gone: []match.DiscID{"2.1"}, Picture: "cc.jpg"},
		match.TwentySeen{Turn: 3, Side: board.SideA, Confidence: 0.97, Picture: "dd.jpg"},
		match.TwentyLifted{Turn: 3, Side: board.SideA},
		match.TurnForfeited{Seat: board.East}, match.TimeEnded{},
		match.RoundEnded{Totals: match.Points{0, 65, 40}, Twenties: match.Points{0, 2}, Picture: "ee.jpg"}, match.RoundAgreed{},
		match.RoundEntered{Totals: match.Points{0, 65, 40}, Twenties: match.Points{0, 2}},
		match.ShootoutHeld{Hits: match.Points{0, 7, 8}},
		match.GameEnded{Scores: match.Points{0, 4, 2}, Winner: board.SideA}, match.Ended{Winner: board.SideB}, match.Closed{Reason: "rain"},
		match.Paused{Reason: "coffee"}, match.Resumed{},
		match.Desynced{Reason: "a disc from nowhere", Board: &snapshot, Picture: "ff.jpg"},
		match.Resynced{Board: snapshot, Twenties: match.Points{0, 1}, Left: match.Left{5, 0, 4}, Next: board.North, Picture: "gg.jpg"},
		change(match.Change{Value: &match.ChangeValue{Disc: "3", Zone: board.Fifteen}}),
		change(match.Change{Owner: &match.ChangeOwner{Disc: "3", Side: board.SideB}}),
		change(match.Change{Place: &match.ChangePlace{Disc: "3", Place: board.Point{X: 1.5, Y: 2.5}}}),
		change(match.Change{Fate: &match.ChangeFate{Disc: "3", Fate: match.Fate(rules.Scored)}}),
		change(match.Change{Added: &match.ChangeAdded{Side: board.SideA, Place: board.Point{X: 1.5, Y: 2.5}}}),
		change(match.Change{Twenties: &match.ChangeTwenties{Side: board.SideA, By: -1}}),
		change(match.Change{Verdict: &match.ChangeVerdict{Evidence: &evidence, Verdict: verdict}}),
		change(match.Change{Answer: &match.ChangeAnswer{Doubt: 0, Answer: 1}}),
		change(match.Change{Shooter: &match.ChangeShooter{Seat: board.West}}),
		change(match.Change{Round: &match.ChangeRound{Totals: match.Points{0, 70}, Twenties: match.Points{0, 3}}}),
		match.Undone{Target: 34}, match.Redone{Target: 35}, match.Note{Text: "waxed <&> polished"},
		change(match.Change{Swap: &match.ChangeSwap{Discs: [2]match.DiscID{"3", "7"}}}),
	}
	actors := []match.Actor{{Role: match.Camera, Name: "table 3"}, {Role: match.Scorer, Name: "Sam"}, {Role: match.System}}
	events := make([]match.Event, len(bodies))
	for i, b := range bodies {
		events[i] = match.Event{Seq: i + 1, ID: "01890a5d-ac96-774b-bcce-b302099a8057", Time: at.Add(time.Duration(i) * time.Second), Actor: actors[i%3], Body: b}
	}
	return events
}

// The form of events that are kept may never change: what is in the golden file
// was written by somebody's program years ago.
func TestTheFormOfEveryEventIsFixed(t *testing.T) {
	const path = "testdata/events.jsonl"
	events := everyKind()
	var lines bytes.Buffer
	covered := map[string]bool{}
	for _, e := range events {
		b, err := e.MarshalJSON()
		require.NoError(t, err)
		lines.Write(append(b, '\n'))
		covered[e.Body.Kind()] = true
	}
	for _, k := range match.Kinds() {
		require.True(t, covered[k], "%s has no example", k)
	}
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, lines.Bytes(), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "go test -update writes it")
	require.Equal(t, string(want), lines.String())

	in := bufio.NewScanner(bytes.NewReader(want))
	in.Buffer(nil, 1<<20)
	for i := 0; in.Scan(); i++ {
		var e match.Event
		require.NoError(t, json.Unmarshal(in.Bytes(), &e), in.Text())
		require.Equal(t, events[i], e)
	}
}

func TestWhatANewerProgramWroteIsRefusedAndNotSkipped(t *testing.T) {
	for name, c := range map[string]struct {
		from, to string
		kind     error
		says     string
	}{
		"a new kind":           {`"kind":"note.added"`, `"kind":"disc.waxed"`, match.ErrUnknown, `kind "disc.waxed" is not known here`},
		"a new version":        {`"version":1`, `"version":2`, match.ErrUnknown, "version 2"},
		"a field nobody knows": {`"text":`, `"wax":true,"text":`, match.ErrInvalid, "wax"},
		"no version":           {`"version":1`, `"version":0`, match.ErrInvalid, "version 0"},
		"two values":           {`{"text":"x"}}`, `{"text":"x"}} {}`, match.ErrInvalid, ""},
		"not JSON":             {`{"seq"`, `seq`, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			line := `{"seq":9,"id":"a","time":"2026-11-30T19:00:00Z","actor":{"role":"scorer"},"kind":"note.added","version":1,"data":{"text":"x"}}`
			var e match.Event
			require.NoError(t, json.Unmarshal([]byte(line), &e))
			err := (&e).UnmarshalJSON([]byte(strings.Replace(line, c.from, c.to, 1)))
			require.Error(t, err)
			if c.kind != nil {
				require.ErrorIs(t, err, c.kind)
			}
			require.ErrorContains(t, err, c.says)
			if unknown, ok := errors.AsType[*match.UnknownError](err); ok {
				require.Equal(t, 9, unknown.Seq)
				require.ErrorContains(t, err, "update crokcam")
			}
		})
	}
	_, err := json.Marshal(match.Event{Seq: 1})
	require.ErrorIs(t, err, match.ErrInvalid)
	_, err = json.Marshal(match.Change{})
	require.ErrorIs(t, err, match.ErrInvalid)
}

// fill sets everything in a value to something that is not its zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range v.Fields() {
			fill(f)
		}
	case reflect.Array:
		for i := 1; i < v.Len(); i++ { // index 0 of figures by side is not used
			fill(v.Index(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("x")
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Uint8:
		v.SetUint(1)
	default:
		v.SetInt(1)
	}
}

// A field that package rules adds one day must not get lost on the way to the
// disk.
func TestNothingOfAVerdictOrOfEvidenceIsLostInWriting(t *testing.T) {
	for _, v := range []any{new(match.Verdict), new(match.Evidence), new(match.Track), new(match.Plan)} {
		fill(reflect.ValueOf(v).Elem())
		b, err := json.Marshal(v)
		require.NoError(t, err)
		back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		require.NoError(t, json.Unmarshal(b, back))
		require.Equal(t, v, back)
	}
	for w := range 8 {
		b, err := json.Marshal(match.Evidence{Watched: rules.Watch(w)})
		require.NoError(t, err)
		var back match.Evidence
		require.NoError(t, json.Unmarshal(b, &back))
		require.Equal(t, rules.Watch(w), back.Watched)
	}
	_, err := json.Marshal(match.Evidence{Watched: 8})
	require.ErrorIs(t, err, match.ErrInvalid)
}

func TestWordsThatNameNothingInAVerdictAreRefused(t *testing.T) {
	b, err := json.Marshal(everyKind()[3])
	require.NoError(t, err)
	for _, c := range [][2]string{
		{`"ruling":"unclear"`, `"ruling":"lovely"`}, {`"fate":"ditch"`, `"fate":"pocket"`}, {`"kind":"graze"`, `"kind":"smell"`},
		{`"why":"invalid_shot"`, `"why":"because"`}, {`"basis":"both"`, `"basis":"hearsay"`}, {`"twenties":{"A":1`, `"twenties":{"A":999`},
		{`"twenties":{"A":1`, `"twenties":{"":1`},
	} {
		require.Contains(t, string(b), c[0])
		var e match.Event
		require.ErrorIs(t, json.Unmarshal([]byte(strings.Replace(string(b), c[0], c[1], 1)), &e), match.ErrInvalid, c[1])
	}
	b, err = json.Marshal(everyKind()[2])
	require.NoError(t, err)
	for _, c := range [][2]string{{`"post 7"`, `"post -1"`}, {`"shot"`, `"wall"`}, {`"disc 0"`, `"disc 99"`}, {`"gone"`, `-7`}, {`"gone"`, `"away"`}, {`"exits"]`, `"wishes"]`}} {
		require.Contains(t, string(b), c[0])
		var e match.Event
		require.ErrorIs(t, json.Unmarshal([]byte(strings.Replace(string(b), c[0], c[1], 1)), &e), match.ErrInvalid, c[1])
	}
}

func TestADocumentIsReadOnlyWhenItIsAMatch(t *testing.T) {
	g := newGame(t)
	g.round(board.South)
	var b bytes.Buffer
	require.NoError(t, g.s.Export().Write(&b))
	d, s, err := match.ReadDocument(b.Bytes())
	require.NoError(t, err)
	require.Equal(t, g.s.View(), s.View())
	require.Equal(t, match.DocumentSchema, d.Schema)
	for _, c := range []struct {
		from, to string
		kind     error
	}{
		{`crokcam.match/1`, `crokcam.match/2`, match.ErrInvalid},
		{`{"schema"`, `schema`, match.ErrInvalid},
		{`"seq":2`, `"seq":3`, match.ErrOrder},
		{`"data":{"lead":"south"}`, `"data":{"lead":"west"}`, match.ErrInvalid},
		{`"round.started"`, `"round.dreamt"`, match.ErrUnknown},
		{`"events"`, `"extra":1,"events"`, match.ErrInvalid},
		{`"match":"`, `"match":"x`, match.ErrInvalid},
		{`"name":"Ann"`, `"name":"Ann\u001b[2J"`, match.ErrInvalid},
		{`"actor":{"role":"scorer","name":"`, `"actor":{"role":"scorer","name":"\u009b`, match.ErrInvalid},
	} {
		require.Contains(t, b.String(), c.from)
		_, _, err := match.ReadDocument([]byte(strings.Replace(b.String(), c.from, c.to, 1)))
		require.ErrorIs(t, err, c.kind, c.to)
	}
	_, _, err = match.ReadDocument([]byte(`{"schema":"crokcam.match/1","match":"","events":[]}`))
	require.ErrorIs(t, err, match.ErrInvalid)
}

func TestMatchesNeedNoOpenCV(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "crokcam/match/...").CombinedOutput()
	require.NoError(t, err, string(out))
	require.NotContains(t, string(out), "gocv")
	require.NotContains(t, string(out), "crokcam/vision")
}
