-- Clocks that stand still, time that is given back, and what is told of both.

-- When the side to move is to be told that its time is nearly up; NULL once it was.
ALTER TABLE games ADD COLUMN near_at BIGINT;
-- Why the clock stands still; a weekend is not noted.
CREATE DOMAIN pause_kind AS TEXT CHECK (VALUE IN ('mutual', 'vacation'));
ALTER TABLE games ADD COLUMN pause_kind pause_kind;
ALTER TABLE games ADD COLUMN pause_by side;
ALTER TABLE games ADD COLUMN pause_since BIGINT;
ALTER TABLE games ADD COLUMN pause_until BIGINT;
-- Games that were made before have one from their next move on.
CREATE INDEX games_by_near ON games (near_at) WHERE near_at IS NOT NULL;

-- Entries of the log that are about the clocks alone.
CREATE TABLE clock_entries (
    game_id BYTEA NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL CHECK (seq >= 0),
    kind TEXT NOT NULL
        CHECK (kind IN ('paused', 'resumed', 'left', 'returned', 'credited', 'warned')),
    -- Whose doing, or whose vacation.
    color TEXT CHECK (color IN ('red', 'blue')),
    -- When a vacation ends by itself.
    until_at BIGINT,
    -- What was given back.
    span BIGINT CHECK (span > 0),
    happened_at BIGINT NOT NULL,
    CONSTRAINT clock_entries_key PRIMARY KEY (game_id, seq),
    CONSTRAINT clock_entries_shape CHECK (CASE kind
        WHEN 'left' THEN color IS NOT NULL AND until_at IS NOT NULL AND span IS NULL
        WHEN 'credited' THEN color IS NULL AND until_at IS NULL AND span IS NOT NULL
        WHEN 'warned' THEN color IS NULL AND until_at IS NULL AND span IS NULL
        ELSE color IS NOT NULL AND until_at IS NULL AND span IS NULL
    END)
);

-- A pause can be offered too.
ALTER TABLE offers
    DROP CONSTRAINT offers_kind_check,
    ADD CONSTRAINT offers_kind_check CHECK (kind IN ('draw', 'pause'));

ALTER TABLE events
    DROP CONSTRAINT events_kind_check,
    ADD CONSTRAINT events_kind_check CHECK (kind IN (
        'setup_placed', 'started', 'offer', 'offer_closed', 'finished',
        'paused', 'resumed', 'left', 'returned', 'near'
    )),
    -- When a vacation ends by itself, or when time is up.
    ADD COLUMN until_at BIGINT;

-- What players have of vacation. One who has no row has never taken any.
CREATE TABLE vacations (
    player_id BYTEA NOT NULL REFERENCES players (id),
    -- What was left at an instant, in microseconds; it grows from there.
    held BIGINT NOT NULL CHECK (held >= 0),
    held_at BIGINT NOT NULL,
    -- The vacation that is planned, or runs.
    from_at BIGINT,
    until_at BIGINT,
    active BOOLEAN NOT NULL,
    -- When there is something to do: to begin it, to end it, or to tell the player's games of it.
    due_at BIGINT,
    CONSTRAINT vacations_key PRIMARY KEY (player_id),
    CONSTRAINT vacations_span CHECK (
        (from_at IS NULL) = (until_at IS NULL) AND (NOT active OR from_at IS NOT NULL)
    )
);
CREATE INDEX vacations_by_due ON vacations (due_at) WHERE due_at IS NOT NULL;

-- When a node last said that it runs, and when last no node did for long; a single row.
CREATE TABLE heartbeat (
    id SMALLINT NOT NULL CHECK (id = 1),
    beat_at BIGINT NOT NULL,
    outage_from BIGINT,
    outage_until BIGINT,
    CONSTRAINT heartbeat_key PRIMARY KEY (id),
    CONSTRAINT heartbeat_outage CHECK ((outage_from IS NULL) = (outage_until IS NULL))
);
