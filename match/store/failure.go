package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The ways in which storage fails. A *StorageError wraps one of them. What was being
// written is then not there, and what was there before still is.
var (
	ErrFull        = errors.New("the disk is full")
	ErrReadOnly    = errors.New("the file or its folder cannot be written to")
	ErrLocked      = errors.New("another program holds the file")
	ErrCorrupt     = errors.New("the file is damaged")
	ErrForeign     = errors.New("the file is not one of crokcam's")
	ErrNewer       = errors.New("the file was written by a newer crokcam")
	ErrUnavailable = errors.New("the storage does not answer")
)

var advice = map[error]string{
	ErrFull:        "make room (crokcam match prune removes old pictures), then go on: nothing that was acknowledged is lost",
	ErrReadOnly:    "give the user that runs crokcam the right to write there, or name another place (for matches that is the setting matches.file)",
	ErrLocked:      "end the other program, or wait until it is done",
	ErrCorrupt:     "restore a backup with crokcam restore; the damaged file is kept",
	ErrForeign:     "name another file with matches.file",
	ErrNewer:       "update crokcam; nothing has been changed",
	ErrUnavailable: "look at the disk and its cables",
}

// StorageError is a failure of the storage: what was tried, where, why, and what to
// do.
type StorageError struct {
	Doing string
	Path  string
	Kind  error // one of the values above
	Err   error // what the storage said
}

func (f *StorageError) Error() string {
	s := fmt.Sprintf("store: %s: %s: %v", f.Doing, f.Path, f.Kind)
	if f.Err != nil {
		s += fmt.Sprintf(" (%v)", f.Err)
	}
	return s + "; " + advice[f.Kind]
}

// Unwrap makes errors.Is find the kind and the cause.
func (f *StorageError) Unwrap() []error { return []error{f.Kind, f.Err} }

// fail makes a *StorageError of an error of the storage. Other errors are only given
// the words.
func fail(doing, path string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*StorageError](err); ok {
		return err
	}
	if kind := kindOf(err); kind != nil {
		return &StorageError{Doing: doing, Path: path, Kind: kind, Err: err}
	}
	return fmt.Errorf("store: %s: %w", doing, err)
}

func kindOf(err error) error {
	if s, ok := errors.AsType[*sqlite.Error](err); ok {
		switch s.Code() & 0xff {
		case sqlite3.SQLITE_FULL:
			return ErrFull
		case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
			return ErrReadOnly
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return ErrLocked
		case sqlite3.SQLITE_CORRUPT:
			return ErrCorrupt
		case sqlite3.SQLITE_NOTADB:
			return ErrForeign
		case sqlite3.SQLITE_IOERR:
			return ErrUnavailable
		}
		return nil
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		return ErrReadOnly
	case errors.Is(err, syscall.EIO):
		return ErrUnavailable
	}
	return nil
}

// unique tells whether an error is about a value that is there already.
func unique(err error) bool {
	s, ok := errors.AsType[*sqlite.Error](err)
	return ok && (s.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || s.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)
}
