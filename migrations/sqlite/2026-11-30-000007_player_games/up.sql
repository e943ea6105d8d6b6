-- What is announced of a game stands with the game; a player's stream numbers it when it is looked at.
-- So a move writes nothing for its players, and what nobody looks at takes no room. Made before the
-- first release.

-- The games of which a player's stream may still have to tell: from their start until their end was
-- told, or their events were taken away.
CREATE TABLE player_games (
    player_id BLOB NOT NULL,
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    -- How many of its events the stream has told.
    told INTEGER NOT NULL CHECK (told >= 0),
    CONSTRAINT player_games_key PRIMARY KEY (player_id, game_id)
) STRICT, WITHOUT ROWID;
INSERT INTO player_games
SELECT player_id, game_id, announced - untold FROM (
    SELECT
        player_id, games.id AS game_id, announced, finished_at,
        (SELECT COUNT(*) FROM player_outbox
         WHERE player_outbox.player_id = sides.player_id AND source_id = games.id) AS untold
    FROM games INNER JOIN (
        SELECT id AS side_of, red_player AS player_id FROM games
        UNION ALL SELECT id, blue_player FROM games
    ) AS sides ON sides.side_of = games.id
    WHERE events_swept = 0
) AS counted
WHERE finished_at IS NULL OR untold > 0;
-- From here on only challenges use it.
DELETE FROM player_outbox WHERE source = 'game';
