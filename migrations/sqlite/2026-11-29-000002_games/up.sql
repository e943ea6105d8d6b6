-- The terms and the standing of a game. The standing is a copy of what the log below says, kept for
-- lists and as the guard of an append; the log is the truth.
CREATE TABLE games (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
    red_player BLOB NOT NULL REFERENCES players (id),
    blue_player BLOB NOT NULL REFERENCES players (id),
    -- Terms.
    ruleset TEXT NOT NULL
        CHECK (ruleset IN ('original', 'duel', 'classic', 'original_forfeit', 'barrage')),
    aggressor_advantage INTEGER NOT NULL CHECK (aggressor_advantage IN (0, 1)),
    silent_defense INTEGER NOT NULL CHECK (silent_defense IN (0, 1)),
    rescue INTEGER NOT NULL CHECK (rescue IN (0, 1)),
    more_squares INTEGER NOT NULL CHECK (more_squares IN (0, 1)),
    two_squares TEXT NOT NULL CHECK (two_squares IN ('illegal', 'forfeit_turn')),
    two_squares_limit INTEGER NOT NULL CHECK (two_squares_limit BETWEEN 2 AND 5),
    no_progress_plies INTEGER CHECK (no_progress_plies BETWEEN 50 AND 1000),
    time_kind TEXT NOT NULL,
    time_initial INTEGER CHECK (time_initial > 0),
    time_increment INTEGER CHECK (time_increment >= 0),
    time_max INTEGER CHECK (time_max > 0),
    rated INTEGER NOT NULL CHECK (rated IN (0, 1)),
    private INTEGER NOT NULL CHECK (private IN (0, 1)),
    vacation INTEGER NOT NULL CHECK (vacation IN (0, 1)),
    weekends INTEGER NOT NULL CHECK (weekends IN (0, 1)),
    -- Standing.
    status TEXT NOT NULL CHECK (status IN ('setup', 'active', 'finished', 'aborted')),
    ply INTEGER NOT NULL CHECK (ply >= 0),
    -- How many entries the log has.
    version INTEGER NOT NULL CHECK (version >= 0),
    turn TEXT CHECK (turn IN ('red', 'blue')),
    deadline INTEGER,
    winner TEXT CHECK (winner IN ('red', 'blue')),
    reason TEXT CHECK (reason IN (
        'flag_captured', 'no_mobile_pieces', 'no_legal_move', 'resignation', 'timeout',
        'setup_timeout', 'draw_agreed', 'both_immobile', 'no_progress', 'aborted', 'other'
    )),
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER,
    updated_at INTEGER NOT NULL,
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
) STRICT, WITHOUT ROWID;

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
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    color TEXT NOT NULL CHECK (color IN ('red', 'blue')),
    seq INTEGER NOT NULL,
    setup TEXT NOT NULL CHECK (length(setup) = 40),
    placed_at INTEGER NOT NULL,
    PRIMARY KEY (game_id, color)
) STRICT, WITHOUT ROWID;

CREATE TABLE moves (
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    -- How many moves went before: the key is the last guard against two moves at one ply.
    ply INTEGER NOT NULL CHECK (ply >= 0),
    seq INTEGER NOT NULL,
    from_square INTEGER NOT NULL CHECK (from_square BETWEEN 0 AND 99),
    to_square INTEGER NOT NULL CHECK (to_square BETWEEN 0 AND 99),
    rescue_rank TEXT
        CHECK (rescue_rank IN ('F', 'B', 'S', '2', '3', '4', '5', '6', '7', '8', '9', 'M')),
    rescue_square INTEGER CHECK (rescue_square BETWEEN 0 AND 99),
    played_at INTEGER NOT NULL,
    PRIMARY KEY (game_id, ply),
    CONSTRAINT moves_rescue CHECK ((rescue_rank IS NULL) = (rescue_square IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE offers (
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    id BLOB NOT NULL CHECK (length(id) = 16),
    kind TEXT NOT NULL CHECK (kind IN ('draw')),
    color TEXT NOT NULL CHECK (color IN ('red', 'blue')),
    made_seq INTEGER NOT NULL,
    made_at INTEGER NOT NULL,
    closing TEXT CHECK (closing IN ('accepted', 'declined', 'lapsed', 'game_over')),
    closed_seq INTEGER,
    closed_at INTEGER,
    PRIMARY KEY (game_id, id),
    CONSTRAINT offers_closed CHECK (
        (closing IS NULL) = (closed_at IS NULL) AND (closing IS NULL) = (closed_seq IS NULL)
    )
) STRICT, WITHOUT ROWID;
-- At most one offer of a kind is open.
CREATE UNIQUE INDEX offers_open ON offers (game_id, kind) WHERE closing IS NULL;

-- What is announced of a game: the outbox. It refers to the log and repeats neither a rank nor an
-- arrangement, so that nothing can leak from it.
CREATE TABLE events (
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    kind TEXT NOT NULL
        CHECK (kind IN ('setup_placed', 'started', 'move', 'offer', 'offer_closed', 'finished')),
    ply INTEGER,
    color TEXT CHECK (color IN ('red', 'blue')),
    offer_id BLOB CHECK (length(offer_id) = 16),
    happened_at INTEGER NOT NULL,
    PRIMARY KEY (game_id, seq)
) STRICT, WITHOUT ROWID;
