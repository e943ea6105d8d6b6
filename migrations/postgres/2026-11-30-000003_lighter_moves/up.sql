-- A move changed an entry in five indexes of its game. Two are enough: the games of a player are few
-- enough to be sorted, and the length of a game is worth an index once it is over.
DROP INDEX games_of_red;
DROP INDEX games_of_blue;
DROP INDEX games_by_plies;
CREATE INDEX games_of_red ON games (red_player, id);
CREATE INDEX games_of_blue ON games (blue_player, id);
-- Finished games by length; the running ones are found apart and sorted.
CREATE INDEX games_by_plies ON games (ply, id) WHERE finished_at IS NOT NULL;
CREATE INDEX games_running ON games (id) WHERE finished_at IS NULL;
