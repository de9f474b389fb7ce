package api_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"crokcam/api"
	"crokcam/api/contract"
)

func TestEveryExampleOfTheDescriptionWorks(t *testing.T) {
	service, err := api.New(clubOptions(t))
	require.NoError(t, err)
	without := map[string]bool{ // sent by other tests
		"scorePhoto": true, "annotatePhoto": true, "streamEvents": true, "socketEvents": true, "streamBoard": true,
		"signIn": true, "revokeToken": true, "importMatch": true, "scorePhotos": true,
		"getJob": true, "removeJob": true, "getJobResult": true,
	}
	for _, o := range service.Document().Operations {
		if without[o.ID] {
			require.Empty(t, o.Examples, o.ID)
			continue
		}
		require.NotEmpty(t, o.Examples, "%s has no example", o.ID)
		for _, e := range o.Examples {
			t.Run(o.ID+"/"+e.Name, func(t *testing.T) {
				server := start(t, clubOptions(t))
				a := send(t, o.Method, server.URL+address(o, e), kindOf(e), e.Body, headers(e)...)
				require.Equal(t, e.Status, a.status, string(a.body))
			})
		}
	}
}

// address is where an example goes.
func address(o *contract.Operation, e contract.Example) string {
	path := o.Path
	for name, value := range e.Path {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	if len(e.Query) == 0 {
		return path
	}
	q := url.Values{}
	for name, value := range e.Query {
		q.Set(name, value)
	}
	return path + "?" + q.Encode()
}

func kindOf(e contract.Example) string {
	if len(e.Body) > 0 {
		return "application/json"
	}
	return ""
}

func headers(e contract.Example) []string {
	var out []string
	for name, value := range e.Header {
		out = append(out, name, value)
	}
	return out
}
