-- Imports of recorded games that players asked for over HTTP, and what came of them.
CREATE TABLE imports (
    player_id BYTEA NOT NULL REFERENCES players (id),
    id BYTEA NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
    imported BIGINT NOT NULL CHECK (imported >= 0),
    duplicates BIGINT NOT NULL CHECK (duplicates >= 0),
    rejected BIGINT NOT NULL CHECK (rejected >= 0),
    -- The games that were not taken, as JSON; of many the first.
    report TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    finished_at BIGINT CHECK ((finished_at IS NULL) = (status = 'running')),
    -- When it was last said that somebody works on it.
    seen_at BIGINT NOT NULL,
    CONSTRAINT imports_key PRIMARY KEY (player_id, id)
);

-- What is old goes, and what nobody works on any more is found.
CREATE INDEX imports_by_age ON imports (created_at);
CREATE INDEX imports_running ON imports (seen_at) WHERE status = 'running';
