package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"crokcam/match"
)

// Append adds events to a match.
func (d *DB) Append(ctx context.Context, a Append) (out Appended, err error) {
	if err := a.check(); err != nil {
		return Appended{}, err
	}
	digest := ""
	if a.Key != "" {
		if digest, err = a.digest(); err != nil {
			return Appended{}, fmt.Errorf("store: append: %w", err)
		}
	}
	lines := make([][]byte, len(a.Events))
	for i, e := range a.Events {
		if lines[i], err = json.Marshal(e); err != nil {
			return Appended{}, fmt.Errorf("store: append: %w", err)
		}
	}
	summary, err := json.Marshal(a.Summary)
	if err != nil {
		return Appended{}, fmt.Errorf("store: append: %w", err)
	}
	out = Appended{Match: a.Match, First: a.Expect + 1, Last: a.Expect + len(a.Events), digest: digest}
	err = d.transact(ctx, "append", func(tx *sql.Tx) error {
		if a.Key != "" {
			was, ok, err := appended(ctx, tx, a.Key)
			if err != nil {
				return err
			}
			if ok {
				out, err = a.repeat(was, digest)
				return err
			}
		}
		if err := claim(ctx, tx, &a, string(summary)); err != nil {
			return err
		}
		insert := tx.StmtContext(ctx, d.insert)
		for i, e := range a.Events {
			if _, err := insert.ExecContext(ctx, a.Match, e.Seq, e.ID, e.Time.UnixMicro(), e.Body.Kind(), string(lines[i])); err != nil {
				return err
			}
		}
		if a.Key != "" {
			_, err := tx.ExecContext(ctx, `INSERT INTO requests (key, match, first, last, digest) VALUES (?, ?, ?, ?, ?)`,
				a.Key, a.Match, out.First, out.Last, digest)
			return err
		}
		return nil
	})
	if err != nil {
		return Appended{}, err
	}
	return out, nil
}

// claim moves the match on to its new version, or creates it.
func claim(ctx context.Context, tx *sql.Tx, a *Append, summary string) error {
	last := a.Events[len(a.Events)-1]
	if start, ok := a.Events[0].Body.(match.Started); ok {
		_, err := tx.ExecContext(ctx, `INSERT INTO matches (id, code, title, board, reference, version, started, changed, summary)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			a.Match, orID(start), start.Title, start.Board, start.Reference, last.Seq, a.Events[0].Time.UnixMicro(), last.Time.UnixMicro(), summary)
		if unique(err) {
			return fmt.Errorf("%w: %s, code %s", ErrExists, a.Match, start.Code)
		}
		return err
	}
	result, err := tx.ExecContext(ctx, `UPDATE matches SET version = ?, changed = ?, summary = ? WHERE id = ? AND version = ?`,
		last.Seq, last.Time.UnixMicro(), summary, a.Match, a.Expect)
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err != nil || n == 1 {
		return err
	}
	var actual int
	err = tx.QueryRowContext(ctx, `SELECT version FROM matches WHERE id = ?`, a.Match).Scan(&actual)
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("%w: %s", ErrNotFound, a.Match)
	}
	if err != nil {
		return err
	}
	return &ConflictError{Match: a.Match, Expected: a.Expect, Actual: actual}
}

// orID is the code of a match, or its id when it has none.
func orID(s match.Started) string {
	if s.Code != "" {
		return s.Code
	}
	return s.Match
}

// Appended finds what was appended under a key.
func (d *DB) Appended(ctx context.Context, key string) (Appended, bool, error) {
	a, ok, err := appended(ctx, d.read, key)
	return a, ok, fail("look up request", d.path, err)
}

func appended(ctx context.Context, q asker, key string) (Appended, bool, error) {
	var a Appended
	err := q.QueryRowContext(ctx, `SELECT match, first, last, digest FROM requests WHERE key = ?`, key).Scan(&a.Match, &a.First, &a.Last, &a.digest)
	if errors.Is(err, sql.ErrNoRows) {
		return a, false, nil
	}
	return a, err == nil, err
}

// Events are a match's events after a Seq.
func (d *DB) Events(ctx context.Context, id string, after, limit int) ([]match.Event, error) {
	if limit <= 0 {
		limit = -1
	}
	rows, err := d.read.QueryContext(ctx, `SELECT event FROM events WHERE match = ? AND seq > ? ORDER BY seq LIMIT ?`, id, after, limit)
	if err != nil {
		return nil, fail("read events", d.path, err)
	}
	defer rows.Close() //nolint:errcheck // only read from
	var out []match.Event
	for rows.Next() {
		var line sql.RawBytes
		if err := rows.Scan(&line); err != nil {
			return nil, fail("read events", d.path, err)
		}
		var e match.Event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("store: read match %s: %w", id, err)
		}
		out = append(out, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fail("read events", d.path, err)
	}
	if len(out) == 0 {
		if _, err := d.Match(ctx, id); err != nil {
			return nil, err
		}
	}
	return out, nil
}

const infoColumns = `m.id, m.code, m.title, m.board, m.reference, m.version, m.started, m.changed, m.summary,
	(SELECT count(*) FROM picture_uses u WHERE u.match = m.id)`

func scanInfo(row interface{ Scan(...any) error }) (Info, error) {
	var i Info
	var started, changed int64
	var summary string
	if err := row.Scan(&i.Match, &i.Code, &i.Title, &i.Board, &i.Reference, &i.Version, &started, &changed, &summary, &i.Pictures); err != nil {
		return Info{}, err
	}
	i.Started, i.Changed = time.UnixMicro(started).UTC(), time.UnixMicro(changed).UTC()
	return i, json.Unmarshal([]byte(summary), &i.Summary)
}

// Match is a match's entry in the list.
func (d *DB) Match(ctx context.Context, id string) (Info, error) {
	i, err := scanInfo(d.read.QueryRowContext(ctx, `SELECT `+infoColumns+` FROM matches m WHERE m.id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return Info{}, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	return i, fail("read match", d.path, err)
}

// Find is the match with that id, code or beginning of an id.
func (d *DB) Find(ctx context.Context, word string) (Info, error) {
	prefix := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(word) + "%"
	infos, err := d.infos(ctx, `SELECT `+infoColumns+` FROM matches m
		WHERE m.id = ?1 OR m.code = upper(?1) OR m.id LIKE ?2 ESCAPE '\'
		ORDER BY m.id = ?1 DESC, m.code = upper(?1) DESC LIMIT 2`, word, prefix)
	if err != nil {
		return Info{}, err
	}
	return only(word, infos)
}

// only picks the one match that a word means.
func only(word string, found []Info) (Info, error) {
	switch {
	case word == "" || len(found) == 0:
		return Info{}, fmt.Errorf("%w: %q", ErrNotFound, word)
	case found[0].Match == word || found[0].Code == strings.ToUpper(word) || len(found) == 1:
		return found[0], nil
	}
	return Info{}, fmt.Errorf("%w: %q", ErrAmbiguous, word)
}

// List is a page of matches.
func (d *DB) List(ctx context.Context, q Query) (Page, error) {
	at := cursor{started: 1 << 62, match: "\U0010ffff"}
	if q.Cursor != "" {
		var err error
		if at, err = parseCursor(q.Cursor); err != nil {
			return Page{}, err
		}
	}
	infos, err := d.infos(ctx, `SELECT `+infoColumns+` FROM matches m
		WHERE (m.started, m.id) < (?, ?) AND (? = '' OR m.board = ?) ORDER BY m.started DESC, m.id DESC LIMIT ?`,
		at.started, at.match, q.Board, q.Board, q.limit()+1)
	if err != nil {
		return Page{}, err
	}
	return pageOf(infos, q.limit()), nil
}

// pageOf cuts a page off a list that has one entry more when it goes on.
func pageOf(infos []Info, limit int) Page {
	p := Page{Matches: infos}
	if len(infos) > limit {
		p.Matches = infos[:limit]
		last := p.Matches[limit-1]
		p.Next = cursor{last.Started.UnixMicro(), last.Match}.String()
	}
	return p
}

func (d *DB) infos(ctx context.Context, query string, args ...any) ([]Info, error) {
	rows, err := d.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fail("list", d.path, err)
	}
	defer rows.Close() //nolint:errcheck // only read from
	var out []Info
	for rows.Next() {
		i, err := scanInfo(rows)
		if err != nil {
			return nil, fail("list", d.path, err)
		}
		out = append(out, i)
	}
	return out, fail("list", d.path, rows.Err())
}

// PutPicture keeps a picture for a match.
func (d *DB) PutPicture(ctx context.Context, id string, jpeg []byte) (string, error) {
	clean, name, err := prepare(jpeg)
	if err != nil {
		return "", err
	}
	err = d.transact(ctx, "keep picture", func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM matches WHERE id = ?`, id).Scan(&n); err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("%w: %s", ErrNotFound, id)
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO pictures (name, jpeg) VALUES (?, ?) ON CONFLICT DO NOTHING`, name, clean); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO picture_uses (match, name) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, name)
		return err
	})
	if err != nil {
		return "", err
	}
	return name, nil
}

// Picture is a picture by its name.
func (d *DB) Picture(ctx context.Context, name string) ([]byte, error) {
	var b []byte
	err := d.read.QueryRowContext(ctx, `SELECT jpeg FROM pictures WHERE name = ?`, name).Scan(&b)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: picture %s", ErrNotFound, name)
	}
	return b, fail("read picture", d.path, err)
}

// Delete removes a match.
func (d *DB) Delete(ctx context.Context, id string) error {
	err := d.transact(ctx, "delete match", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `DELETE FROM matches WHERE id = ?`, id)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fmt.Errorf("%w: %s", ErrNotFound, id))
		}
		_, err = dropUnused(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	return d.shrink(ctx)
}

func dropUnused(ctx context.Context, tx *sql.Tx) (int, error) {
	result, err := tx.ExecContext(ctx, `DELETE FROM pictures WHERE NOT EXISTS (SELECT 1 FROM picture_uses u WHERE u.name = pictures.name)`)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// shrink gives the room of what was deleted back to the disk.
func (d *DB) shrink(ctx context.Context) error {
	_, err := d.write.ExecContext(ctx, `PRAGMA incremental_vacuum`)
	return fail("shrink", d.path, err)
}

// Prune removes what is older than the retention allows.
func (d *DB) Prune(ctx context.Context, r Retention) (Pruned, error) {
	var p Pruned
	err := d.transact(ctx, "prune", func(tx *sql.Tx) error {
		if r.Matches > 0 {
			result, err := tx.ExecContext(ctx, `DELETE FROM matches WHERE changed < ?`, r.Now.Add(-r.Matches).UnixMicro())
			if err != nil {
				return err
			}
			n, err := result.RowsAffected()
			if err != nil {
				return err
			}
			p.Matches = int(n)
		}
		if r.Pictures > 0 {
			if _, err := tx.ExecContext(ctx, `DELETE FROM picture_uses WHERE match IN (SELECT id FROM matches WHERE changed < ?)`,
				r.Now.Add(-r.Pictures).UnixMicro()); err != nil {
				return err
			}
		}
		var err error
		p.Pictures, err = dropUnused(ctx, tx)
		return err
	})
	if err != nil {
		return Pruned{}, err
	}
	return p, d.shrink(ctx)
}
