-- A move changed an entry in five indexes of its game, and PostgreSQL wrote one in all of them. Two are
-- enough: the games of a player are few enough to be sorted, and the end and the length of a game are
-- worth an index once it is over.
DROP INDEX games_of_red;
DROP INDEX games_of_blue;
DROP INDEX games_by_plies;
CREATE INDEX games_of_red ON games (red_player, id);
CREATE INDEX games_of_blue ON games (blue_player, id);
DROP INDEX games_by_finish;
DROP INDEX games_by_finish_descending;
-- Finished games by their end and by their length; the running ones are found apart and sorted.
CREATE INDEX games_by_finish ON games (finished_at, id) WHERE finished_at IS NOT NULL;
CREATE INDEX games_by_plies ON games (ply, id) WHERE finished_at IS NOT NULL;
CREATE INDEX games_running ON games (id) WHERE finished_at IS NULL;
