INSERT INTO player_outbox (player_id, source_id, source_number, source, happened_at)
SELECT player_id, player_games.game_id, number, 'game', happened_at
FROM player_games INNER JOIN (
    SELECT game_id, number, happened_at FROM events
    UNION ALL
    -- An army that replaces another is in the log and not announced.
    SELECT moves.game_id, moves.seq + 1 - (games.version - games.announced), moves.played_at
    FROM moves INNER JOIN games ON games.id = moves.game_id
) AS announced ON announced.game_id = player_games.game_id
WHERE number > told;
DROP TABLE player_games;
