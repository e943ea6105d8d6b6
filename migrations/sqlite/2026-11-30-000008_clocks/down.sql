DROP TABLE heartbeat;
DROP TABLE vacations;

ALTER TABLE events RENAME TO events_with_clocks;
CREATE TABLE events (
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    number INTEGER NOT NULL CHECK (number >= 1),
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
FROM events_with_clocks
WHERE kind IN ('setup_placed', 'started', 'offer', 'offer_closed', 'finished');
DROP TABLE events_with_clocks;

ALTER TABLE offers RENAME TO offers_of_all_kinds;
DROP INDEX offers_open;
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
INSERT INTO offers SELECT * FROM offers_of_all_kinds WHERE kind = 'draw';
DROP TABLE offers_of_all_kinds;
CREATE UNIQUE INDEX offers_open ON offers (game_id, kind) WHERE closing IS NULL;

DROP TABLE clock_entries;
DROP INDEX games_by_near;
ALTER TABLE games DROP COLUMN pause_until;
ALTER TABLE games DROP COLUMN pause_since;
ALTER TABLE games DROP COLUMN pause_by;
ALTER TABLE games DROP COLUMN pause_kind;
ALTER TABLE games DROP COLUMN near_at;
