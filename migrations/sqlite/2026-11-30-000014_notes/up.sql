-- What somebody notes on a game, for himself alone.
CREATE TABLE notes (
    player_id BLOB NOT NULL REFERENCES players (id),
    game_id BLOB NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    text TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 10000),
    updated_at INTEGER NOT NULL,
    CONSTRAINT notes_key PRIMARY KEY (player_id, game_id)
) STRICT, WITHOUT ROWID;

-- Which game a challenge is to play again; its two players alone see such a challenge.
ALTER TABLE challenges ADD COLUMN rematch_of BLOB REFERENCES games (id)
    CHECK (rematch_of IS NULL OR opponent_id IS NOT NULL);
-- A game is played again once: of all its rematches one stands, or was accepted.
CREATE UNIQUE INDEX challenges_rematch ON challenges (rematch_of)
    WHERE rematch_of IS NOT NULL AND (closing IS NULL OR closing = 'accepted');
