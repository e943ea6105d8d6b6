//! Mail: what waits to be sent, the tokens that mails carry, and how far each player was told.
//!
//! Nothing here is a mail: what one says is made when it is sent, of what holds then.

mod outbox;
mod state;
mod tokens;
mod turns;

pub use outbox::{Errand, Pending, ask, ask_by_address, claim, done, retry, take_addresses};
pub use state::{MailState, Told, advance, begin, due_digests, plan_digest, state};
pub use tokens::{NewToken, Purpose, count, forget_old, issue, revoke, spend, spend_all, valid};
pub use turns::{
    Turn, TurnSide, forget_near, near_told, players_near, players_to_move, tell_near, turns,
};

use diesel::prelude::*;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::PlayerId;
use crate::schema::{mail_near, mail_outbox, mail_state, mail_tokens};

/// Takes away all that is kept of a player for mail.
///
/// # Errors
/// None of its own.
pub fn forget_player(conn: &mut Connection, player: PlayerId) -> Result<(), StorageError> {
    diesel::delete(mail_tokens::table.filter(mail_tokens::player_id.eq(player))).execute(conn)?;
    diesel::delete(mail_outbox::table.filter(mail_outbox::player_id.eq(player))).execute(conn)?;
    diesel::delete(mail_near::table.filter(mail_near::player_id.eq(player))).execute(conn)?;
    diesel::delete(mail_state::table.find(player)).execute(conn)?;
    Ok(())
}
