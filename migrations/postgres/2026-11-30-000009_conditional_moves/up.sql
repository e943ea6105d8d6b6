-- What a player has prepared for what his opponent may do. It is his alone, so that nothing of it may
-- show: a move neither reads nor writes it (how far the lines have come is read from the log), and that
-- lines were stored changes nothing of the game that others' reads are compared with.
CREATE TABLE conditional_moves (
    game_id BYTEA NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    color TEXT NOT NULL CHECK (color IN ('red', 'blue')),
    -- How many moves had been made when they were stored.
    since_ply INTEGER NOT NULL CHECK (since_ply >= 0),
    -- A line of text for each: how deep it is, what the opponent does, what is played.
    lines TEXT NOT NULL CHECK (length(lines) BETWEEN 1 AND 8000),
    CONSTRAINT conditional_moves_key PRIMARY KEY (game_id, color)
);

-- How often either side's lines were stored or deleted: a move is made only if they are still as they
-- were when it was decided.
ALTER TABLE games ADD COLUMN lines_version amount NOT NULL DEFAULT 0;

-- The owner's stream tells that a reply was not allowed when it came up.
ALTER TABLE player_events DROP CONSTRAINT player_events_source_check;
ALTER TABLE player_events ADD CONSTRAINT player_events_source_check
    CHECK (source IN ('game', 'challenge', 'conditional'));
