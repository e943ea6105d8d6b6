//! Tickets: what opens an event stream once, in place of an access token, where no header can be sent.

use std::sync::Arc;
use std::time::Duration;

use domain::Timestamp;
use storage::tickets::{self, NewTicket};
use storage::{CredentialId, PlayerId};

use super::accounts::require_active;
use crate::auth::{Caller, OpaqueToken};
use crate::problem::{ApiError, Code};
use crate::state::AppState;

/// How long a ticket waits to be used.
const LIFETIME: Duration = Duration::from_mins(1);

/// A ticket, as its owner gets it.
pub struct Ticket {
    /// The ticket.
    pub text: String,
    /// Until when it can be used.
    pub expires_at: Timestamp,
}

/// Whose stream a ticket opens.
#[derive(Debug, Clone, Copy)]
pub struct Admitted {
    /// The player.
    pub player: PlayerId,
    /// When the stream ends.
    pub until: Timestamp,
    /// The login or personal token that asked for the ticket.
    pub credential: Option<CredentialId>,
}

/// Gives out a ticket. The stream that it opens ends with the token that asked for it.
///
/// # Errors
/// 401 for an erased account.
pub async fn issue(state: &Arc<AppState>, caller: Caller) -> Result<Ticket, ApiError> {
    let player = PlayerId::from_uuid(caller.player_id);
    let drawn = OpaqueToken::generate(caller.player_id);
    let drawn = drawn.map_err(|fault| ApiError::internal(&fault))?;
    let expires_at = state.now() + LIFETIME;
    let new = NewTicket {
        player_id: player,
        ticket: drawn.digest(),
        expires_at,
        // A personal token may last for ever.
        stream_until: caller
            .expires_at
            .unwrap_or(Timestamp::from_micros(i64::MAX)),
        credential: caller.credential.id(),
    };
    let db = state.db.clone();
    let issue = move || {
        db.write(|connection| {
            require_active(connection, player)?;
            Ok(tickets::issue(connection, &new)?)
        })
    };
    state.database_work.try_run(issue).await?;
    Ok(Ticket {
        text: drawn.expose(),
        expires_at,
    })
}

/// Takes a ticket for a stream.
///
/// # Errors
/// 401 when it was used before, has run out, or never was one.
pub async fn spend(state: &Arc<AppState>, text: &str) -> Result<Admitted, ApiError> {
    let shown = OpaqueToken::parse(text).ok_or_else(refused)?;
    let player = PlayerId::from_uuid(shown.id());
    let (db, now, digest) = (state.db.clone(), state.now(), shown.digest());
    let work = move || {
        db.write(|connection| {
            let spent = tickets::spend(connection, player, digest, now)?;
            require_active(connection, player)?;
            Ok(spent)
        })
    };
    let spent: Result<_, ApiError> = state.database_work.try_run(work).await;
    let spent = spent?.ok_or_else(refused)?;
    Ok(Admitted {
        player,
        until: spent.stream_until,
        credential: spent.credential,
    })
}

fn refused() -> ApiError {
    ApiError::new(
        Code::Unauthenticated,
        "the ticket was used before or has run out; get another",
    )
}
