-- One row a study. `chosen` counts its queries, `entries` the entries of its log. Whoever gives
-- entries their places, or chooses, holds the row (FOR NO KEY UPDATE).
CREATE TABLE studies (
    study   BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,
    spec    TEXT NOT NULL,
    entries BIGINT NOT NULL DEFAULT 0,
    chosen  BIGINT NOT NULL DEFAULT 0,
    checked BIGINT NOT NULL
);

-- Events that are durable and wait for their places in the log, so that those who tell need not
-- wait for one another.
CREATE TABLE inbox (
    arrival BIGINT GENERATED ALWAYS AS IDENTITY,
    study   BIGINT NOT NULL REFERENCES studies ON DELETE CASCADE,
    kind    TEXT NOT NULL,
    query   TEXT NOT NULL,
    data    TEXT NOT NULL,
    at      DOUBLE PRECISION NOT NULL,
    checked BIGINT NOT NULL,
    PRIMARY KEY (study, arrival)
);

-- The log: rows are added and never changed.
CREATE TABLE log (
    study   BIGINT NOT NULL REFERENCES studies ON DELETE CASCADE,
    seq     BIGINT NOT NULL,
    kind    TEXT NOT NULL,
    query   TEXT NOT NULL,
    data    TEXT NOT NULL,
    at      DOUBLE PRECISION NOT NULL,
    checked BIGINT NOT NULL,
    PRIMARY KEY (study, seq)
);

-- The queries that were chosen, and who holds them, by the clock of the database. `checked` sums up
-- what was chosen, `sealed` how it stands.
CREATE TABLE queries (
    study   BIGINT NOT NULL REFERENCES studies ON DELETE CASCADE,
    query   TEXT NOT NULL,
    place   BIGINT NOT NULL,
    data    TEXT NOT NULL,
    state   TEXT NOT NULL DEFAULT 'open',
    answer  TEXT NOT NULL DEFAULT '',
    token   TEXT NOT NULL DEFAULT '',
    leases  INTEGER NOT NULL DEFAULT 0,
    until   TIMESTAMPTZ,
    checked BIGINT NOT NULL,
    sealed  BIGINT NOT NULL,
    PRIMARY KEY (study, query)
);

CREATE INDEX open_queries ON queries (study, place) WHERE state = 'open';

-- What the log of a study adds up to at a place, so that opening it need not read all of it.
CREATE TABLE states (
    study   BIGINT PRIMARY KEY REFERENCES studies ON DELETE CASCADE,
    seq     BIGINT NOT NULL,
    state   BYTEA NOT NULL,
    checked BIGINT NOT NULL
);
