//! What goes with an account that is erased: one place, a line for each kind.
//!
//! A table in which something is a player's own has a line in `take_away` and its name in [`TAKEN`];
//! one that stays says in [`KEPT`] why. A test holds the two against all tables.

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::PlayerId;
use crate::{
    blocks, challenges, imports, mail, notes, personal_tokens, saved_setups, sessions,
    subscriptions, tickets, vacations,
};

/// The tables of which `take_away` leaves nothing that tells of the player.
pub const TAKEN: &[&str] = &[
    "refresh_families",
    "personal_tokens",
    "player_blocks",
    "saved_setups",
    "event_tickets",
    "notes",
    "vacations",
    "mail_state",
    "mail_near",
    "mail_outbox",
    "mail_tokens",
    "subscriptions",
    "imports",
];

/// The tables that name a player and stay as they are, and why.
pub const KEPT: &[(&str, &str)] = &[
    ("player_outbox", "names games and challenges, swept by age"),
    ("player_games", "names games, which stay"),
    ("player_events", "names games and challenges, swept by age"),
    ("player_feeds", "a number"),
    ("ratings", "what his games came to, under another name"),
    (
        "rating_history",
        "what his games came to, under another name",
    ),
    (
        "audit_log",
        "what was done, to an account under its last name",
    ),
];

/// Takes away what is a player's own, but for the account itself.
pub(crate) fn take_away(conn: &mut Connection, player: PlayerId) -> Result<(), StorageError> {
    // Rows of what has ended stay for a while: other nodes hear of it by them.
    sessions::forget_user_agents(conn, player)?;
    personal_tokens::forget_names(conn, player)?;
    blocks::take_away(conn, player)?;
    saved_setups::delete_all(conn, player)?;
    notes::delete_all(conn, player)?;
    vacations::delete(conn, player)?;
    mail::forget_player(conn, player)?;
    subscriptions::delete_all(conn, player)?;
    imports::delete_all(conn, player)?;
    tickets::take_away(conn, player, None)?;
    challenges::forget_words(conn, player)
}
