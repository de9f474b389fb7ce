package store_test

import (
	"bufio"
	"database/sql"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"crokcam/board"
	"crokcam/match"
	"crokcam/match/store"
)

// failed checks that an error is a failure of a kind that says where and what to
// do.
func failed(t *testing.T, err, kind error, path string) {
	t.Helper()
	var f *store.StorageError
	require.ErrorAs(t, err, &f)
	require.ErrorIs(t, err, kind)
	require.Contains(t, err.Error(), path)
	require.Contains(t, err.Error(), "; ", "it says what to do")
}

func TestAFullDiskRefusesTheEventAndKeepsTheRest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matches.db")
	db := openDB(t, path)
	r := start(t, db, evening, "final")
	var pages int
	require.NoError(t, db.Writer().QueryRow(`PRAGMA page_count`).Scan(&pages))
	limit := func(n int) {
		var is int
		require.NoError(t, db.Writer().QueryRow(`PRAGMA max_page_count = `+strconv.Itoa(n)).Scan(&is))
	}
	limit(pages + 2)
	long := match.Note{Text: string(make([]byte, 3000))}
	var err error
	kept := 1
	for kept < 50 {
		if _, err = r.Record(t.Context(), store.Entry{Actor: sam, Bodies: []match.Body{long}}); err != nil {
			break
		}
		kept++
	}
	failed(t, err, store.ErrFull, path)
	require.Equal(t, kept, r.State().Version())
	_, err = db.PutPicture(t.Context(), r.State().Setup().Match, picture(t, 9))
	if err != nil {
		failed(t, err, store.ErrFull, path)
	}
	state, err := store.Load(t.Context(), db, r.State().Setup().Match)
	require.NoError(t, err)
	require.Equal(t, kept, state.Version())

	limit(pages + 1000) // somebody has made room
	_, err = r.Record(t.Context(), store.Entry{Actor: sam, Bodies: []match.Body{match.RoundStarted{Lead: board.South}}})
	require.NoError(t, err)
	require.Equal(t, kept+1, r.State().Version())
}

func TestAFileThatAnotherProgramHoldsIsSaidToBeHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matches.db")
	db := openDB(t, path)
	id := start(t, db, evening, "final").State().Setup().Match
	program, err := os.Executable()
	require.NoError(t, err)
	holder := child(t.Context(), program, "hold", path)
	in, err := holder.StdinPipe()
	require.NoError(t, err)
	out, err := holder.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, holder.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "holding\n", line)

	hurried, err := store.Open(t.Context(), path, store.Options{Wait: time.Millisecond})
	failed(t, err, store.ErrLocked, path)
	require.Nil(t, hurried)
	// Readers are not in the way of a writer, nor a writer in theirs.
	_, err = store.Load(t.Context(), db, id)
	require.NoError(t, err)

	require.NoError(t, in.Close())
	require.NoError(t, holder.Wait())
	start(t, db, evening, "another")
}

func TestAFolderThatCannotBeWrittenToIsSaidToBeSo(t *testing.T) {
	folder := filepath.Join(openToAll(t), "locked")
	require.NoError(t, os.Mkdir(folder, 0o755))
	path := filepath.Join(folder, "matches.db")
	if os.Getuid() != 0 {
		require.NoError(t, os.Chmod(folder, 0o555))
		_, err := store.Open(t.Context(), path, store.Options{})
		failed(t, err, store.ErrReadOnly, path)
		return
	}
	// The superuser may write everywhere, so somebody else has to try.
	program := filepath.Join(filepath.Dir(folder), "program")
	copyProgram(t, program)
	cmd := child(t.Context(), program, "open", path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	cmd.Stderr = nil
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "true store: open: "+path)
	require.Contains(t, string(out), "matches.file")
}

// openToAll is a temporary folder that anybody may enter.
func openToAll(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		require.NoError(t, os.Chmod(d, 0o755))
	}
	return dir
}

func copyProgram(t *testing.T, to string) {
	t.Helper()
	from, err := os.Executable()
	require.NoError(t, err)
	in, err := os.Open(from)
	require.NoError(t, err)
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	require.NoError(t, err)
	_, err = io.Copy(out, in)
	require.NoError(t, err)
	require.NoError(t, out.Close())
}

func TestAFolderInThePlaceOfTheFileIsRefused(t *testing.T) {
	path := t.TempDir()
	_, err := store.Open(t.Context(), path, store.Options{})
	failed(t, err, store.ErrReadOnly, path)
	_, err = store.Open(t.Context(), "/proc/version/matches.db", store.Options{})
	failed(t, err, store.ErrReadOnly, "/proc/version/matches.db")
}

func TestADamagedFileIsSaidToBeDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matches.db")
	db, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	r := start(t, db, evening, "final")
	for range 40 {
		_, err := r.Record(t.Context(), store.Entry{Actor: sam, Bodies: []match.Body{match.Note{Text: string(make([]byte, 2000))}}})
		require.NoError(t, err)
	}
	id := r.State().Setup().Match
	require.NoError(t, db.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)

	for name, c := range map[string]struct {
		damage func([]byte) []byte
		kind   error
	}{
		"overwritten":  {func(b []byte) []byte { copy(b, "nothing that was ever a database"); return b }, store.ErrForeign},
		"cut off":      {func(b []byte) []byte { return b[:len(b)/2] }, store.ErrCorrupt},
		"pages zeroed": {func(b []byte) []byte { clear(b[4096 : len(b)-4096]); return b }, store.ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "matches.db")
			require.NoError(t, os.WriteFile(path, c.damage(append([]byte(nil), whole...)), 0o600))
			failed(t, store.Check(t.Context(), path), c.kind, path)
			db, err := store.Open(t.Context(), path, store.Options{})
			if err == nil {
				_, err = store.Load(t.Context(), db, id)
				_ = db.Close()
			}
			failed(t, err, c.kind, path)
		})
	}
}

func TestFilesOfOthersAndOfNewerProgramsAreLeftAlone(t *testing.T) {
	foreign := filepath.Join(t.TempDir(), "other.db")
	db, err := sql.Open("sqlite", foreign)
	require.NoError(t, err)
	_, err = db.Exec(`CREATE TABLE recipes (name TEXT)`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = store.Open(t.Context(), foreign, store.Options{})
	failed(t, err, store.ErrForeign, foreign)

	// The program of tomorrow has one migration more.
	tomorrow := migrations(t)
	first := tomorrow["migrations/0001_matches.sql"].Data
	tomorrow["migrations/0003_weather.sql"] = &fstest.MapFile{Data: []byte(`ALTER TABLE matches ADD COLUMN weather TEXT NOT NULL DEFAULT ''`)}
	path := filepath.Join(t.TempDir(), "matches.db")
	today := openDB(t, path)
	id := start(t, today, evening, "final").State().Setup().Match
	newer, err := store.OpenForm(t.Context(), path, tomorrow)
	require.NoError(t, err, "it goes on from the form of today")
	state, err := store.Load(t.Context(), newer, id)
	require.NoError(t, err)
	require.Equal(t, 1, state.Version())
	require.NoError(t, newer.Close())

	_, err = store.Open(t.Context(), path, store.Options{})
	failed(t, err, store.ErrNewer, path)
	failed(t, store.Check(t.Context(), path), store.ErrNewer, path)

	// A migration that was changed after it was made is another's.
	changed := migrations(t)
	changed["migrations/0001_matches.sql"] = &fstest.MapFile{Data: append(first, "\n-- changed"...)}
	other := filepath.Join(t.TempDir(), "matches.db")
	was, err := store.Open(t.Context(), other, store.Options{})
	require.NoError(t, err)
	require.NoError(t, was.Close())
	_, err = store.OpenForm(t.Context(), other, changed)
	failed(t, err, store.ErrForeign, other)
}

// migrations are those of this program.
func migrations(t *testing.T) fstest.MapFS {
	t.Helper()
	names, err := fs.Glob(store.Embedded, "migrations/*.sql")
	require.NoError(t, err)
	out := fstest.MapFS{}
	for _, n := range names {
		data, err := fs.ReadFile(store.Embedded, n)
		require.NoError(t, err)
		out[n] = &fstest.MapFile{Data: data}
	}
	return out
}

func TestAMigrationThatFailsChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matches.db")
	half := migrations(t)
	half["migrations/0003_half.sql"] = &fstest.MapFile{Data: []byte(`CREATE TABLE half (a TEXT); CREATE TABEL other (a TEXT)`)}
	db, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = store.OpenForm(t.Context(), path, half)
	require.Error(t, err)
	require.NoError(t, store.Check(t.Context(), path))
	openDB(t, path)
	_, err = store.OpenForm(t.Context(), path, fstest.MapFS{"migrations/0002_gap.sql": half["migrations/0002_papers.sql"]})
	require.ErrorContains(t, err, "not number 1")
}

func TestTwoProgramsMayOpenANewFileAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder", "matches 100%?#.db")
	errs := make(chan error)
	for range 4 {
		go func() {
			db, err := store.Open(t.Context(), path, store.Options{})
			if err == nil {
				err = db.Close()
			}
			errs <- err
		}()
	}
	for range 4 {
		require.NoError(t, <-errs)
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "it is its owner's alone")
}

func TestABackupIsWholeAndCanBeRestored(t *testing.T) {
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "matches.db"), filepath.Join(dir, "backup.db")
	db, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	r := start(t, db, evening, "final")
	id := r.State().Setup().Match
	name, err := db.PutPicture(t.Context(), id, picture(t, 77))
	require.NoError(t, err)
	require.NoError(t, db.Backup(t.Context(), copied, false))
	require.ErrorIs(t, db.Backup(t.Context(), copied, false), fs.ErrExist)
	require.NoError(t, db.Backup(t.Context(), copied, true))
	failed(t, db.Backup(t.Context(), "/proc/version/backup.db", false), store.ErrReadOnly, "/proc/version/backup.db")

	// What comes after it is not in it.
	_, err = r.Record(t.Context(), store.Entry{Actor: sam, Bodies: []match.Body{match.Note{Text: "later"}}})
	require.NoError(t, err)
	_, err = store.Restore(t.Context(), copied, path, false, evening)
	require.ErrorIs(t, err, fs.ErrExist)
	_, err = store.Restore(t.Context(), copied, path, true, evening)
	failed(t, err, store.ErrLocked, path) // this very program has it open
	require.NoError(t, db.Close())

	kept, err := store.Restore(t.Context(), copied, path, true, evening)
	require.NoError(t, err)
	require.Equal(t, path+".replaced-20261130T190000Z", kept)
	require.NoError(t, store.Check(t.Context(), kept))
	again := openDB(t, path)
	state, err := store.Load(t.Context(), again, id)
	require.NoError(t, err)
	require.Equal(t, 1, state.Version())
	got, err := again.Picture(t.Context(), name)
	require.NoError(t, err)
	require.Equal(t, picture(t, 77), got)

	// A backup that is none replaces nothing.
	rubbish := filepath.Join(dir, "rubbish.db")
	require.NoError(t, os.WriteFile(rubbish, []byte("rubbish"), 0o600))
	_, err = store.Restore(t.Context(), rubbish, filepath.Join(dir, "new", "matches.db"), false, evening)
	failed(t, err, store.ErrForeign, rubbish)
	_, err = store.Restore(t.Context(), t.TempDir(), filepath.Join(dir, "new", "matches.db"), false, evening)
	require.ErrorContains(t, err, "it is a folder")
	require.NoDirExists(t, filepath.Join(dir, "new"))
	_, err = store.Restore(t.Context(), filepath.Join(dir, "none.db"), path, true, evening)
	require.ErrorIs(t, err, fs.ErrNotExist)
	left, err := filepath.Glob(filepath.Join(dir, ".crokcam-*"))
	require.NoError(t, err)
	require.Empty(t, left, "no half-written file stays")
}

func TestADamagedFileCanBeReplacedByABackup(t *testing.T) {
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "matches.db"), filepath.Join(dir, "backup.db")
	db, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	start(t, db, evening, "final")
	require.NoError(t, db.Backup(t.Context(), copied, false))
	require.NoError(t, db.Close())
	require.NoError(t, os.WriteFile(path, []byte("lightning struck"), 0o600))
	kept, err := store.Restore(t.Context(), copied, path, true, evening)
	require.NoError(t, err)
	b, err := os.ReadFile(kept)
	require.NoError(t, err)
	require.Equal(t, "lightning struck", string(b))
	openDB(t, path)
}
