-- Small documents beside the matches: boards, tokens, webhooks.

CREATE TABLE papers (
    kind    TEXT NOT NULL,
    id      TEXT NOT NULL,
    version INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    data    TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
