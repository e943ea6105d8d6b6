ALTER TABLE setups DROP CONSTRAINT setups_commitment;
ALTER TABLE setups DROP COLUMN salts;
ALTER TABLE setups DROP COLUMN root;
