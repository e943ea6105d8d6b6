ALTER TABLE moves
    ALTER COLUMN ply TYPE INTEGER,
    ALTER COLUMN from_square TYPE SMALLINT,
    ALTER COLUMN to_square TYPE SMALLINT,
    ALTER COLUMN rescue_rank TYPE TEXT,
    ALTER COLUMN rescue_square TYPE SMALLINT,
    ADD CONSTRAINT moves_ply_check CHECK (ply >= 0),
    ADD CONSTRAINT moves_from_square_check CHECK (from_square BETWEEN 0 AND 99),
    ADD CONSTRAINT moves_to_square_check CHECK (to_square BETWEEN 0 AND 99),
    ADD CONSTRAINT moves_rescue_rank_check
        CHECK (rescue_rank IN ('F', 'B', 'S', '2', '3', '4', '5', '6', '7', '8', '9', 'M')),
    ADD CONSTRAINT moves_rescue_square_check CHECK (rescue_square BETWEEN 0 AND 99);

DROP TRIGGER games_terms ON games;
DROP FUNCTION refuse();
ALTER TABLE games
    ALTER COLUMN status TYPE TEXT,
    ALTER COLUMN ply TYPE INTEGER,
    ALTER COLUMN version TYPE BIGINT,
    ALTER COLUMN turn TYPE TEXT,
    ALTER COLUMN winner TYPE TEXT,
    ALTER COLUMN reason TYPE TEXT,
    ALTER COLUMN announced TYPE BIGINT,
    ALTER COLUMN announced_to_all TYPE BIGINT,
    ADD CONSTRAINT games_id_check CHECK (octet_length(id) = 16),
    ADD CONSTRAINT games_ruleset_check
        CHECK (ruleset IN ('original', 'duel', 'classic', 'original_forfeit', 'barrage')),
    ADD CONSTRAINT games_two_squares_check CHECK (two_squares IN ('illegal', 'forfeit_turn')),
    ADD CONSTRAINT games_two_squares_limit_check CHECK (two_squares_limit BETWEEN 2 AND 5),
    ADD CONSTRAINT games_no_progress_plies_check CHECK (no_progress_plies BETWEEN 50 AND 1000),
    ADD CONSTRAINT games_time_initial_check CHECK (time_initial > 0),
    ADD CONSTRAINT games_time_increment_check CHECK (time_increment >= 0),
    ADD CONSTRAINT games_time_max_check CHECK (time_max > 0),
    ADD CONSTRAINT games_players CHECK (red_player <> blue_player),
    ADD CONSTRAINT games_time CHECK (CASE time_kind
        WHEN 'per_move' THEN
            time_initial IS NOT NULL AND time_increment IS NULL AND time_max IS NULL
        WHEN 'fischer' THEN
            time_initial IS NOT NULL AND time_increment IS NOT NULL AND time_max IS NOT NULL
        WHEN 'unlimited' THEN
            time_initial IS NULL AND time_increment IS NULL AND time_max IS NULL
        ELSE FALSE
    END),
    ADD CONSTRAINT games_status_check
        CHECK (status IN ('setup', 'active', 'finished', 'aborted')),
    ADD CONSTRAINT games_ply_check CHECK (ply >= 0),
    ADD CONSTRAINT games_version_check CHECK (version >= 0),
    ADD CONSTRAINT games_turn_check CHECK (turn IN ('red', 'blue')),
    ADD CONSTRAINT games_winner_check CHECK (winner IN ('red', 'blue')),
    ADD CONSTRAINT games_reason_check CHECK (reason IN (
        'flag_captured', 'no_mobile_pieces', 'no_legal_move', 'resignation', 'timeout',
        'setup_timeout', 'draw_agreed', 'both_immobile', 'no_progress', 'aborted', 'other'
    )),
    ADD CONSTRAINT games_announced_check CHECK (announced >= 0),
    ADD CONSTRAINT games_announced_to_all_check CHECK (announced_to_all >= 0);

DROP DOMAIN rank;
DROP DOMAIN square;
DROP DOMAIN amount;
DROP DOMAIN ply;
DROP DOMAIN end_reason;
DROP DOMAIN side;
DROP DOMAIN game_status;
