package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/board/presets"
	"crokcam/match"
	"crokcam/rules"
	"crokcam/sim"
	"crokcam/sim/physics"
	"crokcam/sim/play"
)

var demo = flag.Bool("demo", false, "play the match anew that overlays show with demo=1")

const demoFile = "web/overlays/demo.json"

// demoSeed plays a match that is decided in its last round.
const demoSeed = 6

// demoStep is what changes in a match's view, and how long after the step before.
type demoStep struct {
	After   int                        `json:"after_ms"`
	Changed map[string]json.RawMessage `json:"changed"`
}

// shown are the parts of a view that overlays show.
var shown = []string{"match", "code", "title", "version", "phase", "paused", "game", "round", "lead", "next", "hammer",
	"sides", "discs", "rounds", "games", "last", "questions", "winner"}

// TestTheDemoIsAWholeMatch checks what overlays show without a server: a match
// whose views follow from another and whose sums are right.
func TestTheDemoIsAWholeMatch(t *testing.T) {
	if *demo {
		require.NoError(t, os.WriteFile(demoFile, playDemo(t), 0o644))
	}
	data, err := os.ReadFile(demoFile)
	require.NoError(t, err)
	require.Less(t, len(data), 150_000)
	var steps []demoStep
	require.NoError(t, json.Unmarshal(data, &steps))
	require.Greater(t, len(steps), 30)
	whole := map[string]json.RawMessage{}
	var last match.View
	for i, s := range steps {
		maps.Copy(whole, s.Changed)
		require.Positive(t, s.After, i)
		line, err := json.Marshal(whole)
		require.NoError(t, err)
		var v match.View
		require.NoError(t, json.Unmarshal(line, &v), i)
		require.Greater(t, v.Version, last.Version)
		require.Len(t, v.Sides, 2)
		for _, side := range v.Sides {
			sum := 20 * side.InRound.Twenties
			for _, d := range v.Discs {
				if d.Side == side.Side {
					sum += d.Zone.Points()
				}
			}
			require.Equal(t, side.InRound.Points, sum, "step %d, side %s", i, side.Side)
			agreed := 0
			for _, r := range v.Rounds {
				agreed += r.Awarded[side.Side]
			}
			require.Equal(t, side.Points, agreed, "step %d, side %s", i, side.Side)
		}
		last = v
	}
	require.Equal(t, match.Over, last.Phase)
	require.NotEqual(t, board.NoSide, last.Winner)
}

// playDemo has two simulated players of the first rank play, and gives the steps.
func playDemo(t *testing.T) []byte {
	spec, err := presets.ByName("tournament-26")
	require.NoError(t, err)
	p, err := physics.Find(physics.Default)
	require.NoError(t, err)
	table, err := sim.NewTable(spec, p)
	require.NoError(t, err)
	format := rules.Format{Layout: rules.TwoPlayers, Discs: 8, End: rules.End{Rounds: 4}, Rules: rules.Ruleset{RoundScore: rules.MatchPoints, Board: spec}}
	game, err := play.NewMatch(play.Config{Table: table, Format: format, Skills: [4]play.Skill{board.South: 0.72, board.North: 0.7}, Seed: demoSeed})
	require.NoError(t, err)

	d := &demonstration{t: t}
	d.does(0, match.Started{
		Match: "0197a000-0000-7000-8000-000000000001", Code: "DEM20", Title: "World Championship · Final", Plan: match.Plan(rules.BestOf(1, format)),
		Players: []match.Player{{Seat: board.South, Name: "Ingrid Vos"}, {Seat: board.North, Name: "Théo Marchand"}},
		Sides:   []match.SideName{{Side: board.SideA, Colour: "black"}, {Side: board.SideB, Colour: "natural"}},
	})
	d.does(3000, match.RoundStarted{Lead: d.state.Lead()})
	for {
		turn, err := game.Next()
		require.NoError(t, err)
		require.False(t, turn.Forfeit)
		d.shot(turn)
		if turn.Scored == nil {
			continue
		}
		rounds := d.state.Rounds()
		r := rounds[len(rounds)-1]
		d.does(2500, match.RoundEnded{Totals: match.Points(r.Totals), Twenties: match.Points(r.Twenties)})
		d.does(3500, match.RoundAgreed{})
		if turn.Over {
			break
		}
		d.does(6000, match.RoundStarted{Lead: d.state.Lead()})
	}
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, s := range d.steps {
		line, err := json.Marshal(s)
		require.NoError(t, err)
		b.Write(line)
		if i+1 < len(d.steps) {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	return b.Bytes()
}

type demonstration struct {
	t     *testing.T
	state match.State
	last  map[string]json.RawMessage
	steps []demoStep
}

func (d *demonstration) does(after int, b match.Body) {
	d.t.Helper()
	s, err := d.state.Apply(match.Event{
		Seq: d.state.Version() + 1, ID: fmt.Sprintf("0197a000-0000-7000-8000-%012x", d.state.Version()+2),
		Time: time.Date(2026, 6, 6, 15, 0, d.state.Version(), 0, time.UTC), Actor: match.Actor{Role: match.Camera}, Body: b,
	})
	require.NoError(d.t, err, b.Kind())
	d.state = s
	now := d.view()
	step := demoStep{After: max(1, after), Changed: map[string]json.RawMessage{}}
	for k, v := range now {
		if !reflect.DeepEqual(v, d.last[k]) {
			step.Changed[k] = v
		}
	}
	d.last = now
	d.steps = append(d.steps, step)
}

// shot records a shot as a camera would that misses nothing.
func (d *demonstration) shot(t play.Turn) {
	before, after := t.Setup.Board, t.Result.Final
	d.does(2200+int(t.Result.Duration*1000), match.ShotDetected{
		Seat: t.Seat, Before: before, After: after, Evidence: match.Evidence(t.Shot.Evidence), Track: (*match.Track)(t.Shot.Track),
	})
	shot := d.state.LastTurn()
	d.does(900, match.ShotJudged{Shot: shot, Verdict: match.Verdict(t.Verdict)})
	if r := d.state.Removal(shot); len(r.Remove)+len(r.Restore) > 0 {
		d.does(300, r)
		d.does(1800, match.RemovalChecked{Turn: shot})
	}
}

// view is what overlays show of the match as it stands, places to the millimetre.
func (d *demonstration) view() map[string]json.RawMessage {
	v := d.state.View()
	round := func(list []match.Disc) {
		for i := range list {
			list[i].X, list[i].Y = math.Round(list[i].X), math.Round(list[i].Y)
			list[i].Sigma, list[i].Confidence = 0, 1
		}
	}
	round(v.Discs)
	if v.Last != nil {
		v.Last.Discs, v.Last.Removed = nil, nil
		if v.Last.Verdict != nil {
			v.Last.Verdict = &match.Verdict{Ruling: v.Last.Verdict.Ruling, OpenShot: v.Last.Verdict.OpenShot, Basis: v.Last.Verdict.Basis,
				Shooter: v.Last.Verdict.Shooter, Twenties: v.Last.Verdict.Twenties}
		}
	}
	line, err := json.Marshal(v)
	require.NoError(d.t, err)
	all := map[string]json.RawMessage{}
	require.NoError(d.t, json.Unmarshal(line, &all))
	for k := range all {
		if !strings.Contains(" "+strings.Join(shown, " ")+" ", " "+k+" ") {
			delete(all, k)
		}
	}
	return all
}
