-- Clocks that stand still, time that is given back, and what is told of both.

-- When the side to move is to be told that its time is nearly up; NULL once it was.
ALTER TABLE games ADD COLUMN near_at INTEGER;
-- Why the clock stands still; a weekend is not noted.
ALTER TABLE games ADD COLUMN pause_kind TEXT CHECK (pause_kind IN ('mutual', 'vacation'));
ALTER TABLE games ADD COLUMN pause_by TEXT CHECK (pause_by IN ('red', 'blue'));
ALTER TABLE games ADD COLUMN pause_since INTEGER;
ALTER TABLE games ADD COLUMN pause_until INTEGER;
-- Games that were made before have one from their next move on.
CREATE INDEX games_by_near ON games (near_at) WHERE near_at IS NOT NULL;

-- Entries of the log that are about the clocks alone.
CREATE TABLE clock_entries (
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    kind TEXT NOT NULL
        CHECK (kind IN ('paused', 'resumed', 'left', 'returned', 'credited', 'warned')),
    -- Whose doing, or whose vacation.
    color TEXT CHECK (color IN ('red', 'blue')),
    -- When a vacation ends by itself.
    until_at INTEGER,
    -- What was given back.
    span INTEGER CHECK (span > 0),
    happened_at INTEGER NOT NULL,
    CONSTRAINT clock_entries_key PRIMARY KEY (game_id, seq),
    CONSTRAINT clock_entries_shape CHECK (CASE kind
        WHEN 'left' THEN color IS NOT NULL AND until_at IS NOT NULL AND span IS NULL
        WHEN 'credited' THEN color IS NULL AND until_at IS NULL AND span IS NOT NULL
        WHEN 'warned' THEN color IS NULL AND until_at IS NULL AND span IS NULL
        ELSE color IS NOT NULL AND until_at IS NULL AND span IS NULL
    END)
) STRICT, WITHOUT ROWID;

-- A pause can be offered too.
ALTER TABLE offers RENAME TO offers_of_draws;
DROP INDEX offers_open;
CREATE TABLE offers (
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    id BLOB NOT NULL CHECK (length(id) = 16),
    kind TEXT NOT NULL CHECK (kind IN ('draw', 'pause')),
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
INSERT INTO offers SELECT * FROM offers_of_draws;
DROP TABLE offers_of_draws;
CREATE UNIQUE INDEX offers_open ON offers (game_id, kind) WHERE closing IS NULL;

ALTER TABLE events RENAME TO events_without_clocks;
-- What is announced of a game beside its moves. It refers to the log and repeats neither a rank nor an
-- arrangement, so that nothing can leak from it.
CREATE TABLE events (
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    -- 1, 2, 3, … as its players see it, moves counted.
    number INTEGER NOT NULL CHECK (number >= 1),
    -- 1, 2, 3, … as all others see it; NULL for what is the players' alone.
    public_number INTEGER CHECK (public_number BETWEEN 1 AND number),
    kind TEXT NOT NULL CHECK (kind IN (
        'setup_placed', 'started', 'offer', 'offer_closed', 'finished',
        'paused', 'resumed', 'left', 'returned', 'near'
    )),
    color TEXT CHECK (color IN ('red', 'blue')),
    offer_id BLOB CHECK (length(offer_id) = 16),
    happened_at INTEGER NOT NULL,
    -- When a vacation ends by itself, or when time is up.
    until_at INTEGER,
    CONSTRAINT events_key PRIMARY KEY (game_id, number)
) STRICT, WITHOUT ROWID;
INSERT INTO events
SELECT game_id, number, public_number, kind, color, offer_id, happened_at, NULL
FROM events_without_clocks;
DROP TABLE events_without_clocks;

-- What players have of vacation. One who has no row has never taken any.
CREATE TABLE vacations (
    player_id BLOB NOT NULL REFERENCES players (id),
    -- What was left at an instant, in microseconds; it grows from there.
    held INTEGER NOT NULL CHECK (held >= 0),
    held_at INTEGER NOT NULL,
    -- The vacation that is planned, or runs.
    from_at INTEGER,
    until_at INTEGER,
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    -- When there is something to do: to begin it, to end it, or to tell the player's games of it.
    due_at INTEGER,
    CONSTRAINT vacations_key PRIMARY KEY (player_id),
    CONSTRAINT vacations_span CHECK (
        (from_at IS NULL) = (until_at IS NULL) AND (active = 0 OR from_at IS NOT NULL)
    )
) STRICT, WITHOUT ROWID;
CREATE INDEX vacations_by_due ON vacations (due_at) WHERE due_at IS NOT NULL;

-- When a node last said that it runs, and when last no node did for long; a single row.
CREATE TABLE heartbeat (
    id INTEGER NOT NULL CHECK (id = 1),
    beat_at INTEGER NOT NULL,
    outage_from INTEGER,
    outage_until INTEGER,
    CONSTRAINT heartbeat_key PRIMARY KEY (id),
    CONSTRAINT heartbeat_outage CHECK ((outage_from IS NULL) = (outage_until IS NULL))
) STRICT, WITHOUT ROWID;
