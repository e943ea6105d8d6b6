-- What a finished game that is not private adds to statistics: what filters ask for, and counts, a part
-- of the statistics in each column. The rows are short, for a question with filters goes through them all;
-- what is longer, and asked for more rarely, is in a table of its own.
CREATE TABLE game_facts (
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    ruleset TEXT NOT NULL,
    source TEXT NOT NULL,
    winner TEXT,
    reason TEXT NOT NULL,
    rated INTEGER NOT NULL CHECK (rated IN (0, 1)),
    -- Those of the sides when the game was made, in millionths; NULL of a game that does not count.
    red_rating INTEGER,
    blue_rating INTEGER,
    plies INTEGER NOT NULL CHECK (plies >= 0),
    finished_at INTEGER NOT NULL,
    results BLOB NOT NULL,
    lengths BLOB NOT NULL,
    openings BLOB NOT NULL,
    bluffs BLOB NOT NULL,
    battles BLOB NOT NULL,
    survival BLOB NOT NULL,
    -- As their owners saw them at the start, forty characters each, Red's first.
    armies TEXT NOT NULL CHECK (length(armies) = 80),
    CONSTRAINT game_facts_key PRIMARY KEY (game_id)
) STRICT, WITHOUT ROWID;

-- What is told ply by ply. Rows that may be longer than a table WITHOUT ROWID keeps in its tree.
CREATE TABLE game_courses (
    game_id BLOB NOT NULL REFERENCES game_facts (game_id) ON DELETE CASCADE,
    reveals BLOB NOT NULL,
    information BLOB NOT NULL,
    -- In microseconds; NULL where it was not recorded.
    think_times BLOB,
    CONSTRAINT game_courses_key PRIMARY KEY (game_id)
) STRICT;

-- Games whose facts the roll-ups do not have yet: a game that ends writes no row that another writes too.
-- One that has no facts gets them when it is folded in.
CREATE TABLE facts_to_fold (
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    CONSTRAINT facts_to_fold_key PRIMARY KEY (game_id)
) STRICT, WITHOUT ROWID;
INSERT INTO facts_to_fold
SELECT id FROM games WHERE status = 'finished' AND NOT private;

-- The sums of the facts of many games.
CREATE TABLE rollups (
    section TEXT NOT NULL,
    -- Of the end, in UTC, counted from the year 0; 0 for all months together.
    month INTEGER NOT NULL CHECK (month >= 0),
    ruleset TEXT NOT NULL,
    source TEXT NOT NULL,
    -- Ratings by 200 points: that of the lower one rounded down, of the higher one up; -1 of games that do
    -- not count.
    low_band INTEGER NOT NULL CHECK (low_band >= -1),
    high_band INTEGER NOT NULL CHECK (high_band >= -1),
    counts BLOB NOT NULL,
    CONSTRAINT rollups_key PRIMARY KEY (section, month, ruleset, source, low_band, high_band)
) STRICT;

-- The games that statistics leave out are counted by this.
CREATE INDEX games_not_finished ON games (status, ruleset) WHERE status <> 'finished';
