-- One row a study. `chosen` counts its queries, `entries` the entries of its log.
CREATE TABLE studies (
    study   INTEGER PRIMARY KEY AUTOINCREMENT,
    name    TEXT NOT NULL UNIQUE,
    spec    TEXT NOT NULL,
    entries INTEGER NOT NULL DEFAULT 0,
    chosen  INTEGER NOT NULL DEFAULT 0,
    checked INTEGER NOT NULL
) STRICT;

-- The log: rows are added and never changed.
CREATE TABLE log (
    study   INTEGER NOT NULL REFERENCES studies ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    query   TEXT NOT NULL,
    data    TEXT NOT NULL,
    at      REAL NOT NULL,
    checked INTEGER NOT NULL,
    PRIMARY KEY (study, seq)
) STRICT, WITHOUT ROWID;

-- The queries that were chosen, and who holds them. Times are those of the machine's own clock
-- since it was started (`boot`), which nobody can set. `checked` sums up what was chosen, `sealed`
-- how it stands.
CREATE TABLE queries (
    study   INTEGER NOT NULL REFERENCES studies ON DELETE CASCADE,
    query   TEXT NOT NULL,
    place   INTEGER NOT NULL,
    data    TEXT NOT NULL,
    state   TEXT NOT NULL DEFAULT 'open',
    answer  TEXT NOT NULL DEFAULT '',
    token   TEXT NOT NULL DEFAULT '',
    leases  INTEGER NOT NULL DEFAULT 0,
    until   REAL,
    span    REAL,
    boot    TEXT NOT NULL DEFAULT '',
    checked INTEGER NOT NULL,
    sealed  INTEGER NOT NULL,
    PRIMARY KEY (study, query)
) STRICT, WITHOUT ROWID;

CREATE INDEX open_queries ON queries (study, place) WHERE state = 'open';

-- What the log of a study adds up to at a place, so that opening it need not read all of it.
CREATE TABLE states (
    study   INTEGER PRIMARY KEY REFERENCES studies ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    state   BLOB NOT NULL,
    checked INTEGER NOT NULL
) STRICT;
