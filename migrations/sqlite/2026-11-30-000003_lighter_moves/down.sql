DROP INDEX games_running;
DROP INDEX games_of_red;
DROP INDEX games_of_blue;
DROP INDEX games_by_plies;
CREATE INDEX games_by_plies ON games (ply, id);
CREATE INDEX games_of_red ON games (red_player, updated_at);
CREATE INDEX games_of_blue ON games (blue_player, updated_at);
