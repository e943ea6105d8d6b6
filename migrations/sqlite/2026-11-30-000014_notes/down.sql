DROP INDEX challenges_rematch;
ALTER TABLE challenges DROP COLUMN rematch_of;
DROP TABLE notes;
