package store_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/match/store"
)

func TestPapersAreKeptByKindAndOnlyReplacedByWhoHasSeenThem(t *testing.T) {
	for name, open := range map[string]func(*testing.T) store.Papers{
		"memory": func(*testing.T) store.Papers { return store.NewMemory() },
		"sqlite": func(t *testing.T) store.Papers { return openDB(t, filepath.Join(t.TempDir(), "matches.db")) },
	} {
		t.Run(name, func(t *testing.T) {
			s, ctx := open(t), t.Context()
			first, err := s.PutPaper(ctx, store.Paper{Kind: "board", ID: "b", Data: json.RawMessage(`{"name":"Table 2"}`)})
			require.NoError(t, err)
			require.Equal(t, 1, first.Version)
			_, err = s.PutPaper(ctx, store.Paper{Kind: "board", ID: "a", Data: json.RawMessage(`{}`)})
			require.NoError(t, err)
			_, err = s.PutPaper(ctx, store.Paper{Kind: "token", ID: "a", Data: json.RawMessage(`{}`)})
			require.NoError(t, err)

			all, err := s.Papers(ctx, "board")
			require.NoError(t, err)
			require.Len(t, all, 2)
			require.Equal(t, "a", all[0].ID)
			require.Equal(t, first, all[1])

			first.Data = json.RawMessage(`{"name":"Table 3"}`)
			second, err := s.PutPaper(ctx, first)
			require.NoError(t, err)
			require.Equal(t, 2, second.Version)
			var conflict *store.ConflictError
			_, err = s.PutPaper(ctx, first) // has not seen the second
			require.ErrorAs(t, err, &conflict)
			require.Equal(t, 2, conflict.Actual)
			_, err = s.PutPaper(ctx, store.Paper{Kind: "board", ID: "b", Data: json.RawMessage(`{}`)}) // takes it to be new
			require.ErrorAs(t, err, &conflict)

			got, err := s.Paper(ctx, "board", "b")
			require.NoError(t, err)
			require.Equal(t, second, got)
			require.NoError(t, s.DeletePaper(ctx, "board", "b"))
			require.ErrorIs(t, s.DeletePaper(ctx, "board", "b"), store.ErrNotFound)
			_, err = s.Paper(ctx, "board", "b")
			require.ErrorIs(t, err, store.ErrNotFound)
			_, err = s.PutPaper(ctx, second)
			require.ErrorIs(t, err, store.ErrNotFound)
		})
	}
}
