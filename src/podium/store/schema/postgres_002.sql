-- Which request was given a query, by the name that it had, and how many queries it wanted: the same
-- request again, whose answer was lost on its way, is given the same queries.
ALTER TABLE queries ADD COLUMN key TEXT NOT NULL DEFAULT '';
ALTER TABLE queries ADD COLUMN wanted INTEGER NOT NULL DEFAULT 0;

CREATE INDEX keyed_queries ON queries (study, key) WHERE key != '';
