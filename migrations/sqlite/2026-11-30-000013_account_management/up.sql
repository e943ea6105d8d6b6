-- Who administers the server, and who may do nothing on it for now.
ALTER TABLE players ADD COLUMN is_admin INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1));
ALTER TABLE players ADD COLUMN suspended_at INTEGER;

-- What the player logged in with, as it calls itself.
ALTER TABLE refresh_families ADD COLUMN user_agent TEXT CHECK (length(user_agent) BETWEEN 1 AND 200);

-- The login or personal token that asked for a ticket; NULL for one from before this was noted.
ALTER TABLE event_tickets ADD COLUMN credential_id BLOB CHECK (length(credential_id) = 16);

-- What stands for a player without a password: for bots and scripts.
CREATE TABLE personal_tokens (
    player_id BLOB NOT NULL REFERENCES players (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    -- The digest of the token.
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    name TEXT NOT NULL CHECK (length(name) <= 100),
    -- Words between spaces.
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    -- NULL: it does not run out.
    expires_at INTEGER,
    -- To within an hour.
    last_used_at INTEGER,
    ended_at INTEGER,
    CONSTRAINT personal_tokens_key PRIMARY KEY (player_id, id),
    CONSTRAINT personal_tokens_hash UNIQUE (hash)
) STRICT, WITHOUT ROWID;
-- For hearing which have ended of late, and for taking away those that are over.
CREATE INDEX personal_tokens_by_end ON personal_tokens (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX personal_tokens_by_expiry ON personal_tokens (expires_at) WHERE expires_at IS NOT NULL;

-- Whom a player wants neither challenges nor offers from.
CREATE TABLE player_blocks (
    player_id BLOB NOT NULL REFERENCES players (id),
    blocked_id BLOB NOT NULL REFERENCES players (id),
    created_at INTEGER NOT NULL,
    CONSTRAINT player_blocks_key PRIMARY KEY (player_id, blocked_id),
    CONSTRAINT player_blocks_others CHECK (player_id <> blocked_id)
) STRICT, WITHOUT ROWID;
-- The blocks against a player who leaves.
CREATE INDEX player_blocks_against ON player_blocks (blocked_id);

-- The words of a player who leaves.
CREATE INDEX challenges_declined_with_a_word ON challenges (opponent_id)
    WHERE decline_reason IS NOT NULL;

-- What those who administer the server did, written with the deed. Rows are never changed.
CREATE TABLE audit_log (
    -- In order of time.
    id BLOB NOT NULL CHECK (length(id) = 16),
    -- Who; NULL: the command line of the server's machine.
    actor_id BLOB REFERENCES players (id),
    action TEXT NOT NULL CHECK (action IN (
        'grant_admin', 'revoke_admin', 'suspend', 'unsuspend', 'reset_password', 'annul_game'
    )),
    -- To whom or to what.
    player_id BLOB REFERENCES players (id),
    game_id BLOB REFERENCES games (id),
    reason TEXT CHECK (length(reason) <= 500),
    happened_at INTEGER NOT NULL,
    CONSTRAINT audit_log_key PRIMARY KEY (id),
    CONSTRAINT audit_log_subject CHECK ((player_id IS NULL) <> (game_id IS NULL))
) STRICT, WITHOUT ROWID;
