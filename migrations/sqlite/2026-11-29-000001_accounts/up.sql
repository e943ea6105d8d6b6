-- A player is never deleted: an erased one keeps the row under another name, so that games keep
-- their players and no identifier is ever given twice.
CREATE TABLE players (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    username TEXT NOT NULL,
    -- The name as it is compared: the caller normalises and folds it, the same way on every database.
    username_key TEXT NOT NULL,
    -- NULL once the account is erased: no password opens it.
    password_hash TEXT,
    email TEXT,
    preferences TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    erased_at INTEGER,
    CONSTRAINT players_username_key UNIQUE (username_key),
    CONSTRAINT players_erased CHECK (erased_at IS NULL OR (password_hash IS NULL AND email IS NULL))
) STRICT, WITHOUT ROWID;

-- A family is one login and all the refresh tokens that followed from it; only the digest of the
-- token that holds, and of the one before it, is kept.
CREATE TABLE refresh_families (
    player_id BLOB NOT NULL REFERENCES players (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    current_hash BLOB NOT NULL CHECK (length(current_hash) = 32),
    previous_hash BLOB CHECK (length(previous_hash) = 32),
    created_at INTEGER NOT NULL,
    rotated_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER,
    PRIMARY KEY (player_id, id),
    -- A token names its family alone.
    CONSTRAINT refresh_families_id UNIQUE (id),
    CONSTRAINT refresh_families_current_hash UNIQUE (current_hash)
) STRICT, WITHOUT ROWID;

-- An arrangement that a player keeps for later games. The key lists them by age.
CREATE TABLE saved_setups (
    player_id BLOB NOT NULL REFERENCES players (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    name TEXT NOT NULL,
    ruleset TEXT NOT NULL
        CHECK (ruleset IN ('original', 'duel', 'classic', 'original_forfeit', 'barrage')),
    setup TEXT NOT NULL CHECK (length(setup) = 40),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (player_id, id)
) STRICT, WITHOUT ROWID;
