-- Where a game comes from: `play` for those that were played here.
CREATE DOMAIN game_source AS TEXT CHECK (length(VALUE) BETWEEN 1 AND 32);
CREATE DOMAIN ending_code AS INTEGER CHECK (VALUE BETWEEN 0 AND 65535);
ALTER TABLE games ADD COLUMN source game_source NOT NULL DEFAULT 'play';
-- The code of its ending in the archive that it comes from.
ALTER TABLE games ADD COLUMN raw_ending ending_code;

-- Lists of one source, past all others.
CREATE INDEX games_by_source ON games (source, finished_at, id) WHERE finished_at IS NOT NULL;

-- Who plays in recorded games is no account: nobody finds him by his name, or logs in as him.
ALTER TABLE players ADD COLUMN source TEXT
    CHECK (source IS NULL OR (password_hash IS NULL AND email IS NULL));

-- The list of accounts, past those who are none.
CREATE INDEX players_of_accounts ON players (username_key) WHERE source IS NULL;

-- A game that was played elsewhere, in place of a log by rows: its armies, moves and times are never
-- added to.
CREATE TABLE recorded_games (
    game_id BYTEA NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    -- Of all that is recorded of it, so that it is there once.
    digest BYTEA NOT NULL CHECK (octet_length(digest) = 32),
    log BYTEA NOT NULL,
    CONSTRAINT recorded_games_key PRIMARY KEY (game_id),
    CONSTRAINT recorded_games_once UNIQUE (digest)
);

-- What names are replaced by: the same for the same name, and nobody can tell which without the key.
CREATE TABLE pseudonym_key (
    id INTEGER NOT NULL CHECK (id = 1),
    secret BYTEA NOT NULL CHECK (octet_length(secret) = 32),
    CONSTRAINT pseudonym_key_key PRIMARY KEY (id)
);
