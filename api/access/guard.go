package access

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"crokcam/api/contract"
	"crokcam/api/limit"
	"crokcam/api/problem"
)

// Mode says who is let in without a token.
type Mode int

// The modes.
const (
	Closed Mode = iota // nobody
	Local              // everybody, for a service that only its own machine can reach, until there is an organiser's token
	Open               // everybody: the operator has said so
)

// Cookie is the name of a browser's cookie that holds its token.
const Cookie = "crokcam_token"

// Guard tells who sends a request.
type Guard struct {
	Tokens *Tokens
	Mode   Mode
	// Tries limits how often a client may show a token that is none.
	Tries *limit.Clients
}

// Who is somebody who sends requests.
type Who struct {
	Token
	Free bool // let in without a token
}

// The refusals.
var (
	errWho      = problem.New(http.StatusUnauthorized, "token_missing", "This needs a token. An organiser can give you one.")
	errToken    = problem.New(http.StatusUnauthorized, "token_unknown", "This token is not known here, or not any more.")
	errAddress  = problem.New(http.StatusUnauthorized, "token_in_address", "Only a link's token may stand in an address, and only for overlays, events and pictures.")
	errKey      = problem.New(http.StatusUnauthorized, "key_not_machine", "X-Api-Key is for the tokens of machines. Send others as Authorization: Bearer.")
	errRole     = problem.New(http.StatusForbidden, "not_allowed", "Your token does not allow this.")
	errHost     = problem.New(http.StatusForbidden, "wrong_host", "This service is for its own machine only. Open it as http://127.0.0.1 or http://localhost.")
	errTooMany  = problem.New(http.StatusTooManyRequests, "too_many_tries", "Too many wrong tokens. Please wait a moment.")
	errBoardsOf = problem.New(http.StatusForbidden, "not_allowed", "This link is for another board.")
)

// Admit tells who sends a request, and refuses those who may not have what they
// ask for. client is the address they come from. Errors are a problem.Problem or
// a failure of the storage.
func (g *Guard) Admit(r *http.Request, client string, a contract.Access) (Who, error) {
	secret, err := shown(r, a)
	if err != nil {
		return Who{}, err
	}
	if secret == "" {
		return g.stranger(r, a)
	}
	t, err := g.Try(r.Context(), secret, client)
	if err != nil {
		if a == contract.Public && errors.As(err, new(problem.Problem)) {
			return Who{}, nil // a cookie that has been revoked is no reason to be sent away
		}
		return Who{}, err
	}
	if r.Header.Get("X-Api-Key") != "" && t.Role != contract.Machine {
		return Who{}, errKey
	}
	if r.URL.Query().Has("token") && t.Role != contract.Link {
		return Who{}, errAddress
	}
	if !a.Admits(t.Role) {
		return Who{Token: t}, errRole
	}
	return Who{Token: t}, nil
}

// stranger decides about somebody without a token.
func (g *Guard) stranger(r *http.Request, a contract.Access) (Who, error) {
	free := g.Mode == Open
	if g.Mode == Local {
		organised, err := g.Tokens.Organised(r.Context())
		if err != nil {
			return Who{}, err
		}
		free = !organised
		// A page of another site can have its own name lead to this machine; the
		// browser then takes the two for one site, but tells the name.
		if free && !local(r.Host) {
			return Who{}, errHost
		}
	}
	switch {
	case free:
		return Who{Token: Token{Role: contract.Organiser}, Free: true}, nil
	case a == contract.Public:
		return Who{}, nil
	}
	return Who{}, errWho
}

// Try finds the token with a secret. Each secret that is none counts against the
// client. Errors are a problem.Problem or a failure of the storage.
func (g *Guard) Try(ctx context.Context, secret, client string) (Token, error) {
	if wait, ok := g.Tries.Left(client, time.Now()); !ok {
		return Token{}, errTooMany.After(wait)
	}
	t, err := g.Tokens.Of(ctx, secret)
	if errors.Is(err, ErrUnknown) {
		g.Tries.Take(client, time.Now())
		return Token{}, errToken
	}
	return t, err
}

// Sees refuses a link that is for another board.
func (w Who) Sees(board string) error {
	if w.Role == contract.Link && w.Board != "" && w.Board != board {
		return errBoardsOf
	}
	return nil
}

// shown is the secret that a request shows, "" for none.
func shown(r *http.Request, a contract.Access) (string, error) {
	if v := r.Header.Get("Authorization"); v != "" {
		scheme, secret, _ := strings.Cut(v, " ")
		if !strings.EqualFold(scheme, "Bearer") || secret == "" {
			return "", errToken
		}
		return strings.TrimSpace(secret), nil
	}
	if v := r.Header.Get("X-Api-Key"); v != "" {
		return v, nil
	}
	if q := r.URL.Query(); q.Has("token") {
		if a != contract.Watch && a != contract.Public || r.Method != http.MethodGet {
			return "", errAddress
		}
		return q.Get("token"), nil
	}
	if c, err := r.Cookie(Cookie); err == nil {
		return c.Value, nil
	}
	return "", nil
}

// local tells whether a host name is this machine's own.
func local(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") || strings.HasSuffix(strings.ToLower(host), ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}
