-- A player is never deleted: an erased one keeps the row under another name, so that games keep
-- their players and no identifier is ever given twice.
CREATE TABLE players (
    id BYTEA NOT NULL PRIMARY KEY CHECK (octet_length(id) = 16),
    username TEXT NOT NULL,
    -- The name as it is compared: the caller normalises and folds it, the same way on every database.
    -- Compared byte by byte, as SQLite does, whatever the locale of the database.
    username_key TEXT COLLATE "C" NOT NULL,
    -- NULL once the account is erased: no password opens it.
    password_hash TEXT,
    email TEXT,
    preferences TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    erased_at BIGINT,
    CONSTRAINT players_username_key UNIQUE (username_key),
    CONSTRAINT players_erased CHECK (erased_at IS NULL OR (password_hash IS NULL AND email IS NULL))
);

-- A family is one login and all the refresh tokens that followed from it; only the digest of the
-- token that holds, and of the one before it, is kept.
CREATE TABLE refresh_families (
    player_id BYTEA NOT NULL REFERENCES players (id),
    id BYTEA NOT NULL CHECK (octet_length(id) = 16),
    current_hash BYTEA NOT NULL CHECK (octet_length(current_hash) = 32),
    previous_hash BYTEA CHECK (octet_length(previous_hash) = 32),
    created_at BIGINT NOT NULL,
    rotated_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended_at BIGINT,
    PRIMARY KEY (player_id, id),
    -- A token names its family alone.
    CONSTRAINT refresh_families_id UNIQUE (id),
    CONSTRAINT refresh_families_current_hash UNIQUE (current_hash)
);

-- An arrangement that a player keeps for later games. The key lists them by age.
CREATE TABLE saved_setups (
    player_id BYTEA NOT NULL REFERENCES players (id),
    id BYTEA NOT NULL CHECK (octet_length(id) = 16),
    name TEXT NOT NULL,
    ruleset TEXT NOT NULL
        CHECK (ruleset IN ('original', 'duel', 'classic', 'original_forfeit', 'barrage')),
    setup TEXT NOT NULL CHECK (length(setup) = 40),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (player_id, id)
);
