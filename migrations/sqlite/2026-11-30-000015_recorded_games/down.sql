DROP TABLE pseudonym_key;
DELETE FROM games WHERE source <> 'play';
DROP TABLE recorded_games;
DELETE FROM players WHERE source IS NOT NULL;
DROP INDEX players_of_accounts;
ALTER TABLE players DROP COLUMN source;
ALTER TABLE games DROP COLUMN raw_ending;
DROP INDEX games_by_source;
ALTER TABLE games DROP COLUMN source;
