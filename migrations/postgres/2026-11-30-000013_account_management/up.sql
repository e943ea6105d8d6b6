-- Who administers the server, and who may do nothing on it for now.
ALTER TABLE players ADD COLUMN is_admin BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE players ADD COLUMN suspended_at BIGINT;

-- What the player logged in with, as it calls itself.
ALTER TABLE refresh_families ADD COLUMN user_agent TEXT CHECK (length(user_agent) BETWEEN 1 AND 200);

-- The login or personal token that asked for a ticket; NULL for one from before this was noted.
ALTER TABLE event_tickets ADD COLUMN credential_id BYTEA CHECK (octet_length(credential_id) = 16);

-- What stands for a player without a password: for bots and scripts.
CREATE TABLE personal_tokens (
    player_id BYTEA NOT NULL REFERENCES players (id),
    id BYTEA NOT NULL CHECK (octet_length(id) = 16),
    -- The digest of the token.
    hash BYTEA NOT NULL CHECK (octet_length(hash) = 32),
    name TEXT NOT NULL CHECK (length(name) <= 100),
    -- Words between spaces.
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- NULL: it does not run out.
    expires_at BIGINT,
    -- To within an hour.
    last_used_at BIGINT,
    ended_at BIGINT,
    CONSTRAINT personal_tokens_key PRIMARY KEY (player_id, id),
    CONSTRAINT personal_tokens_hash UNIQUE (hash)
);
-- For hearing which have ended of late, and for taking away those that are over.
CREATE INDEX personal_tokens_by_end ON personal_tokens (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX personal_tokens_by_expiry ON personal_tokens (expires_at) WHERE expires_at IS NOT NULL;

-- Whom a player wants neither challenges nor offers from.
CREATE TABLE player_blocks (
    player_id BYTEA NOT NULL REFERENCES players (id),
    blocked_id BYTEA NOT NULL REFERENCES players (id),
    created_at BIGINT NOT NULL,
    CONSTRAINT player_blocks_key PRIMARY KEY (player_id, blocked_id),
    CONSTRAINT player_blocks_others CHECK (player_id <> blocked_id)
);
-- The blocks against a player who leaves.
CREATE INDEX player_blocks_against ON player_blocks (blocked_id);

-- The words of a player who leaves.
CREATE INDEX challenges_declined_with_a_word ON challenges (opponent_id)
    WHERE decline_reason IS NOT NULL;

-- What those who administer the server did, written with the deed. Rows are never changed.
CREATE TABLE audit_log (
    -- In order of time.
    id BYTEA NOT NULL CHECK (octet_length(id) = 16),
    -- Who; NULL: the command line of the server's machine.
    actor_id BYTEA REFERENCES players (id),
    action TEXT NOT NULL CHECK (action IN (
        'grant_admin', 'revoke_admin', 'suspend', 'unsuspend', 'reset_password', 'annul_game'
    )),
    -- To whom or to what.
    player_id BYTEA REFERENCES players (id),
    game_id BYTEA REFERENCES games (id),
    reason TEXT CHECK (length(reason) <= 500),
    happened_at BIGINT NOT NULL,
    CONSTRAINT audit_log_key PRIMARY KEY (id),
    CONSTRAINT audit_log_subject CHECK ((player_id IS NULL) <> (game_id IS NULL))
);
