use std::sync::Arc;

use rand::rand_core::TryRng;
use rand::rngs::SysRng;
use storage::mail::{self, Errand, Purpose};
use storage::{Connection, PlayerId, players};

use super::me::require_active;
use crate::auth::OpaqueToken;
use crate::mail::{MOST_TO_ACCOUNT, Unsubscribe, WINDOW, earlier, plan_digest};
use crate::problem::{ApiError, Code};
use crate::state::AppState;
use crate::usecase::usernames::email_key;
use crate::wire::account::Preferences;

/// What becomes of the wish for a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    /// A mail is on its way.
    Asked,
    /// The address is verified already.
    Done,
}

/// Has a mail sent by which the caller shows that the address of the account is his.
///
/// # Errors
/// `email_missing` without an address, `mail_off` where no mail is sent, `rate_limited` after too many
/// mails; 401 for an erased account.
pub async fn ask_for_verification(
    state: &Arc<AppState>,
    caller: PlayerId,
) -> Result<Verification, ApiError> {
    let (db, now, is_on) = (state.db.clone(), state.now(), state.mail.is_some());
    let ask = move |connection: &mut Connection| {
        require_active(connection, caller)?;
        let account = players::account(connection, caller)?;
        let email = account.email.ok_or_else(|| {
            let detail = "the account has no address; set one with PATCH /v1/me first";
            ApiError::new(Code::EmailMissing, detail)
        })?;
        if account.verified_email.is_some() {
            return Ok(Verification::Done);
        }
        if !is_on {
            return Err(mail_off());
        }
        // What else went to the address is not the caller's to know: he is asked to wait for his own
        // mails alone.
        let (of_account, _) = mail::count(
            connection,
            caller,
            &email_key(&email),
            Purpose::Verify,
            earlier(now, WINDOW),
        )?;
        if of_account >= MOST_TO_ACCOUNT {
            let detail = format!("at most {MOST_TO_ACCOUNT} of these mails are sent in 24 hours");
            return Err(ApiError::new(Code::RateLimited, detail).retry_after(WINDOW));
        }
        mail::ask(connection, caller, Errand::Verify, now)?;
        Ok(Verification::Asked)
    };
    let asked = state.database_work.try_run(move || db.write(ask)).await?;
    wake(state);
    Ok(asked)
}

/// Takes the token of a mail for the address of the account: of `caller`'s alone, if there is one.
/// Gives the name of the account.
///
/// # Errors
/// `unauthenticated` when the token was used, has run out, is of another account or of another address
/// than the account has now.
pub async fn verify_email(
    state: &Arc<AppState>,
    caller: Option<PlayerId>,
    token: &str,
) -> Result<String, ApiError> {
    let shown = OpaqueToken::parse(token).ok_or_else(refused)?;
    let player = PlayerId::from_uuid(shown.id());
    if caller.is_some_and(|caller| caller != player) {
        return Err(refused());
    }
    let mut key = [0; 32];
    SysRng
        .try_fill_bytes(&mut key)
        .map_err(|fault| ApiError::internal(&fault))?;
    let (db, now, digest) = (state.db.clone(), state.now(), shown.digest());
    let verify = move |connection: &mut Connection| {
        let address = mail::spend(connection, player, digest, Purpose::Verify, now)?;
        let address = address.ok_or_else(refused)?;
        let account = players::account(connection, player)?;
        if account.email.as_deref().map(email_key).as_ref() != Some(&address) {
            return Err(refused());
        }
        players::verify_email(connection, player, &address)?;
        mail::begin(connection, player, key, now)?;
        let account = players::account(connection, player)?;
        plan_digest(connection, &account, now)?;
        Ok(account.player.username)
    };
    state.database_work.try_run(move || db.write(verify)).await
}

/// Stops a kind of mail by the token of a link.
///
/// # Errors
/// `not_found` when the token does not hold.
pub async fn unsubscribe(state: &Arc<AppState>, shown: Unsubscribe) -> Result<(), ApiError> {
    let (db, now) = (state.db.clone(), state.now());
    let stop = move |connection: &mut Connection| {
        let known = mail::state(connection, shown.player)?;
        if !known.is_some_and(|state| shown.holds(&state.unsubscribe_key)) {
            return Err(ApiError::not_found("link"));
        }
        let account = players::account(connection, shown.player)?;
        let preferences = Preferences::from_json(&account.preferences)
            .and_then(|preferences| shown.kind.stopped(preferences).to_json())
            .map_err(|fault| ApiError::internal(&fault))?;
        let change = players::AccountChange {
            preferences: Some(&preferences),
            ..players::AccountChange::default()
        };
        let account = players::update(connection, shown.player, &change)?;
        Ok(plan_digest(connection, &account, now)?)
    };
    state.database_work.try_run(move || db.write(stop)).await
}

/// Says that a mail was asked for.
pub(super) fn wake(state: &AppState) {
    if let Some(mailer) = &state.mail {
        mailer.wake();
    }
}

fn mail_off() -> ApiError {
    ApiError::new(
        Code::MailOff,
        "this server sends no mail, so that no address can be verified",
    )
}

/// The refusal of a token of a mail.
pub(super) fn refused() -> ApiError {
    ApiError::invalid_token(
        "the token was used before, has run out, or is not of the address that the account has now; \
         ask for another mail",
    )
}
