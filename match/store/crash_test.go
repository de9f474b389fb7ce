package store_test

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/match"
	"crokcam/match/store"
)

var kills = flag.Int("crash.kills", 10, "how often the writer is killed")

// told is an event that the writer was told is kept.
type told struct {
	match   string
	seq     int
	kind    string
	picture string
}

func TestWhatWasAcknowledgedIsThereAfterAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matches.db")
	program, err := os.Executable()
	require.NoError(t, err)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	var acknowledged []told
	for kill := range *kills {
		acknowledged = append(acknowledged, killOne(t, rng, program, path)...)
		checkAll(t, path, acknowledged, kill)
	}
	require.Greater(t, len(acknowledged), *kills)
	t.Logf("%d events acknowledged over %d kills, none lost", len(acknowledged), *kills)
}

// killOne lets a writer play and kills it at a random moment. It returns what the
// writer was told is kept.
func killOne(t *testing.T, rng *rand.Rand, program, path string) []told {
	t.Helper()
	cmd := child(t.Context(), program, "play", path, fmt.Sprint("SEED=", rng.Uint32()))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var list []told
	lines := bufio.NewScanner(out)
	killed := make(chan struct{})
	for lines.Scan() {
		if len(list) == 0 {
			// From the first event on, at any moment of the writing of some dozen.
			time.AfterFunc(time.Duration(rng.Int64N(int64(60*time.Millisecond))), func() {
				_ = cmd.Process.Kill() // SIGKILL
				close(killed)
			})
		}
		var a told
		if n, _ := fmt.Sscan(lines.Text(), &a.match, &a.seq, &a.kind, &a.picture); n >= 3 {
			list = append(list, a)
		}
	}
	require.NotEmpty(t, list, "the writer wrote nothing")
	<-killed
	require.ErrorContains(t, cmd.Wait(), "killed")
	return list
}

// checkAll opens the file as the next start would and looks for everything.
func checkAll(t *testing.T, path string, all []told, kill int) {
	t.Helper()
	db, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	states := map[string]match.State{}
	for _, a := range all {
		s, ok := states[a.match]
		if !ok {
			s, err = store.Load(t.Context(), db, a.match)
			require.NoError(t, err, "after kill %d", kill)
			states[a.match] = s
			info, err := db.Match(t.Context(), a.match)
			require.NoError(t, err)
			require.Equal(t, s.Version(), info.Version)
		}
		require.GreaterOrEqual(t, s.Version(), a.seq, "after kill %d event %d (%s) is lost", kill, a.seq, a.kind)
		require.Equal(t, a.kind, s.Events()[a.seq-1].Body.Kind())
		if strings.HasSuffix(a.picture, ".jpg") {
			b, err := db.Picture(t.Context(), a.picture)
			require.NoError(t, err, "after kill %d", kill)
			_, err = store.Clean(b)
			require.NoError(t, err, "a whole picture")
		}
	}
}
