-- What a side is committed to by the army it placed: the root of a salted tree over it, and the salts
-- that open the tree when the game is over. Armies that were placed before have neither.
-- The root comes first: it is read with each game, and the salts lie beyond the page.
ALTER TABLE setups ADD COLUMN root BLOB CHECK (length(root) = 32);
ALTER TABLE setups ADD COLUMN salts BLOB
    CHECK (length(salts) = 1280)
    CHECK ((salts IS NULL) = (root IS NULL));
