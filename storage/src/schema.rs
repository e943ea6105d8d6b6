//! The tables as diesel sees them, in types that both databases share (see `migrations/`).

diesel::table! {
    players (id) {
        id -> Binary,
        username -> Text,
        username_key -> Text,
        password_hash -> Nullable<Text>,
        email -> Nullable<Text>,
        preferences -> Text,
        created_at -> BigInt,
        erased_at -> Nullable<BigInt>,
        verified_email -> Nullable<Text>,
        is_admin -> Bool,
        suspended_at -> Nullable<BigInt>,
        source -> Nullable<Text>,
    }
}

diesel::table! {
    refresh_families (player_id, id) {
        player_id -> Binary,
        id -> Binary,
        current_hash -> Binary,
        previous_hash -> Nullable<Binary>,
        created_at -> BigInt,
        rotated_at -> BigInt,
        expires_at -> BigInt,
        ended_at -> Nullable<BigInt>,
        user_agent -> Nullable<Text>,
    }
}

diesel::table! {
    personal_tokens (player_id, id) {
        player_id -> Binary,
        id -> Binary,
        hash -> Binary,
        name -> Text,
        scopes -> Text,
        created_at -> BigInt,
        expires_at -> Nullable<BigInt>,
        last_used_at -> Nullable<BigInt>,
        ended_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    player_blocks (player_id, blocked_id) {
        player_id -> Binary,
        blocked_id -> Binary,
        created_at -> BigInt,
    }
}

diesel::table! {
    imports (player_id, id) {
        player_id -> Binary,
        id -> Binary,
        status -> Text,
        imported -> BigInt,
        duplicates -> BigInt,
        rejected -> BigInt,
        report -> Text,
        created_at -> BigInt,
        finished_at -> Nullable<BigInt>,
        seen_at -> BigInt,
    }
}

diesel::table! {
    audit_log (id) {
        id -> Binary,
        actor_id -> Nullable<Binary>,
        action -> Text,
        player_id -> Nullable<Binary>,
        game_id -> Nullable<Binary>,
        reason -> Nullable<Text>,
        happened_at -> BigInt,
    }
}

diesel::table! {
    saved_setups (player_id, id) {
        player_id -> Binary,
        id -> Binary,
        name -> Text,
        ruleset -> Text,
        setup -> Text,
        created_at -> BigInt,
        updated_at -> BigInt,
    }
}

diesel::table! {
    games (id) {
        id -> Binary,
        red_player -> Binary,
        blue_player -> Binary,
        ruleset -> Text,
        aggressor_advantage -> Bool,
        silent_defense -> Bool,
        rescue -> Bool,
        more_squares -> Bool,
        two_squares -> Text,
        two_squares_limit -> SmallInt,
        no_progress_plies -> Nullable<Integer>,
        time_kind -> Text,
        time_initial -> Nullable<BigInt>,
        time_increment -> Nullable<BigInt>,
        time_max -> Nullable<BigInt>,
        rated -> Bool,
        private -> Bool,
        vacation -> Bool,
        weekends -> Bool,
        status -> Text,
        ply -> Integer,
        version -> BigInt,
        turn -> Nullable<Text>,
        deadline -> Nullable<BigInt>,
        winner -> Nullable<Text>,
        reason -> Nullable<Text>,
        created_at -> BigInt,
        started_at -> Nullable<BigInt>,
        finished_at -> Nullable<BigInt>,
        updated_at -> BigInt,
        announced -> BigInt,
        announced_to_all -> BigInt,
        events_swept -> Bool,
        near_at -> Nullable<BigInt>,
        pause_kind -> Nullable<Text>,
        pause_by -> Nullable<Text>,
        pause_since -> Nullable<BigInt>,
        pause_until -> Nullable<BigInt>,
        lines_version -> BigInt,
        red_rating -> Nullable<BigInt>,
        red_deviation -> Nullable<BigInt>,
        blue_rating -> Nullable<BigInt>,
        blue_deviation -> Nullable<BigInt>,
        red_rating_change -> Nullable<BigInt>,
        blue_rating_change -> Nullable<BigInt>,
        annulled_at -> Nullable<BigInt>,
        annulled_because -> Nullable<Text>,
        source -> Text,
        raw_ending -> Nullable<Integer>,
    }
}

diesel::table! {
    recorded_games (game_id) {
        game_id -> Binary,
        digest -> Binary,
        log -> Binary,
    }
}

diesel::table! {
    pseudonym_key (id) {
        id -> Integer,
        secret -> Binary,
    }
}

diesel::table! {
    game_facts (game_id) {
        game_id -> Binary,
        ruleset -> Text,
        source -> Text,
        winner -> Nullable<Text>,
        reason -> Text,
        rated -> Bool,
        red_rating -> Nullable<BigInt>,
        blue_rating -> Nullable<BigInt>,
        plies -> Integer,
        finished_at -> BigInt,
        results -> Binary,
        lengths -> Binary,
        openings -> Binary,
        bluffs -> Binary,
        battles -> Binary,
        survival -> Binary,
        armies -> Text,
    }
}

diesel::table! {
    game_courses (game_id) {
        game_id -> Binary,
        reveals -> Binary,
        information -> Binary,
        think_times -> Nullable<Binary>,
    }
}

diesel::table! {
    facts_to_fold (game_id) {
        game_id -> Binary,
    }
}

diesel::table! {
    rollups (section, month, ruleset, source, low_band, high_band) {
        section -> Text,
        month -> Integer,
        ruleset -> Text,
        source -> Text,
        low_band -> Integer,
        high_band -> Integer,
        counts -> Binary,
    }
}

diesel::table! {
    ratings (player_id, ruleset) {
        player_id -> Binary,
        ruleset -> Text,
        rating -> BigInt,
        deviation -> BigInt,
        volatility -> BigInt,
        games -> BigInt,
        changes -> BigInt,
        changed_at -> Nullable<BigInt>,
        rated_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    rating_history (player_id, ruleset, number) {
        player_id -> Binary,
        ruleset -> Text,
        number -> BigInt,
        game_id -> Binary,
        rating_before -> BigInt,
        deviation_before -> BigInt,
        volatility_before -> BigInt,
        rating -> BigInt,
        deviation -> BigInt,
        volatility -> BigInt,
        annulled -> Bool,
        at -> BigInt,
    }
}

diesel::table! {
    setups (game_id, color) {
        game_id -> Binary,
        color -> Text,
        seq -> BigInt,
        setup -> Text,
        placed_at -> BigInt,
        root -> Nullable<Binary>,
        salts -> Nullable<Binary>,
    }
}

diesel::table! {
    moves (game_id, ply) {
        game_id -> Binary,
        ply -> Integer,
        seq -> BigInt,
        from_square -> SmallInt,
        to_square -> SmallInt,
        rescue_rank -> Nullable<Text>,
        rescue_square -> Nullable<SmallInt>,
        played_at -> BigInt,
    }
}

diesel::table! {
    conditional_moves (game_id, color) {
        game_id -> Binary,
        color -> Text,
        since_ply -> Integer,
        lines -> Text,
    }
}

diesel::table! {
    offers (game_id, id) {
        game_id -> Binary,
        id -> Binary,
        kind -> Text,
        color -> Text,
        made_seq -> BigInt,
        made_at -> BigInt,
        closing -> Nullable<Text>,
        closed_seq -> Nullable<BigInt>,
        closed_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    events (game_id, number) {
        game_id -> Binary,
        number -> BigInt,
        public_number -> Nullable<BigInt>,
        kind -> Text,
        color -> Nullable<Text>,
        offer_id -> Nullable<Binary>,
        happened_at -> BigInt,
        until_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    clock_entries (game_id, seq) {
        game_id -> Binary,
        seq -> BigInt,
        kind -> Text,
        color -> Nullable<Text>,
        until_at -> Nullable<BigInt>,
        span -> Nullable<BigInt>,
        happened_at -> BigInt,
    }
}

diesel::table! {
    vacations (player_id) {
        player_id -> Binary,
        held -> BigInt,
        held_at -> BigInt,
        from_at -> Nullable<BigInt>,
        until_at -> Nullable<BigInt>,
        active -> Bool,
        due_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    heartbeat (id) {
        id -> SmallInt,
        beat_at -> BigInt,
        outage_from -> Nullable<BigInt>,
        outage_until -> Nullable<BigInt>,
    }
}

diesel::table! {
    player_outbox (player_id, source_id, source_number) {
        player_id -> Binary,
        source_id -> Binary,
        source_number -> BigInt,
        source -> Text,
        happened_at -> BigInt,
    }
}

diesel::table! {
    player_games (player_id, game_id) {
        player_id -> Binary,
        game_id -> Binary,
        told -> BigInt,
    }
}

diesel::table! {
    player_events (player_id, number) {
        player_id -> Binary,
        number -> BigInt,
        source_id -> Binary,
        source_number -> BigInt,
        source -> Text,
        happened_at -> BigInt,
    }
}

diesel::table! {
    player_feeds (player_id) {
        player_id -> Binary,
        announced -> BigInt,
    }
}

diesel::table! {
    event_tickets (player_id, hash) {
        player_id -> Binary,
        hash -> Binary,
        expires_at -> BigInt,
        stream_until -> BigInt,
        credential_id -> Nullable<Binary>,
    }
}

diesel::table! {
    challenges (id) {
        id -> Binary,
        creator_id -> Binary,
        opponent_id -> Nullable<Binary>,
        color -> Nullable<Text>,
        ruleset -> Text,
        aggressor_advantage -> Bool,
        silent_defense -> Bool,
        rescue -> Bool,
        more_squares -> Bool,
        two_squares -> Text,
        two_squares_limit -> SmallInt,
        no_progress_plies -> Nullable<Integer>,
        time_kind -> Text,
        time_initial -> Nullable<BigInt>,
        time_increment -> Nullable<BigInt>,
        time_max -> Nullable<BigInt>,
        rated -> Bool,
        private -> Bool,
        vacation -> Bool,
        weekends -> Bool,
        created_at -> BigInt,
        expires_at -> BigInt,
        closing -> Nullable<Text>,
        closed_at -> Nullable<BigInt>,
        decline_reason -> Nullable<Text>,
        game_id -> Nullable<Binary>,
        rematch_of -> Nullable<Binary>,
    }
}

diesel::table! {
    notes (player_id, game_id) {
        player_id -> Binary,
        game_id -> Binary,
        text -> Text,
        updated_at -> BigInt,
    }
}

diesel::table! {
    idempotency_keys (caller, path, idempotency_key) {
        caller -> Binary,
        path -> Text,
        idempotency_key -> Text,
        fingerprint -> Binary,
        resource_id -> Binary,
        created_at -> BigInt,
    }
}

diesel::table! {
    mail_state (player_id) {
        player_id -> Binary,
        version -> BigInt,
        unsubscribe_key -> Binary,
        turns_told -> BigInt,
        turns_mailed_at -> Nullable<BigInt>,
        near_mailed_at -> Nullable<BigInt>,
        digest_at -> Nullable<BigInt>,
        digest_day -> Nullable<BigInt>,
        digest_told -> BigInt,
    }
}

diesel::table! {
    mail_near (player_id, game_id) {
        player_id -> Binary,
        game_id -> Binary,
        ply -> BigInt,
        told_at -> BigInt,
    }
}

diesel::table! {
    mail_outbox (player_id, kind) {
        player_id -> Binary,
        kind -> Text,
        asked_at -> BigInt,
        due_at -> BigInt,
        attempts -> BigInt,
    }
}

diesel::table! {
    mail_tokens (player_id, hash) {
        player_id -> Binary,
        hash -> Binary,
        kind -> Text,
        address -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
        used_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    mail_reset_requests (address) {
        address -> Text,
        asked_at -> BigInt,
    }
}

diesel::table! {
    subscriptions (player_id, id) {
        player_id -> Binary,
        id -> Binary,
        channel -> Text,
        url -> Text,
        secret -> Binary,
        public_key -> Nullable<Binary>,
        kinds -> Text,
        created_at -> BigInt,
        told -> BigInt,
        attempts -> Integer,
        failing_since -> Nullable<BigInt>,
        last_error -> Nullable<Text>,
        delivered_at -> Nullable<BigInt>,
        disabled_at -> Nullable<BigInt>,
        due_at -> Nullable<BigInt>,
        lease -> Nullable<Binary>,
    }
}

diesel::allow_tables_to_appear_in_same_query!(players, refresh_families);
diesel::allow_tables_to_appear_in_same_query!(players, mail_state);
diesel::allow_tables_to_appear_in_same_query!(players, personal_tokens);
diesel::joinable!(personal_tokens -> players (player_id));
diesel::allow_tables_to_appear_in_same_query!(players, player_blocks);
diesel::allow_tables_to_appear_in_same_query!(players, games);
diesel::allow_tables_to_appear_in_same_query!(games, moves);
diesel::joinable!(moves -> games (game_id));
diesel::allow_tables_to_appear_in_same_query!(games, player_games);
diesel::joinable!(player_games -> games (game_id));
diesel::allow_tables_to_appear_in_same_query!(games, conditional_moves);
diesel::joinable!(conditional_moves -> games (game_id));
diesel::allow_tables_to_appear_in_same_query!(games, rating_history);
diesel::joinable!(rating_history -> games (game_id));
diesel::allow_tables_to_appear_in_same_query!(players, ratings);
diesel::joinable!(ratings -> players (player_id));
diesel::allow_tables_to_appear_in_same_query!(games, game_facts, game_courses);
diesel::joinable!(game_courses -> game_facts (game_id));
diesel::allow_tables_to_appear_in_same_query!(facts_to_fold, game_facts);
diesel::allow_tables_to_appear_in_same_query!(facts_to_fold, game_courses);
