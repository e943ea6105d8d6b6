//! Mails that somebody asked for: sent at least once, tried again for a day.

use std::time::Duration;

use domain::Timestamp;
use sha2::{Digest as _, Sha256};
use storage::mail::{self, Errand, NewToken, Pending, Purpose};
use storage::players::{self, Account};
use storage::{Connection, Digest, PlayerId, StorageError};

use super::letter::{Block, Letter};
use super::sender::Outcome;
use super::{Run, local_time};
use crate::auth::OpaqueToken;
use crate::metrics::Delivery;
use crate::usecase::usernames::email_key;
use crate::wire::account::Preferences;

/// The time in which so many mails with a token go to an account and to an address.
pub const WINDOW: Duration = Duration::from_hours(24);
/// How many of a purpose go to an account.
pub const MOST_TO_ACCOUNT: u64 = 5;
/// How many of a purpose go to an address, whoever's account it is.
const MOST_TO_ADDRESS: u64 = 10;

/// How long a token shows that an address is one's own.
const VERIFY_LIFETIME: Duration = Duration::from_hours(24);
/// How long a token sets another password.
const RESET_LIFETIME: Duration = Duration::from_hours(1);
/// How long one node has for a mail before another tries it.
const LEASE: Duration = Duration::from_mins(5);
/// How long the first wait is before a mail is tried again; each is twice the one before.
const FIRST_WAIT: Duration = Duration::from_mins(1);
/// The longest such wait.
const LONGEST_WAIT: Duration = Duration::from_hours(1);
/// How long a mail is tried.
const TRIED: Duration = Duration::from_hours(24);
/// How many are taken at a time.
const AT_ONCE: u32 = 10;
/// How many addresses are looked up in one write.
const ADDRESSES: u32 = 100;
/// How many accounts of one address get a mail.
const ACCOUNTS: u32 = 10;

/// A mail, and the token in it that is to go if the mail does not.
struct Made {
    letter: Letter,
    token: Option<Digest>,
}

impl Run<'_> {
    /// Sends what was asked for.
    pub(super) fn errands(&mut self) -> Result<usize, StorageError> {
        self.look_up_addresses()?;
        let mut sent = 0;
        while self.may_send() {
            let now = self.now;
            let claim = |connection: &mut Connection| mail::claim(connection, now, LEASE, AT_ONCE);
            let claimed = self.state.db.write(claim)?;
            if claimed.is_empty() {
                break;
            }
            for pending in claimed {
                if self.may_send() && self.errand(&pending)? {
                    sent += 1;
                }
            }
        }
        Ok(sent)
    }

    /// Turns the addresses for which somebody asked into mails to their accounts.
    fn look_up_addresses(&self) -> Result<(), StorageError> {
        let now = self.now;
        let look_up = |connection: &mut Connection| -> Result<usize, StorageError> {
            let addresses = mail::take_addresses(connection, ADDRESSES)?;
            for address in &addresses {
                for player in players::by_verified_email(connection, address, ACCOUNTS)? {
                    if has_room(connection, player, address, Purpose::Reset, now)? {
                        mail::ask(connection, player, Errand::Reset, now)?;
                    }
                }
            }
            Ok(addresses.len())
        };
        while !self.state.lifecycle.is_stopping() && self.state.db.write(look_up)? > 0 {}
        Ok(())
    }

    /// Sends one; says whether it went.
    fn errand(&mut self, pending: &Pending) -> Result<bool, StorageError> {
        let made = self
            .state
            .db
            .write(|connection| self.make(connection, pending))?;
        let Some(made) = made else {
            return Ok(false);
        };
        let outcome = self.send(&made.letter);
        let again = self.now + wait(pending.attempts);
        let is_over = outcome == Outcome::Refused || again > pending.asked_at + TRIED;
        self.state.db.write(|connection| {
            if outcome == Outcome::Sent {
                return mail::done(connection, pending);
            }
            if let Some(token) = made.token {
                mail::revoke(connection, pending.player, token)?;
            }
            if is_over {
                mail::done(connection, pending)
            } else {
                mail::retry(connection, pending, again)
            }
        })?;
        Ok(outcome == Outcome::Sent)
    }

    /// Makes the mail, with a token of its own; none when there is nothing to send any more.
    fn make(
        &self,
        connection: &mut Connection,
        pending: &Pending,
    ) -> Result<Option<Made>, StorageError> {
        // An account that is erased meanwhile must not get a token: this meets that write, or is met by it.
        mail::retry(connection, pending, self.now + LEASE)?;
        let account = players::account(connection, pending.player)?;
        let made = match pending.errand {
            Errand::Verify => self.verification(connection, &account, pending)?,
            Errand::Reset => self.reset(connection, &account, pending)?,
            Errand::PasswordChanged => Self::password_changed(&account, pending),
        };
        if made.is_none() {
            mail::done(connection, pending)?;
        }
        Ok(made)
    }

    fn verification(
        &self,
        connection: &mut Connection,
        account: &Account,
        pending: &Pending,
    ) -> Result<Option<Made>, StorageError> {
        let Some(email) = account
            .email
            .as_ref()
            .filter(|_| account.verified_email.is_none())
        else {
            return Ok(None);
        };
        let Some(token) = self.token(
            connection,
            account,
            &email_key(email),
            Purpose::Verify,
            VERIFY_LIFETIME,
        )?
        else {
            return Ok(None);
        };
        let name = &account.player.username;
        let blocks = vec![
            Block::Text(format!(
                "This address was given for the account {name}. If that was you, open this page within 24 hours \
                 and confirm it:"
            )),
            Block::Link(self.mailer.links.verify(&token)),
            Block::Text(
                "If it was not you, there is nothing to do: the account gets no mail here until it is confirmed."
                    .to_owned(),
            ),
        ];
        let letter = letter(email, "Confirm your address", blocks, pending);
        Ok(Some(Made {
            letter,
            token: Some(token.digest()),
        }))
    }

    fn reset(
        &self,
        connection: &mut Connection,
        account: &Account,
        pending: &Pending,
    ) -> Result<Option<Made>, StorageError> {
        let (Some(email), Some(verified)) = (&account.email, &account.verified_email) else {
            return Ok(None);
        };
        let Some(token) = self.token(
            connection,
            account,
            verified,
            Purpose::Reset,
            RESET_LIFETIME,
        )?
        else {
            return Ok(None);
        };
        let name = &account.player.username;
        let blocks = vec![
            Block::Text(format!(
                "Somebody asked for a new password for the account {name}. If that was you, open this page within \
                 an hour and set one:"
            )),
            Block::Link(self.mailer.links.reset(&token)),
            Block::Text(
                "If it was not you, there is nothing to do: the password stays as it is."
                    .to_owned(),
            ),
        ];
        let letter = letter(email, "Set a new password", blocks, pending);
        Ok(Some(Made {
            letter,
            token: Some(token.digest()),
        }))
    }

    fn password_changed(account: &Account, pending: &Pending) -> Option<Made> {
        let email = account.email.as_ref()?;
        account.verified_email.as_ref()?;
        let preferences = Preferences::from_json(&account.preferences).unwrap_or_default();
        let zone = local_time::zone(preferences.tz.as_deref());
        let (name, at) = (
            &account.player.username,
            local_time::written(pending.asked_at, &zone),
        );
        let blocks = vec![
            Block::Text(format!(
                "The password of the account {name} was changed ({at}), and other logins ended."
            )),
            Block::Text(
                "If it was not you, ask for a new password at once, and look after the mailbox of this address."
                    .to_owned(),
            ),
        ];
        Some(Made {
            letter: letter(email, "Your password was changed", blocks, pending),
            token: None,
        })
    }

    /// Draws a token and keeps its digest; none when too many went out.
    fn token(
        &self,
        connection: &mut Connection,
        account: &Account,
        address: &str,
        purpose: Purpose,
        lifetime: Duration,
    ) -> Result<Option<OpaqueToken>, StorageError> {
        let player = account.player.id;
        if !has_room(connection, player, address, purpose, self.now)? {
            return Ok(None);
        }
        let Ok(token) = OpaqueToken::generate(player.as_uuid()) else {
            tracing::error!("the system gives no randomness for the token of a mail");
            return Ok(None);
        };
        let new = NewToken {
            player,
            token: token.digest(),
            purpose,
            address,
            created_at: self.now,
            expires_at: self.now + lifetime,
        };
        mail::issue(connection, &new)?;
        Ok(Some(token))
    }

    /// Sends a mail; after a server could not be reached nothing is tried for a while.
    pub(super) fn send(&mut self, letter: &Letter) -> Outcome {
        let outcome = self.mailer.sender.send(letter, self.now);
        self.note(outcome != Outcome::Unreachable);
        let delivery = match outcome {
            Outcome::Sent => Delivery::Taken,
            Outcome::Refused => Delivery::Refused,
            Outcome::Later | Outcome::Unreachable => Delivery::Failed,
        };
        self.state.metrics.delivered("mail", delivery);
        outcome
    }

    /// Whether the server can be reached; it is not asked again for a while when it cannot.
    pub(super) fn is_reachable(&mut self) -> bool {
        let is_reachable = self.mailer.sender.is_reachable();
        self.note(is_reachable);
        is_reachable
    }

    fn note(&mut self, is_reachable: bool) {
        let progress = &mut *self.progress;
        if is_reachable {
            (progress.failures, progress.resting_until) = (0, None);
        } else {
            progress.resting_until = Some(self.now + wait(progress.failures));
            progress.failures = progress.failures.saturating_add(1);
        }
    }
}

/// Whether one more mail with a token may go to the account and to the address.
///
/// # Errors
/// None of its own.
fn has_room(
    connection: &mut Connection,
    player: PlayerId,
    address: &str,
    purpose: Purpose,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let since = earlier(now, WINDOW);
    let (of_account, of_address) = mail::count(connection, player, address, purpose, since)?;
    Ok(of_account < MOST_TO_ACCOUNT && of_address < MOST_TO_ADDRESS)
}

/// The instant that much earlier.
pub fn earlier(now: Timestamp, span: Duration) -> Timestamp {
    let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(now.as_micros().saturating_sub(micros))
}

fn wait(failures: u32) -> Duration {
    let factor = 1_u32.checked_shl(failures).unwrap_or(u32::MAX);
    FIRST_WAIT.saturating_mul(factor).min(LONGEST_WAIT)
}

fn letter(email: &str, subject: &str, blocks: Vec<Block>, pending: &Pending) -> Letter {
    Letter {
        to: email.to_owned(),
        subject: subject.to_owned(),
        blocks,
        stop: None,
        identity: identity(subject, pending.player, pending.asked_at),
    }
}

/// What makes a mail this one and no other. It tells nothing of whom it is for.
pub(super) fn identity(what: &str, player: PlayerId, at: Timestamp) -> Digest {
    let digest = Sha256::new()
        .chain_update(player.as_uuid().as_bytes())
        .chain_update(at.as_micros().to_be_bytes())
        .chain_update(what)
        .finalize();
    Digest(digest.into())
}
