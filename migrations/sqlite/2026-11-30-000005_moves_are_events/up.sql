-- A move is announced by its entry in the log alone: the numbers that the other events of its game
-- leave are those of its moves. Made before the first release.
ALTER TABLE events RENAME TO events_with_moves;
-- What is announced of a game beside its moves. It refers to the log and repeats neither a rank nor an
-- arrangement, so that nothing can leak from it.
CREATE TABLE events (
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    -- 1, 2, 3, … as its players see it, moves counted.
    number INTEGER NOT NULL CHECK (number >= 1),
    -- 1, 2, 3, … as all others see it; NULL for what is the players' alone.
    public_number INTEGER CHECK (public_number BETWEEN 1 AND number),
    kind TEXT NOT NULL
        CHECK (kind IN ('setup_placed', 'started', 'offer', 'offer_closed', 'finished')),
    color TEXT CHECK (color IN ('red', 'blue')),
    offer_id BLOB CHECK (length(offer_id) = 16),
    happened_at INTEGER NOT NULL,
    CONSTRAINT events_key PRIMARY KEY (game_id, number)
) STRICT, WITHOUT ROWID;
INSERT INTO events
SELECT game_id, number, public_number, kind, color, offer_id, happened_at
FROM events_with_moves WHERE kind <> 'move';
DROP TABLE events_with_moves;
