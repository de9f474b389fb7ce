package live

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/match"
	"crokcam/match/store"
	"crokcam/rules"
)

var crashes = flag.Int("live.crashes", 6, "how often the program is killed in the middle of a match")

// The test's own program is also the one that is killed.
const playVar = "CROKCAM_LIVE_TEST_PLAY"

func TestMain(m *testing.M) {
	if os.Getenv(playVar) != "" {
		if err := playForEver(os.Getenv(playVar)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// program is the tester of a program that is no test.
type program struct{}

func (program) Errorf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
func (program) FailNow()                          { os.Exit(1) }
func (program) Helper()                           {}
func (program) Context() context.Context          { return context.Background() }

// physical is how far a simulated match in front of the camera has come: that
// goes on whatever becomes of the program.
type physical struct {
	seed  uint64
	turns int  // played
	rests bool // the last one's discs have been taken away
}

// playForEver keeps simulated matches from where the discs lie, and says of each
// event that is on the disk "event MATCH SEQ KIND", and of the discs "turn SEED N
// PHASE".
func playForEver(arg string) error {
	path, rest, _ := strings.Cut(arg, "|")
	var p physical
	if _, err := fmt.Sscan(rest, &p.seed, &p.turns, &p.rests); err != nil {
		return err
	}
	db, err := store.Open(context.Background(), path, store.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	picture := someJPEG(p.seed)
	for {
		r := newRig(program{}, p.seed, "nca", rules.TwoPlayers)
		r.store = db
		r.told = func(n Notice) {
			if e, ok := n.Data.(match.Event); ok {
				fmt.Println("event", n.Match, e.Seq, e.Body.Kind())
			}
		}
		r.open()
		r.answer = r.honest
		r.picture = picture
		if err := r.resume(p); err != nil {
			return err
		}
		for n := p.turns; ; n++ {
			fmt.Println("turn", p.seed, n+1, false)
			if !r.next() {
				break
			}
			fmt.Println("turn", p.seed, n+1, true)
			r.wayOut()
		}
		p = physical{seed: p.seed + 1}
		fmt.Println("turn", p.seed, 0, true)
	}
}

// resume plays the simulated match on to where its discs lie, and goes on with
// the match that is kept, or begins one.
func (r *rig) resume(p physical) error {
	lies := []board.Disc{}
	for range p.turns {
		turn, err := r.match.Next()
		if err != nil {
			return err
		}
		r.truth = &turn
		lies = turn.Board.Discs
		if !p.rests && turn.Result != nil {
			lies = turn.Result.Final.Discs
		} else if turn.Scored != nil {
			lies = nil
		}
	}
	page, err := r.store.List(context.Background(), store.Query{Limit: 1})
	if err != nil {
		return err
	}
	if len(page.Matches) == 0 || page.Matches[0].Summary.Phase == match.Over || p.turns == 0 && p.rests {
		if len(page.Matches) > 0 && page.Matches[0].Summary.Phase != match.Over {
			if _, err := r.table.Attach(context.Background(), page.Matches[0].Match); err != nil {
				return err
			}
			if _, err := r.table.Do(context.Background(), store.Entry{Actor: sam, Bodies: []match.Body{match.Closed{Reason: "another match is played"}}}); err != nil {
				return err
			}
		}
		r.begin()
	} else if _, err := r.table.Attach(context.Background(), page.Matches[0].Match); err != nil {
		return err
	}
	r.rest(lies)
	if !p.rests && r.truth != nil { // the players do what they were about to
		r.rest(r.truth.Board.Discs)
		if r.truth.Scored != nil {
			r.rest(nil)
		}
	}
	r.wayOut()
	return nil
}

// wayOut takes the board as it lies where the match has lost step with it.
func (r *rig) wayOut() {
	s := r.state()
	lies := []board.Disc{}
	if r.truth != nil && r.truth.Scored == nil {
		lies = r.truth.Board.Discs
	}
	if s.Desynced() != nil || s.Phase() == match.Between && len(lies) > 0 {
		r.accept(lies)
	}
}

func someJPEG(seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 3))
	img := image.NewGray(image.Rect(0, 0, 160, 90))
	for i := range img.Pix {
		img.Pix[i] = byte(rng.Uint32())
	}
	var b bytes.Buffer
	_ = jpeg.Encode(&b, img, nil)
	return b.Bytes()
}

func TestWhatWasSaidIsThereAfterAKillAndPlayGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matches.db")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	p := physical{rests: true}
	said := map[string]map[int]string{}
	acknowledged, played := 0, 0
	for kill := range *crashes {
		before := p
		events, next := killOnce(t, rng, path, p)
		p = next
		played += max(0, p.turns-before.turns)
		for _, e := range events {
			if said[e.match] == nil {
				said[e.match] = map[int]string{}
			}
			require.NotContains(t, said[e.match], e.seq, "event %d was said twice", e.seq)
			said[e.match][e.seq] = e.kind
			acknowledged++
		}
		checkKept(t, path, said, kill)
	}
	require.Greater(t, played, *crashes, "play went on")
	t.Logf("%d kills: %d events acknowledged, none lost or doubled, over %d shots", *crashes, acknowledged, played)
}

type saidEvent struct {
	match string
	seq   int
	kind  string
}

// killOnce lets the program play from where the discs lie, kills it at a random
// moment, and tells what it had said and where the discs lie then.
func killOnce(t *testing.T, rng *rand.Rand, path string, p physical) (events []saidEvent, now physical) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d %d %v", playVar, path, p.seed, p.turns, p.rests))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	now = p
	killed := make(chan struct{})
	begun := false
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		word := strings.Fields(lines.Text())
		if len(word) != 4 {
			continue
		}
		if !begun {
			begun = true
			time.AfterFunc(time.Duration(rng.Int64N(int64(250*time.Millisecond))), func() {
				_ = cmd.Process.Kill()
				close(killed)
			})
		}
		n, err := strconv.Atoi(word[2])
		require.NoError(t, err)
		switch word[0] {
		case "event":
			events = append(events, saidEvent{word[1], n, word[3]})
		case "turn":
			s, err := strconv.ParseUint(word[1], 10, 64)
			require.NoError(t, err)
			now = physical{s, n, word[3] == "true"}
		}
	}
	if !begun {
		require.NoError(t, cmd.Wait())
		require.Fail(t, "the program said nothing")
	}
	<-killed
	require.ErrorContains(t, cmd.Wait(), "killed")
	return events, now
}

// checkKept opens the file as the next start would and looks for everything that
// was said.
func checkKept(t *testing.T, path string, said map[string]map[int]string, kill int) {
	t.Helper()
	db, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	for id, events := range said {
		s, err := store.Load(t.Context(), db, id)
		require.NoError(t, err, "after kill %d", kill)
		kept := s.Events()
		for seq, kind := range events {
			require.LessOrEqual(t, seq, len(kept), "after kill %d event %d (%s) is lost", kill, seq, kind)
			require.Equal(t, kind, kept[seq-1].Body.Kind())
		}
		for _, name := range s.PictureNames() {
			_, err := db.Picture(t.Context(), name)
			require.NoError(t, err, "after kill %d a picture is lost", kill)
		}
	}
}
