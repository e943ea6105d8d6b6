DELETE FROM player_events WHERE source = 'conditional';
ALTER TABLE player_events DROP CONSTRAINT player_events_source_check;
ALTER TABLE player_events ADD CONSTRAINT player_events_source_check
    CHECK (source IN ('game', 'challenge'));
ALTER TABLE games DROP COLUMN lines_version;
DROP TABLE conditional_moves;
