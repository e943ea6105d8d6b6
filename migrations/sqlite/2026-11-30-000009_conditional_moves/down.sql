ALTER TABLE player_events RENAME TO player_events_after;
CREATE TABLE player_events (
    player_id BLOB NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 1),
    source_id BLOB NOT NULL CHECK (length(source_id) = 16),
    source_number INTEGER NOT NULL CHECK (source_number >= 1),
    source TEXT NOT NULL CHECK (source IN ('game', 'challenge')),
    happened_at INTEGER NOT NULL,
    CONSTRAINT player_events_key PRIMARY KEY (player_id, number)
) STRICT, WITHOUT ROWID;
INSERT INTO player_events SELECT * FROM player_events_after WHERE source <> 'conditional';
DROP TABLE player_events_after;
ALTER TABLE games DROP COLUMN lines_version;
DROP TABLE conditional_moves;
