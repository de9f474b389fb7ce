package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/api/contract"
)

func TestTheDescriptionIsReadWhole(t *testing.T) {
	d, err := contract.Load("test", "/club")
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, o := range d.Operations {
		require.NotEmpty(t, o.ID, o.Path)
		require.NotEmpty(t, o.Summary, o.ID)
		require.False(t, seen[o.ID], "%s is there twice", o.ID)
		seen[o.ID] = true
	}
	require.Contains(t, string(d.JSON), `"servers":[{"url":"/club/"}]`)
}

func TestThePageForPeopleNamesEveryOperation(t *testing.T) {
	d, err := contract.Load("test", "/club")
	require.NoError(t, err)
	page, err := d.Page()
	require.NoError(t, err)
	for _, o := range d.Operations {
		require.Contains(t, string(page), `id="`+o.ID+`"`)
	}
	require.Contains(t, string(page), "<strong>Two tablets.</strong>")
	require.Contains(t, string(page), "http://127.0.0.1:8080/club/api/v1/matches/K4MR7")
	require.NotContains(t, string(page), "**")
}
