-- What a side is committed to by the army it placed: the root of a salted tree over it, and the salts
-- that open the tree when the game is over. Armies that were placed before have neither.
ALTER TABLE setups ADD COLUMN root BYTEA CHECK (octet_length(root) = 32);
ALTER TABLE setups ADD COLUMN salts BYTEA CHECK (octet_length(salts) = 1280);
ALTER TABLE setups ADD CONSTRAINT setups_commitment CHECK ((salts IS NULL) = (root IS NULL));
