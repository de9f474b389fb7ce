// Package access knows who may use the service: tokens, which are kept as hashes,
// and what a request shows of itself.
package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"crokcam/api/contract"
	"crokcam/match/store"
)

// Token is what lets its bearer in, without its secret.
type Token struct {
	ID      string        `json:"id"`
	Name    string        `json:"name"` // whose it is, for people; who corrects is recorded by it
	Role    contract.Role `json:"role"`
	Board   string        `json:"board,omitempty"`  // a link may be for one board alone
	Expires time.Time     `json:"expires,omitzero"` // zero for never
	Created time.Time     `json:"created,omitzero"` //
}

type keptToken struct {
	Token
	Hash string `json:"hash"` // SHA-256 of the whole token, hex
}

// kind is that of a token's paper.
const kind = "token"

// The refusals.
var (
	ErrUnknown = errors.New("access: there is no such token")
	ErrRole    = errors.New("access: there is no such role")
	ErrWeak    = errors.New("access: a token that was chosen by hand needs at least 20 characters")
)

// Tokens are the tokens that are known.
type Tokens struct {
	papers store.Papers
	now    func() time.Time
	fixed  [sha256.Size]byte // hash of the organiser's token from the settings
	has    bool              // there is one
}

// NewTokens gives the tokens that are kept among papers. fixed is an organiser's
// token from the settings, "" for none.
func NewTokens(papers store.Papers, fixed string, now func() time.Time) (*Tokens, error) {
	t := &Tokens{papers: papers, now: now}
	if now == nil {
		t.now = time.Now
	}
	if fixed != "" {
		if len(fixed) < 20 {
			return nil, ErrWeak
		}
		t.fixed, t.has = sha256.Sum256([]byte(fixed)), true
	}
	return t, nil
}

const prefix = "ck_"

// Create makes a token. The secret is told this once and not kept. board and
// expires may be zero.
func (t *Tokens) Create(ctx context.Context, name string, role contract.Role, board string, expires time.Time) (secret string, _ Token, err error) {
	if !slices.Contains(contract.Roles(), role) {
		return "", Token{}, fmt.Errorf("%w: %q", ErrRole, role)
	}
	id := strings.ToLower(store.NewCode() + store.NewCode())
	raw := make([]byte, 24)
	_, _ = rand.Read(raw) // never fails
	secret = prefix + id + "_" + base64.RawURLEncoding.EncodeToString(raw)
	sum := sha256.Sum256([]byte(secret))
	k := keptToken{
		Token: Token{ID: id, Name: name, Role: role, Board: board, Expires: expires.UTC(), Created: t.now().UTC().Truncate(time.Second)},
		Hash:  hex.EncodeToString(sum[:]),
	}
	data, err := json.Marshal(k)
	if err != nil {
		return "", Token{}, fmt.Errorf("access: create token: %w", err)
	}
	if _, err := t.papers.PutPaper(ctx, store.Paper{Kind: kind, ID: id, Data: data}); err != nil {
		return "", Token{}, fmt.Errorf("access: create token: %w", err)
	}
	return secret, k.Token, nil
}

// List is all tokens, the oldest first.
func (t *Tokens) List(ctx context.Context) ([]Token, error) {
	papers, err := t.papers.Papers(ctx, kind)
	if err != nil {
		return nil, fmt.Errorf("access: list tokens: %w", err)
	}
	list := make([]Token, 0, len(papers))
	for _, p := range papers {
		var k keptToken
		if err := json.Unmarshal(p.Data, &k); err != nil {
			return nil, fmt.Errorf("access: token %s: %w", p.ID, err)
		}
		list = append(list, k.Token)
	}
	slices.SortFunc(list, func(a, b Token) int {
		if c := a.Created.Compare(b.Created); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return list, nil
}

// Revoke ends a token at once. Errors: ErrUnknown.
func (t *Tokens) Revoke(ctx context.Context, id string) error {
	err := t.papers.DeletePaper(ctx, kind, id)
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("%w: %q", ErrUnknown, id)
	}
	return err
}

// Organised tells whether there is an organiser's token that holds.
func (t *Tokens) Organised(ctx context.Context) (bool, error) {
	if t.has {
		return true, nil
	}
	list, err := t.List(ctx)
	return slices.ContainsFunc(list, func(k Token) bool { return k.Role == contract.Organiser && t.holds(k) }), err
}

func (t *Tokens) holds(k Token) bool { return k.Expires.IsZero() || t.now().Before(k.Expires) }

// Of is the token with a secret. Errors: ErrUnknown, for one that has expired as
// well.
func (t *Tokens) Of(ctx context.Context, secret string) (Token, error) {
	sum := sha256.Sum256([]byte(secret))
	if t.has && subtle.ConstantTimeCompare(sum[:], t.fixed[:]) == 1 {
		return Token{ID: "settings", Name: "organiser", Role: contract.Organiser}, nil
	}
	// The id is no secret; what is, is compared as a whole and in constant time.
	id, _, ok := strings.Cut(strings.TrimPrefix(secret, prefix), "_")
	if !ok || !strings.HasPrefix(secret, prefix) || len(secret) > 200 {
		return Token{}, ErrUnknown
	}
	p, err := t.papers.Paper(ctx, kind, id)
	if errors.Is(err, store.ErrNotFound) {
		return Token{}, ErrUnknown
	}
	if err != nil {
		return Token{}, fmt.Errorf("access: look up token: %w", err)
	}
	var k keptToken
	if err := json.Unmarshal(p.Data, &k); err != nil {
		return Token{}, fmt.Errorf("access: token %s: %w", id, err)
	}
	want, err := hex.DecodeString(k.Hash)
	if err != nil || subtle.ConstantTimeCompare(sum[:], want) != 1 || !t.holds(k.Token) {
		return Token{}, ErrUnknown
	}
	return k.Token, nil
}
