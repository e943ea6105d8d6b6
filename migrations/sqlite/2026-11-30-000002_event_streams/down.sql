DROP TABLE event_tickets;
DROP TABLE player_feeds;
DROP TABLE player_events;
DROP TABLE player_outbox;

ALTER TABLE events RENAME TO events_by_number;
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
-- Their places in the log are not known any more, but their order is.
INSERT INTO events
SELECT game_id, number - 1, kind, ply, color, offer_id, happened_at FROM events_by_number;
DROP TABLE events_by_number;

DROP INDEX games_by_sweep;
ALTER TABLE games DROP COLUMN events_swept;
ALTER TABLE games DROP COLUMN announced_to_all;
ALTER TABLE games DROP COLUMN announced;
