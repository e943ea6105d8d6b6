-- Imports of recorded games that players asked for over HTTP, and what came of them.
CREATE TABLE imports (
    player_id BLOB NOT NULL REFERENCES players (id),
    id BLOB NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
    imported INTEGER NOT NULL CHECK (imported >= 0),
    duplicates INTEGER NOT NULL CHECK (duplicates >= 0),
    rejected INTEGER NOT NULL CHECK (rejected >= 0),
    -- The games that were not taken, as JSON; of many the first.
    report TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    finished_at INTEGER CHECK ((finished_at IS NULL) = (status = 'running')),
    -- When it was last said that somebody works on it.
    seen_at INTEGER NOT NULL,
    CONSTRAINT imports_key PRIMARY KEY (player_id, id)
) STRICT;

-- What is old goes, and what nobody works on any more is found.
CREATE INDEX imports_by_age ON imports (created_at);
CREATE INDEX imports_running ON imports (seen_at) WHERE status = 'running';
