package wholefile_test

import (
	"os"
	"path/filepath"
	"testing"

	"crokcam/internal/wholefile"

	"github.com/stretchr/testify/require"
)

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	require.NoError(t, wholefile.Write(path, []byte("one")))
	require.NoError(t, wholefile.Write(path, []byte("two")))
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "two", string(got))

	folder := filepath.Join(dir, "taken")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "by", "others"), 0o755))
	err = wholefile.Write(folder, []byte("three"))
	require.ErrorContains(t, err, folder)
	require.ErrorIs(t, err, wholefile.ErrFolder)
	require.Error(t, wholefile.Write(filepath.Join(dir, "nowhere", "b"), nil))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 2, "nothing half written is left behind")
}
