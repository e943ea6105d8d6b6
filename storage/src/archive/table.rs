mod facts;

/// What stands in a column, on either database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number of at most 64 bits.
    Integer,
    /// A text.
    Text,
    /// Bytes.
    Bytes,
    /// Yes or no.
    Bool,
}

impl Kind {
    /// Its name in an archive.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Text => "text",
            Self::Bytes => "bytes",
            Self::Bool => "bool",
        }
    }
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name, the same on both databases.
    pub name: &'static str,
    /// What stands in it.
    pub kind: Kind,
}

/// A table of the database.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name, the same on both databases.
    pub name: &'static str,
    /// Its columns; those of its key come first.
    pub columns: &'static [Column],
    /// How many of the columns are its key.
    pub key: usize,
}

impl Table {
    /// The columns of its key.
    pub fn key_columns(&self) -> &'static [Column] {
        self.columns.get(..self.key).unwrap_or(self.columns)
    }
}

const fn integer(name: &'static str) -> Column {
    Column {
        name,
        kind: Kind::Integer,
    }
}

const fn text(name: &'static str) -> Column {
    Column {
        name,
        kind: Kind::Text,
    }
}

const fn bytes(name: &'static str) -> Column {
    Column {
        name,
        kind: Kind::Bytes,
    }
}

const fn bool(name: &'static str) -> Column {
    Column {
        name,
        kind: Kind::Bool,
    }
}

/// Every table and every column of the schema (`migrations/`). A table comes after those that its rows
/// refer to. A test holds this against the databases.
pub const TABLES: &[Table] = &[
    Table {
        name: "players",
        key: 1,
        columns: &[
            bytes("id"),
            text("username"),
            text("username_key"),
            text("password_hash"),
            text("email"),
            text("preferences"),
            integer("created_at"),
            integer("erased_at"),
            text("verified_email"),
            bool("is_admin"),
            integer("suspended_at"),
            text("source"),
        ],
    },
    Table {
        name: "refresh_families",
        key: 2,
        columns: &[
            bytes("player_id"),
            bytes("id"),
            bytes("current_hash"),
            bytes("previous_hash"),
            integer("created_at"),
            integer("rotated_at"),
            integer("expires_at"),
            integer("ended_at"),
            text("user_agent"),
        ],
    },
    Table {
        name: "personal_tokens",
        key: 2,
        columns: &[
            bytes("player_id"),
            bytes("id"),
            bytes("hash"),
            text("name"),
            text("scopes"),
            integer("created_at"),
            integer("expires_at"),
            integer("last_used_at"),
            integer("ended_at"),
        ],
    },
    Table {
        name: "player_blocks",
        key: 2,
        columns: &[
            bytes("player_id"),
            bytes("blocked_id"),
            integer("created_at"),
        ],
    },
    Table {
        name: "saved_setups",
        key: 2,
        columns: &[
            bytes("player_id"),
            bytes("id"),
            text("name"),
            text("ruleset"),
            text("setup"),
            integer("created_at"),
            integer("updated_at"),
        ],
    },
    Table {
        name: "games",
        key: 1,
        columns: &[
            bytes("id"),
            bytes("red_player"),
            bytes("blue_player"),
            text("ruleset"),
            bool("aggressor_advantage"),
            bool("silent_defense"),
            bool("rescue"),
            bool("more_squares"),
            text("two_squares"),
            integer("two_squares_limit"),
            integer("no_progress_plies"),
            text("time_kind"),
            integer("time_initial"),
            integer("time_increment"),
            integer("time_max"),
            bool("rated"),
            bool("private"),
            bool("vacation"),
            bool("weekends"),
            text("status"),
            integer("ply"),
            integer("version"),
            text("turn"),
            integer("deadline"),
            text("winner"),
            text("reason"),
            integer("created_at"),
            integer("started_at"),
            integer("finished_at"),
            integer("updated_at"),
            integer("announced"),
            integer("announced_to_all"),
            bool("events_swept"),
            integer("near_at"),
            text("pause_kind"),
            text("pause_by"),
            integer("pause_since"),
            integer("pause_until"),
            integer("lines_version"),
            integer("red_rating"),
            integer("red_deviation"),
            integer("blue_rating"),
            integer("blue_deviation"),
            integer("red_rating_change"),
            integer("blue_rating_change"),
            integer("annulled_at"),
            text("annulled_because"),
            text("source"),
            integer("raw_ending"),
        ],
    },
    Table {
        name: "ratings",
        key: 2,
        columns: &[
            bytes("player_id"),
            text("ruleset"),
            integer("rating"),
            integer("deviation"),
            integer("volatility"),
            integer("games"),
            integer("changes"),
            integer("changed_at"),
            integer("rated_at"),
        ],
    },
    Table {
        name: "rating_history",
        key: 3,
        columns: &[
            bytes("player_id"),
            text("ruleset"),
            integer("number"),
            bytes("game_id"),
            integer("rating_before"),
            integer("deviation_before"),
            integer("volatility_before"),
            integer("rating"),
            integer("deviation"),
            integer("volatility"),
            bool("annulled"),
            integer("at"),
        ],
    },
    Table {
        name: "setups",
        key: 2,
        columns: &[
            bytes("game_id"),
            text("color"),
            integer("seq"),
            text("setup"),
            integer("placed_at"),
            bytes("root"),
            bytes("salts"),
        ],
    },
    Table {
        name: "moves",
        key: 2,
        columns: &[
            bytes("game_id"),
            integer("ply"),
            integer("seq"),
            integer("from_square"),
            integer("to_square"),
            text("rescue_rank"),
            integer("rescue_square"),
            integer("played_at"),
        ],
    },
    Table {
        name: "recorded_games",
        key: 1,
        columns: &[bytes("game_id"), bytes("digest"), bytes("log")],
    },
    Table {
        name: "imports",
        key: 2,
        columns: &[
            bytes("player_id"),
            bytes("id"),
            text("status"),
            integer("imported"),
            integer("duplicates"),
            integer("rejected"),
            text("report"),
            integer("created_at"),
            integer("finished_at"),
            integer("seen_at"),
        ],
    },
    Table {
        name: "pseudonym_key",
        key: 1,
        columns: &[integer("id"), bytes("secret")],
    },
    facts::GAME_FACTS,
    facts::GAME_COURSES,
    facts::FACTS_TO_FOLD,
    facts::ROLLUPS,
    Table {
        name: "conditional_moves",
        key: 2,
        columns: &[
            bytes("game_id"),
            text("color"),
            integer("since_ply"),
            text("lines"),
        ],
    },
    Table {
        name: "offers",
        key: 2,
        columns: &[
            bytes("game_id"),
            bytes("id"),
            text("kind"),
            text("color"),
            integer("made_seq"),
            integer("made_at"),
            text("closing"),
            integer("closed_seq"),
            integer("closed_at"),
        ],
    },
    Table {
        name: "events",
        key: 2,
        columns: &[
            bytes("game_id"),
            integer("number"),
            integer("public_number"),
            text("kind"),
            text("color"),
            bytes("offer_id"),
            integer("happened_at"),
            integer("until_at"),
        ],
    },
    Table {
        name: "clock_entries",
        key: 2,
        columns: &[
            bytes("game_id"),
            integer("seq"),
            text("kind"),
            text("color"),
            integer("until_at"),
            integer("span"),
            integer("happened_at"),
        ],
    },
    Table {
        name: "vacations",
        key: 1,
        columns: &[
            bytes("player_id"),
            integer("held"),
            integer("held_at"),
            integer("from_at"),
            integer("until_at"),
            bool("active"),
            integer("due_at"),
        ],
    },
    Table {
        name: "heartbeat",
        key: 1,
        columns: &[
            integer("id"),
            integer("beat_at"),
            integer("outage_from"),
            integer("outage_until"),
        ],
    },
    Table {
        name: "player_outbox",
        key: 3,
        columns: &[
            bytes("player_id"),
            bytes("source_id"),
            integer("source_number"),
            text("source"),
            integer("happened_at"),
        ],
    },
    Table {
        name: "player_games",
        key: 2,
        columns: &[bytes("player_id"), bytes("game_id"), integer("told")],
    },
    Table {
        name: "player_events",
        key: 2,
        columns: &[
            bytes("player_id"),
            integer("number"),
            bytes("source_id"),
            integer("source_number"),
            text("source"),
            integer("happened_at"),
        ],
    },
    Table {
        name: "player_feeds",
        key: 1,
        columns: &[bytes("player_id"), integer("announced")],
    },
    Table {
        name: "event_tickets",
        key: 2,
        columns: &[
            bytes("player_id"),
            bytes("hash"),
            integer("expires_at"),
            integer("stream_until"),
            bytes("credential_id"),
        ],
    },
    Table {
        name: "subscriptions",
        key: 2,
        columns: &[
            bytes("player_id"),
            bytes("id"),
            text("channel"),
            text("url"),
            bytes("secret"),
            bytes("public_key"),
            text("kinds"),
            integer("created_at"),
            integer("told"),
            integer("attempts"),
            integer("failing_since"),
            text("last_error"),
            integer("delivered_at"),
            integer("disabled_at"),
            integer("due_at"),
            bytes("lease"),
        ],
    },
    Table {
        name: "challenges",
        key: 1,
        columns: &[
            bytes("id"),
            bytes("creator_id"),
            bytes("opponent_id"),
            text("color"),
            text("ruleset"),
            bool("aggressor_advantage"),
            bool("silent_defense"),
            bool("rescue"),
            bool("more_squares"),
            text("two_squares"),
            integer("two_squares_limit"),
            integer("no_progress_plies"),
            text("time_kind"),
            integer("time_initial"),
            integer("time_increment"),
            integer("time_max"),
            bool("rated"),
            bool("private"),
            bool("vacation"),
            bool("weekends"),
            integer("created_at"),
            integer("expires_at"),
            text("closing"),
            integer("closed_at"),
            text("decline_reason"),
            bytes("game_id"),
            bytes("rematch_of"),
        ],
    },
    Table {
        name: "notes",
        key: 2,
        columns: &[
            bytes("player_id"),
            bytes("game_id"),
            text("text"),
            integer("updated_at"),
        ],
    },
    Table {
        name: "audit_log",
        key: 1,
        columns: &[
            bytes("id"),
            bytes("actor_id"),
            text("action"),
            bytes("player_id"),
            bytes("game_id"),
            text("reason"),
            integer("happened_at"),
        ],
    },
    Table {
        name: "idempotency_keys",
        key: 3,
        columns: &[
            bytes("caller"),
            text("path"),
            text("idempotency_key"),
            bytes("fingerprint"),
            bytes("resource_id"),
            integer("created_at"),
        ],
    },
    Table {
        name: "mail_state",
        key: 1,
        columns: &[
            bytes("player_id"),
            integer("version"),
            bytes("unsubscribe_key"),
            integer("turns_told"),
            integer("turns_mailed_at"),
            integer("near_mailed_at"),
            integer("digest_at"),
            integer("digest_day"),
            integer("digest_told"),
        ],
    },
    Table {
        name: "mail_near",
        key: 2,
        columns: &[
            bytes("player_id"),
            bytes("game_id"),
            integer("ply"),
            integer("told_at"),
        ],
    },
    Table {
        name: "mail_outbox",
        key: 2,
        columns: &[
            bytes("player_id"),
            text("kind"),
            integer("asked_at"),
            integer("due_at"),
            integer("attempts"),
        ],
    },
    Table {
        name: "mail_tokens",
        key: 2,
        columns: &[
            bytes("player_id"),
            bytes("hash"),
            text("kind"),
            text("address"),
            integer("created_at"),
            integer("expires_at"),
            integer("used_at"),
        ],
    },
    Table {
        name: "mail_reset_requests",
        key: 1,
        columns: &[text("address"), integer("asked_at")],
    },
];
