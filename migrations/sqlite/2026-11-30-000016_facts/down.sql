DROP INDEX games_not_finished;
DROP TABLE rollups;
DROP TABLE facts_to_fold;
DROP TABLE game_courses;
DROP TABLE game_facts;
