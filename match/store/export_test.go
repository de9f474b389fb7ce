package store

import (
	"context"
	"database/sql"
	"io/fs"
)

// OpenForm opens a file by other migrations than the program's own.
func OpenForm(ctx context.Context, path string, files fs.FS) (*DB, error) {
	all, err := readMigrations(files)
	if err != nil {
		return nil, err
	}
	return open(ctx, path, Options{}, all)
}

// Embedded are the program's own migrations.
var Embedded fs.FS = embedded

// Writer is the connection that writes.
func (d *DB) Writer() *sql.DB { return d.write }
