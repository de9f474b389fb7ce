package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"crokcam/board"
	"crokcam/calibrate"
	profiles "crokcam/configs/rules"
	"crokcam/internal/textfile"
	"crokcam/live"
	"crokcam/live/console"
	"crokcam/match"
	"crokcam/match/replay"
	"crokcam/match/store"
	"crokcam/rules"
	"crokcam/rules/profile"
	"crokcam/rules/say"
)

// liveFlags are what a live table is told on the command line.
type liveFlags struct {
	rules, players, layout, board, calibration, match, lang, title string
	plain                                                          bool
}

func newLiveCmd(a *app) *cobra.Command {
	var o liveFlags
	cmd := &cobra.Command{
		Use:   "live SOURCE",
		Short: "Keep the score of a match at a camera",
		Long: `Live watches a board through a camera and keeps the match by itself: it finds the
board, waits until it is empty, and then shows the score, the board and every
verdict with its reason. What is unclear it asks; a number answers. Everything
is kept with the matches: ` + "`crokcam match`" + ` lists them.

SOURCE is camera:0 or, better, camera:/dev/v4l/by-id/…, rtsp://…, http://…, a
video file, a folder of pictures, or sim: for a simulated match. --match goes on
with a match from the board as it lies. Where the output is no terminal every
thing that happens is a line.`,
		Example: `  crokcam live camera:0 --players "Ann,Bob"
  crokcam live rtsp://scorer:secret@10.0.0.7/board --rules wcc
  crokcam live 'sim:?seed=3&size=1280x720'`,
		Args: oneArg("a source"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.live(cmd.Context(), args[0], o) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.rules, "rules", "nca", "rule profile (see `crokcam rules`)")
	flags.StringVar(&o.players, "players", "", "names, by seat from the south clockwise, with commas between")
	flags.StringVar(&o.layout, "layout", "2p", "who plays: 2p, 4p, 3p_2v1, 3p_ffa or 4p_ffa")
	flags.StringVar(&o.board, "board", "", "a known board or a board file (default: measured)")
	flags.StringVar(&o.calibration, "calibration", "", "file that `crokcam calibrate` has written")
	flags.StringVar(&o.match, "match", "", "go on with this match")
	flags.StringVar(&o.title, "title", "", "what the match is called")
	flags.StringVar(&o.lang, "lang", "en", "language of the verdicts: en, fr, nl or th")
	flags.BoolVar(&o.plain, "plain", false, "print lines even in a terminal")
	bindCamera(flags)
	return cmd
}

// live runs a table until its source ends or somebody stops it.
func (a *app) live(ctx context.Context, source string, o liveFlags) error {
	words, err := say.For(o.lang)
	if err != nil {
		return usageError{err}
	}
	setup, err := o.setup()
	if err != nil {
		return err
	}
	options := live.Options{ID: "live", Name: "Board", Source: source, Capture: a.captureOptions()}
	if o.board != "" {
		if options.Board, err = findBoard(o.board); err != nil {
			return err
		}
	}
	if o.calibration != "" {
		if options.Calibration, err = readCalibration(o.calibration); err != nil {
			return err
		}
	}
	screen := a.terminal(o.plain)
	if screen == nil {
		options.Log = a.log
	}
	return a.withStore(ctx, func(db *store.DB) error {
		options.Store = db
		news := newQueue()
		options.Notify = news.put
		table, err := live.Open(options)
		if err != nil {
			return err
		}
		t := &sitting{app: a, table: table, words: words, setup: setup, screen: screen, news: news}
		if o.match != "" {
			info, err := db.Find(ctx, o.match)
			if err != nil {
				return errors.Join(err, table.Close())
			}
			if _, err := table.Attach(ctx, info.Match); err != nil {
				return errors.Join(err, table.Close())
			}
		}
		return errors.Join(t.run(ctx), table.Close())
	})
}

// setup is the match to be begun.
func (o liveFlags) setup() (match.Started, error) {
	var layout rules.Layout
	if err := layout.UnmarshalText([]byte(o.layout)); err != nil {
		return match.Started{}, wrongUse("--layout: %w", err)
	}
	set, err := profile.Load(profiles.FS)
	if err != nil {
		return match.Started{}, err
	}
	p, ok := set.Find(o.rules)
	if !ok {
		return match.Started{}, wrongUse("--rules %q is not one of %s", o.rules, strings.Join(set.Names(), ", "))
	}
	f, err := p.Format(layout)
	if err != nil {
		return match.Started{}, usageError{err}
	}
	names := []string{"Ann", "Bob", "Cleo", "Dan"}
	if o.players != "" {
		names = strings.Split(o.players, ",")
	}
	seats := layout.Seats()
	if len(names) < len(seats) || o.players != "" && len(names) != len(seats) {
		return match.Started{}, wrongUse("--players names %d players where %d play", len(names), len(seats))
	}
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
		if names[i] == "" || strings.ContainsFunc(names[i], unicode.IsControl) {
			return match.Started{}, wrongUse("--players: %q is no name", names[i])
		}
	}
	setup := match.Started{Title: o.title, Profile: p.Name, Plan: match.Plan(rules.BestOf(1, f))}
	for i, seat := range seats {
		setup.Players = append(setup.Players, match.Player{Seat: seat, Name: names[i]})
	}
	return setup, nil
}

func readCalibration(file string) (*calibrate.Calibration, error) {
	data, err := textfile.Read(file)
	if err != nil {
		return nil, err
	}
	c, err := calibrate.Load(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// queue passes on notices without ever holding up who tells them.
type queue struct {
	mu   sync.Mutex
	list []live.Notice
	more chan struct{}
}

func newQueue() *queue { return &queue{more: make(chan struct{}, 1)} }

func (q *queue) put(n live.Notice) {
	q.mu.Lock()
	q.list = append(q.list, n)
	q.mu.Unlock()
	select {
	case q.more <- struct{}{}:
	default:
	}
}

func (q *queue) take() []live.Notice {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := q.list
	q.list = nil
	return out
}

// sitting is a table in front of a terminal or a pipe.
type sitting struct {
	app    *app
	table  *live.Table
	words  *say.Words
	setup  match.Started
	screen *screen // nil: lines
	news   *queue
	said   string // the answer to the last key
}

var atTable = match.Actor{Role: match.Scorer, Name: "terminal"}

func (t *sitting) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- t.table.Run(ctx) }()
	var keys <-chan byte
	if t.screen != nil {
		if err := t.screen.open(); err != nil {
			return err
		}
		defer t.screen.close()
		keys = t.screen.keys()
	}
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		t.show(t.news.take())
		select {
		case <-t.news.more:
			t.begin(ctx)
		case <-tick.C:
		case key := <-keys:
			if key == 'q' || key == 3 {
				stop()
			} else if err := t.press(ctx, key); err != nil {
				t.said = err.Error()
			} else {
				t.said = ""
			}
		case err := <-ended:
			t.show(t.news.take())
			if t.screen != nil {
				t.screen.close()
			}
			return errors.Join(err, t.farewell())
		}
	}
}

// begin begins the match as soon as the board has been found.
func (t *sitting) begin(ctx context.Context) {
	if _, on := t.table.Match(); on || t.table.Calibration() == nil {
		return
	}
	if _, err := t.table.Begin(ctx, atTable, "", t.setup); err != nil {
		t.said = err.Error()
	}
}

// show brings the screen up to date, or prints what has happened.
func (t *sitting) show(news []live.Notice) {
	s, playing := t.table.Match()
	if t.screen == nil {
		for _, n := range news {
			if line := console.Line(t.words, n, s); line != "" {
				fmt.Fprintln(t.app.out, line)
			}
		}
		return
	}
	w, h := t.screen.size()
	lines := console.Screen(t.words, t.table.Status(), s, playing, w, h-1)
	t.screen.draw(append(lines, t.said))
}

// press does what a key says.
func (t *sitting) press(ctx context.Context, key byte) error {
	s, playing := t.table.Match()
	do := func(b match.Body) error {
		_, err := t.table.Do(ctx, store.Entry{Actor: atTable, Bodies: []match.Body{b}})
		return err
	}
	switch {
	case key == 'c':
		t.table.Recalibrate()
		return nil
	case key == 'b' && (!playing || s.Phase() == match.Over):
		_, err := t.table.Begin(ctx, atTable, "", t.setup)
		return err
	case !playing:
		return nil
	case key >= '1' && key <= '9':
		open := s.Questions(true)
		if n := int(key - '1'); len(open) > 0 && n < len(open[0].Choices) {
			return do(match.QuestionAnswered{Question: open[0].Seq, Choice: open[0].Choices[n].Key})
		}
	case key == 'u':
		if seq, ok := s.UndoTarget(); ok {
			return do(match.Undone{Target: seq})
		}
	case key == 'r':
		if seq, ok := s.RedoTarget(); ok {
			return do(match.Redone{Target: seq})
		}
	case key == 'a':
		return t.table.Accept(live.Acceptance{Actor: atTable})
	case key == 'p' && s.Paused() == nil:
		return t.table.Pause(ctx, atTable, "")
	case key == 'p':
		return t.table.Resume(ctx, atTable)
	case key == 'e' && s.Phase() == match.Counting:
		return do(match.RoundAgreed{})
	}
	return nil
}

// farewell prints how the match stands, and how to find it again.
func (t *sitting) farewell() error {
	s, ok := t.table.Match()
	if !ok {
		return nil
	}
	if err := replay.WriteState(t.app.out, s); err != nil {
		return err
	}
	if s.Phase() != match.Over && s.Winner() == board.NoSide {
		fmt.Fprintf(t.app.err, "Go on with it: crokcam live SOURCE --match %s\n", s.Setup().Code)
	}
	return nil
}

// screen is the terminal that the program was started in.
type screen struct {
	in, out *os.File
	was     *term.State
	last    string
}

// terminal is the terminal, nil where there is none or lines are wanted.
func (a *app) terminal(plain bool) *screen {
	in, okIn := a.in.(*os.File)
	out, okOut := a.out.(*os.File)
	if plain || !okIn || !okOut || !term.IsTerminal(int(in.Fd())) || !term.IsTerminal(int(out.Fd())) {
		return nil
	}
	return &screen{in: in, out: out}
}

func (s *screen) open() error {
	was, err := term.MakeRaw(int(s.in.Fd()))
	if err != nil {
		return fmt.Errorf("set up the terminal: %w", err)
	}
	s.was = was
	fmt.Fprint(s.out, "\x1b[?1049h\x1b[?25l")
	return nil
}

func (s *screen) close() {
	if s.was != nil {
		fmt.Fprint(s.out, "\x1b[?25h\x1b[?1049l")
		_ = term.Restore(int(s.in.Fd()), s.was)
		s.was = nil
	}
}

// keys are what is typed. Who reads them stays with the terminal until the
// program ends.
func (s *screen) keys() <-chan byte {
	keys := make(chan byte)
	go func() {
		var b [1]byte
		for {
			n, err := s.in.Read(b[:])
			if err != nil {
				return
			}
			if n == 1 {
				keys <- b[0]
			}
		}
	}()
	return keys
}

func (s *screen) size() (w, h int) {
	w, h, err := term.GetSize(int(s.out.Fd()))
	if err != nil || w <= 0 || h <= 0 {
		return 80, 24
	}
	return w, h
}

func (s *screen) draw(lines []string) {
	text := strings.Join(lines, "\x1b[K\r\n")
	if text == s.last {
		return
	}
	s.last = text
	fmt.Fprint(s.out, "\x1b[H", text, "\x1b[K\x1b[J")
}
