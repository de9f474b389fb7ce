package textfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASmallFileIsReadWhole(t *testing.T) {
	name := filepath.Join(t.TempDir(), "board.yaml")
	require.NoError(t, os.WriteFile(name, []byte("name: mine\n"), 0o600))
	data, err := Read(name)
	require.NoError(t, err)
	require.Equal(t, "name: mine\n", string(data))

	_, err = Read(name + ".not")
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = ReadFrom(strings.NewReader("{}"), "-")
	require.NoError(t, err)
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestWhatNeverEndsIsRefusedAndNotReadInto(t *testing.T) {
	_, err := ReadFrom(zeros{}, "/dev/zero")
	require.ErrorIs(t, err, ErrTooLarge)
	require.ErrorContains(t, err, "/dev/zero")
}
