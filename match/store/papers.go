package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Paper is a small document that is kept beside the matches, in the same file and
// so in the same backup: a board, a token, a webhook.
type Paper struct {
	Kind    string
	ID      string
	Version int // goes up by one with each change, from 1
	Changed time.Time
	Data    json.RawMessage
}

// Papers keeps papers. All its methods may be called from several goroutines.
type Papers interface {
	// Papers are all of a kind, by id.
	Papers(ctx context.Context, kind string) ([]Paper, error)
	// Paper is one. Errors: ErrNotFound.
	Paper(ctx context.Context, kind, id string) (Paper, error)
	// PutPaper keeps a paper in the place of the version that the writer has seen, 0
	// for a new one, and returns it as kept. Errors: *ConflictError, ErrNotFound.
	PutPaper(ctx context.Context, p Paper) (Paper, error)
	// DeletePaper removes one. Errors: ErrNotFound.
	DeletePaper(ctx context.Context, kind, id string) error
}

// replaces checks that a paper may take the place of what is there, version 0 for
// nothing.
func (p *Paper) replaces(there int) error {
	switch {
	case there == 0 && p.Version > 0:
		return fmt.Errorf("%w: %s %s", ErrNotFound, p.Kind, p.ID)
	case there != p.Version:
		return &ConflictError{Match: p.Kind + " " + p.ID, Expected: p.Version, Actual: there}
	}
	return nil
}

// Papers are all of a kind.
func (d *DB) Papers(ctx context.Context, kind string) ([]Paper, error) {
	rows, err := d.read.QueryContext(ctx, `SELECT kind, id, version, changed, data FROM papers WHERE kind = ? ORDER BY id`, kind)
	if err != nil {
		return nil, fail("read papers", d.path, err)
	}
	defer rows.Close() //nolint:errcheck // only read from
	var out []Paper
	for rows.Next() {
		p, err := scanPaper(rows)
		if err != nil {
			return nil, fail("read papers", d.path, err)
		}
		out = append(out, p)
	}
	return out, fail("read papers", d.path, rows.Err())
}

func scanPaper(row interface{ Scan(...any) error }) (Paper, error) {
	var p Paper
	var changed int64
	var data string
	err := row.Scan(&p.Kind, &p.ID, &p.Version, &changed, &data)
	p.Changed, p.Data = time.UnixMicro(changed).UTC(), json.RawMessage(data)
	return p, err
}

// Paper is one.
func (d *DB) Paper(ctx context.Context, kind, id string) (Paper, error) {
	p, err := scanPaper(d.read.QueryRowContext(ctx, `SELECT kind, id, version, changed, data FROM papers WHERE kind = ? AND id = ?`, kind, id))
	if errors.Is(err, sql.ErrNoRows) {
		return Paper{}, fmt.Errorf("%w: %s %s", ErrNotFound, kind, id)
	}
	return p, fail("read paper", d.path, err)
}

// PutPaper keeps a paper.
func (d *DB) PutPaper(ctx context.Context, p Paper) (Paper, error) {
	err := d.transact(ctx, "keep paper", func(tx *sql.Tx) error {
		there := 0
		err := tx.QueryRowContext(ctx, `SELECT version FROM papers WHERE kind = ? AND id = ?`, p.Kind, p.ID).Scan(&there)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err := p.replaces(there); err != nil {
			return err
		}
		p.Version++
		p.Changed = time.Now().UTC().Truncate(time.Microsecond)
		_, err = tx.ExecContext(ctx, `INSERT INTO papers (kind, id, version, changed, data) VALUES (?1, ?2, ?3, ?4, ?5)
			ON CONFLICT DO UPDATE SET version = ?3, changed = ?4, data = ?5`, p.Kind, p.ID, p.Version, p.Changed.UnixMicro(), string(p.Data))
		return err
	})
	return p, err
}

// DeletePaper removes one.
func (d *DB) DeletePaper(ctx context.Context, kind, id string) error {
	return d.transact(ctx, "remove paper", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `DELETE FROM papers WHERE kind = ? AND id = ?`, kind, id)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fmt.Errorf("%w: %s %s", ErrNotFound, kind, id))
		}
		return nil
	})
}

// Papers are all of a kind.
func (m *Memory) Papers(_ context.Context, kind string) ([]Paper, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	out := slices.Collect(maps.Values(m.papers[kind]))
	slices.SortFunc(out, func(a, b Paper) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}

// Paper is one.
func (m *Memory) Paper(_ context.Context, kind, id string) (Paper, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	p, ok := m.papers[kind][id]
	if !ok {
		return Paper{}, fmt.Errorf("%w: %s %s", ErrNotFound, kind, id)
	}
	return p, nil
}

// PutPaper keeps a paper.
func (m *Memory) PutPaper(_ context.Context, p Paper) (Paper, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := p.replaces(m.papers[p.Kind][p.ID].Version); err != nil {
		return p, err
	}
	p.Version++
	p.Changed = time.Now().UTC().Truncate(time.Microsecond)
	if m.papers[p.Kind] == nil {
		m.papers[p.Kind] = map[string]Paper{}
	}
	m.papers[p.Kind][p.ID] = p
	return p, nil
}

// DeletePaper removes one.
func (m *Memory) DeletePaper(_ context.Context, kind, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.papers[kind][id]; !ok {
		return fmt.Errorf("%w: %s %s", ErrNotFound, kind, id)
	}
	delete(m.papers[kind], id)
	return nil
}
