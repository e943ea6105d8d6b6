use std::sync::Arc;

use secrecy::SecretString;
use storage::mail::{self, Errand, Purpose};
use storage::{Connection, PlayerId, StorageError, players};

use super::email::{refused, wake};
use super::password::end_all_credentials;
use crate::auth::OpaqueToken;
use crate::http::validate::rules::email_address;
use crate::problem::ApiError;
use crate::state::AppState;
use crate::usecase::usernames::email_key;

/// Has mails sent by which other passwords can be set, to the accounts of a verified address. The same
/// is done here whether there are any: they are looked for later.
///
/// # Errors
/// `unavailable`.
pub async fn ask_for_password_reset(state: &Arc<AppState>, email: &str) -> Result<(), ApiError> {
    if state.mail.is_none() || email_address(email).is_err() {
        return Ok(());
    }
    let (db, now, address) = (state.db.clone(), state.now(), email_key(email));
    let ask = move |connection: &mut Connection| -> Result<(), StorageError> {
        mail::ask_by_address(connection, &address, now)
    };
    state.database_work.run(move || db.write(ask)).await??;
    wake(state);
    Ok(())
}

/// Sets another password by the token of a mail. All logins end, and all other such tokens with them.
///
/// # Errors
/// `unauthenticated` when the token was used, has run out, or the address is the account's no more.
pub async fn reset_password(
    state: &Arc<AppState>,
    token: &str,
    password: SecretString,
) -> Result<(), ApiError> {
    let shown = OpaqueToken::parse(token).ok_or_else(refused)?;
    let player = PlayerId::from_uuid(shown.id());
    // Looked at before the password is hashed, which is work that not everybody may cause.
    let (digest, now) = (shown.digest(), state.now());
    state
        .read(move |connection| {
            let address = mail::valid(connection, player, digest, Purpose::Reset, now)?;
            still_verified(connection, player, address)
        })
        .await?;
    let work = Arc::clone(state);
    let hash = state
        .password_work
        .run(move || work.passwords.hash(&password))
        .await?
        .map_err(|fault| ApiError::internal(&fault))?;
    let (db, now, is_on) = (state.db.clone(), state.now(), state.mail.is_some());
    let reset = move |connection: &mut Connection| {
        let address = mail::spend(connection, player, digest, Purpose::Reset, now)?;
        still_verified(connection, player, address)?;
        players::set_password(connection, player, &hash)?;
        let ended = end_all_credentials(connection, player, None, now)?;
        if is_on {
            mail::ask(connection, player, Errand::PasswordChanged, now)?;
        }
        Ok::<_, ApiError>(ended)
    };
    let write = move || db.write_holding(&[player], reset);
    let ended = state.database_work.try_run(write).await?;
    state.end_credentials(player, &ended);
    wake(state);
    Ok(())
}

/// Refuses a token that does not hold, or that went to another address than the verified one.
fn still_verified(
    connection: &mut Connection,
    player: PlayerId,
    address: Option<String>,
) -> Result<(), ApiError> {
    let address = address.ok_or_else(refused)?;
    let account = players::account(connection, player)?;
    if account.verified_email.as_ref() == Some(&address) {
        Ok(())
    } else {
        Err(refused())
    }
}
