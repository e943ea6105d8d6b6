//! `reveille admin`: what those do who have the machine of the server. It works on the database itself,
//! beside servers that run; they hear of it within 10 s.

use std::io::{self, Write};

use clap::{Args, Subcommand};
use domain::Timestamp;
use secrecy::ExposeSecret;
use storage::audit::{Entry, MAX_REASON};
use storage::ratings::Annulled;
use storage::{Database, GameId, PageRequest, StorageError};
use thiserror::Error;
use uuid::Uuid;

use crate::archive::{ArchiveError, open_existing};
use crate::auth::{PasswordError, Passwords};
use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::problem::ApiError;
use crate::time;
use crate::usecase::admin::{self, Actor, Order};
use crate::wire::admin::COMMAND_LINE;

/// How many entries of the log are read at once.
const ENTRIES_AT_ONCE: u32 = 500;

/// What is to be done.
#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Make a player an admin: his tokens get the scope `admin` when he logs in or refreshes
    Grant(Subject),
    /// Take that from him
    Revoke(Subject),
    /// Let a player do nothing: his logins and tokens end, the clocks of his games go on
    Suspend(Subject),
    /// Let him in again
    Unsuspend(Subject),
    /// Give a player a new password, which is printed once; his logins and tokens end
    ResetPassword(Subject),
    /// Take a game that is over out of the ratings: later ones are reckoned anew
    Annul {
        /// The game's identifier
        game: Uuid,
        /// Why: for everyone to see who sees the game, and for the audit log
        #[arg(long, value_name = "TEXT", value_parser = reason)]
        reason: String,
    },
    /// Print the audit log, the newest first
    Audit {
        /// At most so many entries
        #[arg(long, default_value_t = 100, value_name = "COUNT")]
        limit: u32,
    },
}

/// Whom it is about.
#[derive(Debug, Args)]
pub struct Subject {
    /// The username, in any case
    user: String,
    /// Why, for the audit log
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: Option<String>,
}

/// Why nothing was done.
#[derive(Debug, Error)]
pub enum AdminError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] ArchiveError),
    /// It cannot be read.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// It is of another release.
    #[error("its schema is not of this release: run reveille migrate, or start the server once")]
    OtherSchema,
    /// The deed was refused.
    #[error("{}", .0.detail())]
    Refused(ApiError),
    /// The password could not be hashed.
    #[error(transparent)]
    Passwords(#[from] PasswordError),
    /// What was done cannot be printed.
    #[error("{0}")]
    Output(#[from] io::Error),
}

impl From<ApiError> for AdminError {
    fn from(refusal: ApiError) -> Self {
        Self::Refused(refusal)
    }
}

/// Does it, and says on the standard output what was done.
///
/// # Errors
/// An [`AdminError`]; nothing was done then, but when it says that the output failed.
pub fn run(config: &Config, command: &AdminCommand) -> Result<(), AdminError> {
    let db = open_existing(config)?;
    if !db.is_ready()? {
        return Err(AdminError::OtherSchema);
    }
    let now = time::to_domain(SystemClock.now());
    match command {
        AdminCommand::Grant(subject) => {
            let done = admin::set_admin(&db, &subject.order(now), true)?;
            say(subject, done.changed, "is an admin now", "was one already")
        }
        AdminCommand::Revoke(subject) => {
            let done = admin::set_admin(&db, &subject.order(now), false)?;
            say(subject, done.changed, "is no admin any more", "was none")
        }
        AdminCommand::Suspend(subject) => {
            let done = admin::suspend(&db, &subject.order(now))?;
            say(
                subject,
                done.changed,
                "is suspended",
                "was suspended already",
            )
        }
        AdminCommand::Unsuspend(subject) => {
            let done = admin::unsuspend(&db, &subject.order(now))?;
            say(
                subject,
                done.changed,
                "may log in again",
                "was not suspended",
            )
        }
        AdminCommand::Annul { game, reason } => annul(&db, *game, reason, now),
        AdminCommand::ResetPassword(subject) => reset_password(&db, subject, now),
        AdminCommand::Audit { limit } => print_log(&db, *limit),
    }
}

impl Subject {
    fn order(&self, now: Timestamp) -> Order<'_> {
        Order {
            actor: Actor::CommandLine,
            username: &self.user,
            reason: self.reason.as_deref(),
            now,
        }
    }
}

fn say(subject: &Subject, changed: bool, new: &str, old: &str) -> Result<(), AdminError> {
    let what = if changed { new } else { old };
    Ok(writeln!(io::stdout(), "{} {what}", subject.user)?)
}

fn reset_password(db: &Database, subject: &Subject, now: Timestamp) -> Result<(), AdminError> {
    let password = admin::draw_password()?;
    let hash = Passwords::new()?.hash(&password)?;
    admin::reset_password(db, &subject.order(now), &hash)?;
    let password = password.expose_secret();
    Ok(writeln!(
        io::stdout(),
        "{} logs in with this password from now on: {password}",
        subject.user
    )?)
}

fn annul(db: &Database, game: Uuid, reason: &str, now: Timestamp) -> Result<(), AdminError> {
    let id = GameId::from_uuid(game);
    let said = match admin::annul(db, Actor::CommandLine, id, reason, now)? {
        Annulled::Now { rated_anew } => {
            format!("is annulled; {rated_anew} later games were rated anew")
        }
        Annulled::Before => "was annulled before".to_owned(),
    };
    Ok(writeln!(io::stdout(), "{game} {said}")?)
}

fn print_log(db: &Database, limit: u32) -> Result<(), AdminError> {
    let mut output = io::stdout().lock();
    let (mut left, mut from) = (limit, None);
    while left > 0 {
        let wanted = PageRequest {
            from,
            ..PageRequest::first(left.min(ENTRIES_AT_ONCE))
        };
        let page = admin::log(db, Actor::CommandLine, &wanted)?;
        for entry in &page.items {
            writeln!(output, "{}", line(entry))?;
        }
        left -= u32::try_from(page.items.len()).unwrap_or(left).min(left);
        from = page.items.last().map(|entry| entry.id);
        if !page.has_more {
            break;
        }
    }
    Ok(())
}

fn line(entry: &Entry) -> String {
    let at = time::format(time::from_domain(entry.at));
    let by = entry.actor.as_ref().map(|player| player.username.as_str());
    let by = by.unwrap_or(COMMAND_LINE);
    let player = entry.player.as_ref().map(|player| player.username.clone());
    let game = entry.deed.game().map(|game| game.to_string());
    let subject = player.or(game).unwrap_or_default();
    let reason = entry.reason.as_ref().map(|reason| format!(" ({reason})"));
    let reason = reason.unwrap_or_default();
    format!("{at} {by}: {} {subject}{reason}", entry.deed.name())
}

/// Reads a reason as REST takes it.
fn reason(text: &str) -> Result<String, String> {
    let value = Some(text.to_owned());
    match crate::wire::admin::as_reason(&value, &()) {
        Ok(()) => Ok(text.to_owned()),
        Err(_) => Err(format!(
            "expected at most {MAX_REASON} characters, and no control characters"
        )),
    }
}
