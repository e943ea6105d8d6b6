DROP TABLE saved_setups;
DROP TABLE refresh_families;
DROP TABLE players;
