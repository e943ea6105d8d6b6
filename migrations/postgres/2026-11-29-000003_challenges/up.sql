CREATE TABLE challenges (
    id BYTEA NOT NULL PRIMARY KEY CHECK (octet_length(id) = 16),
    creator_id BYTEA NOT NULL REFERENCES players (id),
    -- NULL: open to all.
    opponent_id BYTEA REFERENCES players (id),
    -- The creator's side; NULL: drawn when the challenge is accepted.
    color TEXT CHECK (color IN ('red', 'blue')),
    -- Terms, as in games.
    ruleset TEXT NOT NULL
        CHECK (ruleset IN ('original', 'duel', 'classic', 'original_forfeit', 'barrage')),
    aggressor_advantage BOOLEAN NOT NULL,
    silent_defense BOOLEAN NOT NULL,
    rescue BOOLEAN NOT NULL,
    more_squares BOOLEAN NOT NULL,
    two_squares TEXT NOT NULL CHECK (two_squares IN ('illegal', 'forfeit_turn')),
    two_squares_limit SMALLINT NOT NULL CHECK (two_squares_limit BETWEEN 2 AND 5),
    no_progress_plies INTEGER CHECK (no_progress_plies BETWEEN 50 AND 1000),
    time_kind TEXT NOT NULL,
    time_initial BIGINT CHECK (time_initial > 0),
    time_increment BIGINT CHECK (time_increment >= 0),
    time_max BIGINT CHECK (time_max > 0),
    rated BOOLEAN NOT NULL,
    private BOOLEAN NOT NULL,
    vacation BOOLEAN NOT NULL,
    weekends BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    closing TEXT CHECK (closing IN ('accepted', 'declined', 'withdrawn', 'expired')),
    closed_at BIGINT,
    -- The opponent's word to the creator.
    decline_reason TEXT CHECK (length(decline_reason) <= 200),
    -- Checked at commit: the challenge is closed first, and the game of it made after.
    game_id BYTEA REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT challenges_opponent CHECK (opponent_id IS NULL OR opponent_id <> creator_id),
    CONSTRAINT challenges_time CHECK (CASE time_kind
        WHEN 'per_move' THEN
            time_initial IS NOT NULL AND time_increment IS NULL AND time_max IS NULL
        WHEN 'fischer' THEN
            time_initial IS NOT NULL AND time_increment IS NOT NULL AND time_max IS NOT NULL
        WHEN 'unlimited' THEN
            time_initial IS NULL AND time_increment IS NULL AND time_max IS NULL
        ELSE FALSE
    END),
    CONSTRAINT challenges_closed CHECK ((closing IS NULL) = (closed_at IS NULL)),
    CONSTRAINT challenges_game CHECK ((game_id IS NOT NULL) = COALESCE(closing = 'accepted', FALSE))
);

-- What is listed is still open, and that is a small part of all that ever was. One index for each
-- list, newest first: those open to all, those made by a player, those sent to a player.
CREATE INDEX challenges_open ON challenges (created_at, id)
    WHERE closed_at IS NULL AND opponent_id IS NULL;
CREATE INDEX challenges_outgoing ON challenges (creator_id, created_at, id) WHERE closed_at IS NULL;
CREATE INDEX challenges_incoming ON challenges (opponent_id, created_at, id)
    WHERE closed_at IS NULL;
-- For closing what has expired.
CREATE INDEX challenges_by_expiry ON challenges (expires_at) WHERE closed_at IS NULL;
