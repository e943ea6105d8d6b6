-- Ratings by Glicko-2, a pool for each rule sheet. Points are whole millionths, volatilities whole
-- billionths: equal on both databases to the last digit, and exact as the key of a list.

-- How a player stands in a pool: what his last row of the history says, and how many games count.
CREATE TABLE ratings (
    player_id BYTEA NOT NULL REFERENCES players (id),
    ruleset TEXT NOT NULL
        CHECK (ruleset IN ('original', 'duel', 'classic', 'original_forfeit', 'barrage')),
    rating BIGINT NOT NULL CHECK (rating > 0),
    deviation BIGINT NOT NULL CHECK (deviation > 0),
    volatility BIGINT NOT NULL CHECK (volatility > 0),
    -- Games that count.
    games BIGINT NOT NULL CHECK (games >= 0),
    -- Rows of the history, annulled ones too.
    changes BIGINT NOT NULL CHECK (changes >= games),
    -- That of the last row, and of the last one that counts.
    changed_at BIGINT,
    rated_at BIGINT,
    CONSTRAINT ratings_key PRIMARY KEY (player_id, ruleset)
);
-- The leaderboard: established ratings alone.
CREATE INDEX ratings_by_rank ON ratings (ruleset, rating DESC, player_id)
    WHERE deviation < 110000000;

-- What each rated game made of a rating. `at` grows from row to row of a player in a pool: it is the end
-- of the game, or the instant after the row before when that game's end was kept first. So the rows of
-- a pool have one order, by (at, game_id), in which all of them can be computed anew.
CREATE TABLE rating_history (
    player_id BYTEA NOT NULL,
    ruleset TEXT NOT NULL,
    -- Counts 1, 2, 3, … in the pool.
    number BIGINT NOT NULL CHECK (number > 0),
    game_id BYTEA NOT NULL REFERENCES games (id),
    -- As the game found it, grown uncertain by idleness.
    rating_before BIGINT NOT NULL CHECK (rating_before > 0),
    deviation_before BIGINT NOT NULL CHECK (deviation_before > 0),
    volatility_before BIGINT NOT NULL CHECK (volatility_before > 0),
    rating BIGINT NOT NULL CHECK (rating > 0),
    deviation BIGINT NOT NULL CHECK (deviation > 0),
    volatility BIGINT NOT NULL CHECK (volatility > 0),
    -- The game counts no more: the row says what the one before says.
    annulled BOOLEAN NOT NULL,
    at BIGINT NOT NULL,
    CONSTRAINT rating_history_key PRIMARY KEY (player_id, ruleset, number),
    CONSTRAINT rating_history_once UNIQUE (game_id, player_id),
    CONSTRAINT rating_history_pool FOREIGN KEY (player_id, ruleset) REFERENCES ratings
);
-- A pool in order, when a game of it is annulled.
CREATE INDEX rating_history_of_pool ON rating_history (ruleset, at, game_id);
-- A player's history in all pools.
CREATE INDEX rating_history_of_player ON rating_history (player_id, at, game_id);

-- What a game shows of ratings. The first four never change: as they were when the game was made. Domains,
-- not checks of the table: see `words_checked_once`.
CREATE DOMAIN annulment AS TEXT CHECK (char_length(VALUE) BETWEEN 1 AND 200);
ALTER TABLE games
    ADD COLUMN red_rating amount,
    ADD COLUMN red_deviation amount,
    ADD COLUMN blue_rating amount,
    ADD COLUMN blue_deviation amount,
    ADD COLUMN red_rating_change BIGINT,
    ADD COLUMN blue_rating_change BIGINT,
    ADD COLUMN annulled_at BIGINT,
    ADD COLUMN annulled_because annulment;
