-- Times are microseconds since 1970, UTC.

CREATE TABLE matches (
    id        TEXT PRIMARY KEY,
    code      TEXT NOT NULL UNIQUE,
    title     TEXT NOT NULL,
    board     TEXT NOT NULL,
    reference TEXT NOT NULL,
    version   INTEGER NOT NULL,
    started   INTEGER NOT NULL,
    changed   INTEGER NOT NULL,
    summary   TEXT NOT NULL
) STRICT;
CREATE INDEX matches_started ON matches (started DESC, id DESC);
CREATE INDEX matches_changed ON matches (changed);

CREATE TABLE events (
    match TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seq   INTEGER NOT NULL,
    id    TEXT NOT NULL,
    time  INTEGER NOT NULL,
    kind  TEXT NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (match, seq),
    UNIQUE (match, id)
) STRICT;

-- Requests that have been carried out, so that they can be sent twice.
CREATE TABLE requests (
    key    TEXT PRIMARY KEY,
    match  TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    first  INTEGER NOT NULL,
    last   INTEGER NOT NULL,
    digest TEXT NOT NULL
) STRICT;
CREATE INDEX requests_match ON requests (match);

-- A picture's name is the hash of its bytes.
CREATE TABLE pictures (
    name TEXT PRIMARY KEY,
    jpeg BLOB NOT NULL
) STRICT;

CREATE TABLE picture_uses (
    match TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    name  TEXT NOT NULL REFERENCES pictures (name),
    PRIMARY KEY (match, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX picture_uses_name ON picture_uses (name);
