DROP TABLE events;
DROP TABLE offers;
DROP TABLE moves;
DROP TABLE setups;
DROP TABLE games;
