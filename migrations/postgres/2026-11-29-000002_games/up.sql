-- The terms and the standing of a game. The standing is a copy of what the log below says, kept for
-- lists and as the guard of an append; the log is the truth.
CREATE TABLE games (
    id BYTEA NOT NULL PRIMARY KEY CHECK (octet_length(id) = 16),
    red_player BYTEA NOT NULL REFERENCES players (id),
    blue_player BYTEA NOT NULL REFERENCES players (id),
    -- Terms.
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
    -- Standing.
    status TEXT NOT NULL CHECK (status IN ('setup', 'active', 'finished', 'aborted')),
    ply INTEGER NOT NULL CHECK (ply >= 0),
    -- How many entries the log has.
    version BIGINT NOT NULL CHECK (version >= 0),
    turn TEXT CHECK (turn IN ('red', 'blue')),
    deadline BIGINT,
    winner TEXT CHECK (winner IN ('red', 'blue')),
    reason TEXT CHECK (reason IN (
        'flag_captured', 'no_mobile_pieces', 'no_legal_move', 'resignation', 'timeout',
        'setup_timeout', 'draw_agreed', 'both_immobile', 'no_progress', 'aborted', 'other'
    )),
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    finished_at BIGINT,
    updated_at BIGINT NOT NULL,
    CONSTRAINT games_players CHECK (red_player <> blue_player),
    CONSTRAINT games_time CHECK (CASE time_kind
        WHEN 'per_move' THEN
            time_initial IS NOT NULL AND time_increment IS NULL AND time_max IS NULL
        WHEN 'fischer' THEN
            time_initial IS NOT NULL AND time_increment IS NOT NULL AND time_max IS NOT NULL
        WHEN 'unlimited' THEN
            time_initial IS NULL AND time_increment IS NULL AND time_max IS NULL
        ELSE FALSE
    END),
    CONSTRAINT games_turn CHECK (turn IS NULL OR status = 'active'),
    CONSTRAINT games_end CHECK (CASE
        WHEN status IN ('finished', 'aborted') THEN reason IS NOT NULL AND finished_at IS NOT NULL
        ELSE reason IS NULL AND finished_at IS NULL AND winner IS NULL
    END),
    CONSTRAINT games_aborted CHECK (status <> 'aborted' OR winner IS NULL)
);

-- One index for each order in which games are listed. A NULL sorts last in all of them and on both
-- databases, which orders of their own do not agree on: it stands for the greatest (or least) value.
CREATE INDEX games_by_update ON games (updated_at, id);
CREATE INDEX games_by_deadline ON games (COALESCE(deadline, 9223372036854775807), id);
CREATE INDEX games_by_finish ON games (COALESCE(finished_at, 9223372036854775807), id);
CREATE INDEX games_by_finish_descending ON games (COALESCE(finished_at, -9223372036854775807), id);
CREATE INDEX games_by_plies ON games (ply, id);
-- A player's games, newest activity first; few enough to be sorted otherwise.
CREATE INDEX games_of_red ON games (red_player, updated_at);
CREATE INDEX games_of_blue ON games (blue_player, updated_at);

-- The log. `seq` is the place of an entry among all entries of its game, whatever the table.

-- The last arrangement that a side placed.
CREATE TABLE setups (
    game_id BYTEA NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    color TEXT NOT NULL CHECK (color IN ('red', 'blue')),
    seq BIGINT NOT NULL,
    setup TEXT NOT NULL CHECK (length(setup) = 40),
    placed_at BIGINT NOT NULL,
    PRIMARY KEY (game_id, color)
);

CREATE TABLE moves (
    game_id BYTEA NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    -- How many moves went before: the key is the last guard against two moves at one ply.
    ply INTEGER NOT NULL CHECK (ply >= 0),
    seq BIGINT NOT NULL,
    from_square SMALLINT NOT NULL CHECK (from_square BETWEEN 0 AND 99),
    to_square SMALLINT NOT NULL CHECK (to_square BETWEEN 0 AND 99),
    rescue_rank TEXT
        CHECK (rescue_rank IN ('F', 'B', 'S', '2', '3', '4', '5', '6', '7', '8', '9', 'M')),
    rescue_square SMALLINT CHECK (rescue_square BETWEEN 0 AND 99),
    played_at BIGINT NOT NULL,
    PRIMARY KEY (game_id, ply),
    CONSTRAINT moves_rescue CHECK ((rescue_rank IS NULL) = (rescue_square IS NULL))
);

CREATE TABLE offers (
    game_id BYTEA NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    id BYTEA NOT NULL CHECK (octet_length(id) = 16),
    kind TEXT NOT NULL CHECK (kind IN ('draw')),
    color TEXT NOT NULL CHECK (color IN ('red', 'blue')),
    made_seq BIGINT NOT NULL,
    made_at BIGINT NOT NULL,
    closing TEXT CHECK (closing IN ('accepted', 'declined', 'lapsed', 'game_over')),
    closed_seq BIGINT,
    closed_at BIGINT,
    PRIMARY KEY (game_id, id),
    CONSTRAINT offers_closed CHECK (
        (closing IS NULL) = (closed_at IS NULL) AND (closing IS NULL) = (closed_seq IS NULL)
    )
);
-- At most one offer of a kind is open.
CREATE UNIQUE INDEX offers_open ON offers (game_id, kind) WHERE closing IS NULL;

-- What is announced of a game: the outbox. It refers to the log and repeats neither a rank nor an
-- arrangement, so that nothing can leak from it.
CREATE TABLE events (
    game_id BYTEA NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL CHECK (seq >= 0),
    kind TEXT NOT NULL
        CHECK (kind IN ('setup_placed', 'started', 'move', 'offer', 'offer_closed', 'finished')),
    ply INTEGER,
    color TEXT CHECK (color IN ('red', 'blue')),
    offer_id BYTEA CHECK (octet_length(offer_id) = 16),
    happened_at BIGINT NOT NULL,
    PRIMARY KEY (game_id, seq)
);
