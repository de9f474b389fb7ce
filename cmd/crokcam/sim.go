package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"crokcam/board"
	"crokcam/board/presets"
	profiles "crokcam/configs/rules"
	"crokcam/rules"
	"crokcam/rules/profile"
	"crokcam/rules/say"
	"crokcam/sim"
	"crokcam/sim/physics"
	"crokcam/sim/play"
	"crokcam/sim/trial"
)

// newSimCmd is the command for boards made of numbers.
func newSimCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Play and picture crokinole on a simulated board",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSimMatchCmd(a), newSimJudgeCmd(a), newSimSkillCmd(a), newSimPhotosCmd(a), newSimVideoCmd(a))
	return cmd
}

// tableFlags say which board is simulated.
type tableFlags struct{ board, physics string }

func (f *tableFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.board, "board", "tournament-26", "a known board or a board file")
	flags.StringVar(&f.physics, "physics", physics.Default, "known physics or a file of them (see configs/physics)")
}

func (f *tableFlags) table() (*sim.Table, error) {
	spec, err := presets.Find(f.board)
	if err != nil {
		return nil, wrongUse("--board: %w", err)
	}
	p, err := physics.Find(f.physics)
	if err != nil {
		return nil, wrongUse("--physics: %w", err)
	}
	t, err := sim.NewTable(spec, p)
	if err != nil {
		return nil, wrongUse("--board %s, --physics %s: %w", f.board, f.physics, err)
	}
	return t, nil
}

// gameFlags say by which rules and how many play.
type gameFlags struct {
	rules, layout string
	seed          uint64
}

func (f *gameFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.rules, "rules", "nca", "a rule profile (see configs/rules)")
	flags.StringVar(&f.layout, "layout", rules.TwoPlayers.String(), "who plays: 2p, 4p, 3p_2v1, 3p_ffa or 4p_ffa")
	flags.Uint64Var(&f.seed, "seed", 1, "the same seed plays the same game")
}

func (f *gameFlags) format() (rules.Format, error) {
	set, err := profile.Load(profiles.FS)
	if err != nil {
		return rules.Format{}, err
	}
	p, ok := set[f.rules]
	if !ok {
		return rules.Format{}, wrongUse("--rules %q: known are %s", f.rules, strings.Join(slices.Sorted(maps.Keys(set)), ", "))
	}
	var l rules.Layout
	if err := l.UnmarshalText([]byte(f.layout)); err != nil {
		return rules.Format{}, wrongUse("--layout: %w", err)
	}
	format, err := p.Format(l)
	if err != nil {
		return rules.Format{}, wrongUse("--rules %s --layout %s: %w", f.rules, f.layout, err)
	}
	return format, nil
}

// skills reads one skill for everybody or one for each seat that is taken.
func skills(l rules.Layout, text string) ([4]play.Skill, error) {
	var out [4]play.Skill
	parts, seats := strings.Split(text, ","), l.Seats()
	if len(parts) != 1 && len(parts) != len(seats) {
		return out, wrongUse("--skill %s: one for all or one for each of %v", text, seats)
	}
	for i, seat := range seats {
		v, err := strconv.ParseFloat(strings.TrimSpace(parts[i%len(parts)]), 64)
		if err != nil {
			return out, wrongUse("--skill %s: %q is not a number", text, parts[i%len(parts)])
		}
		out[seat] = play.Skill(v)
		if err := out[seat].Validate(); err != nil {
			return out, wrongUse("--skill: %w", err)
		}
	}
	return out, nil
}

func newSimMatchCmd(a *app) *cobra.Command {
	var t tableFlags
	var g gameFlags
	var skill string
	var asJSON, explain bool
	var rounds int
	cmd := &cobra.Command{
		Use:   "match",
		Short: "Play a game shot by shot",
		Long: `Match plays a game between players who place their discs, look ahead with the
simulator and flick as well as their skill allows, judged by the rules that are
named. A skill of 0.7 makes about 55 % of open 20s, as competitors do on
average, 0.9 about 75 %, as the best do.

With --json it prints one crokcam.sim.match/1 object: every shot with its true
contacts.`,
		Example: `  crokcam sim match --skill 0.7
  crokcam sim match --skill 0.9,0.5 --rules mayday --seed 4 --explain
  crokcam sim match --layout 4p --skill 0.8 --rounds 1 --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if rounds < 0 {
				return wrongUse("--rounds %d: it cannot be negative", rounds)
			}
			table, err := t.table()
			if err != nil {
				return err
			}
			c := play.Config{Table: table, Seed: g.seed}
			if c.Format, err = g.format(); err != nil {
				return err
			}
			if rounds > 0 {
				c.Format.End = rules.End{Rounds: rounds}
			}
			if c.Skills, err = skills(c.Format.Layout, skill); err != nil {
				return err
			}
			m, err := play.NewMatch(c)
			if err != nil {
				return err
			}
			return a.playMatch(cmd, m, play.NewRecord(c, g.rules), asJSON, explain)
		},
	}
	t.add(cmd)
	g.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&skill, "skill", "0.7", "from 0 to 1: one for all, or one for each player, clockwise from south")
	flags.IntVar(&rounds, "rounds", 0, "play so many rounds instead of to the profile's end")
	flags.BoolVar(&asJSON, "json", false, "print JSON instead of lines")
	flags.BoolVar(&explain, "explain", false, "print the judge's reasons under each shot")
	return cmd
}

// playMatch plays a match to its end and prints it.
func (a *app) playMatch(cmd *cobra.Command, m *play.Match, record *play.Record, asJSON, explain bool) error {
	f := m.Game().Format()
	sides := f.Layout.Sides()
	words, err := say.For("en")
	if err != nil {
		return err
	}
	if !asJSON {
		fmt.Fprintf(a.out, "%s board, %s physics, %s rules, seed %d\n", record.Board, record.Physics, record.Rules, record.Seed)
		for _, p := range record.Players {
			fmt.Fprintf(a.out, "  %s plays for %s, skill %.2g\n", p.Seat, p.Side, p.Skill)
		}
	}
	for over := false; !over; {
		if err := cmd.Context().Err(); err != nil {
			return fmt.Errorf("the match was stopped: %w", err)
		}
		lead := m.Game().Lead()
		t, err := m.Next()
		if err != nil {
			return err
		}
		over = t.Over
		record.Add(&t, f.Rules, sides)
		if asJSON {
			continue
		}
		if t.Number == 1 {
			fmt.Fprintf(a.out, "\nRound %d, %s leads\n", t.Round, lead)
		}
		fmt.Fprintf(a.out, "%-90s | %s\n", t.Tell(f.Rules), play.PointsInWords(sides, t.Points(f.Rules)))
		if explain && !t.Forfeit {
			for line := range strings.Lines(words.Explain(t.Verdict, say.Names{})) {
				fmt.Fprint(a.out, "          ", line)
			}
		}
		if t.Scored != nil {
			fmt.Fprintf(a.out, "Round %d: %s, of it 20s %s; awarded %s; game %s\n", t.Round, play.PointsInWords(sides, t.Scored.Totals),
				play.PointsInWords(sides, t.Scored.Twenties), play.PointsInWords(sides, t.Scored.Awarded), play.PointsInWords(sides, t.Scores))
		}
	}
	if asJSON {
		return writeJSON(a.out, record, "  ")
	}
	if record.Winner == "" {
		fmt.Fprintln(a.out, "\nThe game is drawn.")
	} else {
		fmt.Fprintf(a.out, "\nSide %s wins.\n", record.Winner)
	}
	for s := board.SideA; int(s) <= sides; s++ {
		if tried := record.OpenShot[s.String()]; tried > 0 {
			made := record.OpenHits[s.String()]
			fmt.Fprintf(a.out, "Open 20s of %s: %d of %d (%.0f %%)\n", s, made, tried, 100*float64(made)/float64(tried))
		}
	}
	return nil
}

func newSimSkillCmd(a *app) *cobra.Command {
	var t tableFlags
	var n int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "skill",
		Short: "Print how many open 20s each skill makes",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n < 1 {
				return wrongUse("--shots %d: at least one is needed", n)
			}
			table, err := t.table()
			if err != nil {
				return err
			}
			for k := range 11 {
				if err := cmd.Context().Err(); err != nil {
					return fmt.Errorf("stopped: %w", err)
				}
				s := play.Skill(float64(k) / 10)
				pl, err := play.NewPlayer(s, seed)
				if err != nil {
					return err
				}
				hits, err := pl.OpenTwenties(table, rules.Ruleset{}, n)
				if err != nil {
					return err
				}
				fmt.Fprintf(a.out, "skill %.1f  open 20s %5.1f %%\n", float64(s), 100*float64(hits)/float64(n))
			}
			return nil
		},
	}
	t.add(cmd)
	cmd.Flags().IntVar(&n, "shots", 500, "shots at each skill")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "the same seed shoots the same shots")
	return cmd
}

func newSimJudgeCmd(a *app) *cobra.Command {
	var t tableFlags
	var g gameFlags
	var c trial.Config
	var skill float64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "judge",
		Short: "Judge simulated shots twice: from all that happened and from noisy snapshots",
		Long: `Judge plays games and has every shot judged from its true contacts and
again from snapshots in which every disc is a little off: from the two snapshots
alone, with the board in sight in between, with every exit seen, and with every
disc followed. It prints how often both verdicts are sure and agree, and how
often the second one asks.

With --json it prints one crokcam.sim.judge/1 object.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case c.Shots < 1:
				return wrongUse("--shots %d: at least one is needed", c.Shots)
			case !(c.Noise >= 0 && c.Noise <= 10):
				return wrongUse("--noise %g mm: it must be from 0 to 10", c.Noise)
			}
			c.Skill, c.Seed = play.Skill(skill), g.seed
			if err := c.Skill.Validate(); err != nil {
				return wrongUse("--skill: %w", err)
			}
			var err error
			if c.Table, err = t.table(); err != nil {
				return err
			}
			if c.Format, err = g.format(); err != nil {
				return err
			}
			bar := a.progress(c.Shots)
			r, err := trial.Run(cmd.Context(), c, bar.add)
			bar.clear()
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.out, r, "  ")
			}
			return a.writeTrial(r, g.rules)
		},
	}
	t.add(cmd)
	g.add(cmd)
	flags := cmd.Flags()
	flags.IntVar(&c.Shots, "shots", 10_000, "how many shots are judged")
	flags.Float64Var(&c.Noise, "noise", 0.5, "standard deviation of x and of y in the snapshots, mm")
	flags.Float64Var(&skill, "skill", 0.7, "of the players, from 0 to 1")
	flags.BoolVar(&c.Care, "care", false, "let the players look ahead as in a match, which takes thirty times as long")
	flags.BoolVar(&asJSON, "json", false, "print JSON instead of a table")
	return cmd
}

// writeTrial prints a trial for people.
func (a *app) writeTrial(r *trial.Report, ruleset string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d shots under %s, snapshots off by %g mm; from true contacts %d verdicts were unsure\n\n", r.Shots, ruleset, r.NoiseMM, r.Unsure)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "judged from\tboth sure\tagree\tunclear\tflagged\tnot believed\tvalue differs\tunmarked\t")
	share := func(n, of int) string {
		if of == 0 {
			return "-"
		}
		return fmt.Sprintf("%.2f %%", 100*float64(n)/float64(of))
	}
	for i := range r.Views {
		v := &r.Views[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", v.Name, share(v.BothSure, r.Shots), share(v.Agree, v.BothSure), share(v.Unclear, r.Shots),
			share(v.Flagged, r.Shots), share(v.Desynced, r.Shots), share(v.Values, v.Discs), share(v.ValuesUnflagged, v.Discs))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	if _, err := a.out.Write(b.Bytes()); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
