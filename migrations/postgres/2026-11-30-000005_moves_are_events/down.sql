ALTER TABLE events RENAME TO events_without_moves;
ALTER TABLE events_without_moves RENAME CONSTRAINT events_key TO events_without_moves_key;
CREATE TABLE events (
    game_id BYTEA NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    -- 1, 2, 3, … as its players see it.
    number BIGINT NOT NULL CHECK (number >= 1),
    -- 1, 2, 3, … as all others see it; NULL for what is the players' alone.
    public_number BIGINT CHECK (public_number BETWEEN 1 AND number),
    kind TEXT NOT NULL
        CHECK (kind IN ('setup_placed', 'started', 'move', 'offer', 'offer_closed', 'finished')),
    ply INTEGER,
    color TEXT CHECK (color IN ('red', 'blue')),
    offer_id BYTEA CHECK (octet_length(offer_id) = 16),
    happened_at BIGINT NOT NULL,
    CONSTRAINT events_key PRIMARY KEY (game_id, number)
);
INSERT INTO events
SELECT game_id, number, public_number, kind, NULL, color, offer_id, happened_at
FROM events_without_moves;
-- An army that replaces another is in the log and not announced; both armies and the start come
-- before the first move.
INSERT INTO events
SELECT
    moves.game_id, moves.seq + 1 - (games.version - games.announced), moves.ply + 4,
    'move', moves.ply, NULL, NULL, moves.played_at
FROM moves INNER JOIN games ON games.id = moves.game_id
WHERE NOT games.events_swept;
DROP TABLE events_without_moves;
