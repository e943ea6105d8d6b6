//! Mail: what players ask for (a verified address, another password) and what they are told of (their
//! turn, a deadline that is near, a digest once a day).
//!
//! All of it is sent by one thread, so that a server of mail that is slow or gone holds up nothing else;
//! what waits, waits in the database. Any node may send: [`storage::mail`] sees to it that one does.

mod errands;
mod kind;
mod letter;
mod links;
mod local_time;
mod notices;
mod receiver;
mod sender;
mod thread;

use std::sync::{Mutex, PoisonError};

use domain::Timestamp;
use storage::StorageError;

pub use errands::{MOST_TO_ACCOUNT, WINDOW, earlier};
pub use kind::MailKind;
pub use links::Unsubscribe;
pub use local_time::known_zone;
pub use receiver::plan_digest;
pub use sender::{MailError, assert_mailbox, assert_smtp_url};
pub use thread::spawn;

use crate::config::MailSettings;
use crate::state::AppState;
use links::Links;
use sender::Sender;
use thread::Signal;

/// What sends mail, where that is configured.
pub struct Mailer {
    sender: Sender,
    links: Links,
    progress: Mutex<Progress>,
    signal: Signal,
}

/// How far this node is. Whoever runs holds it, so that one thread sends at a time.
#[derive(Debug, Default)]
struct Progress {
    /// How often in a row the server could not be reached.
    failures: u32,
    /// Until then nothing is tried, because the server could not be reached.
    resting_until: Option<Timestamp>,
    /// When turns were last looked for to the end.
    looked_at: Option<Timestamp>,
}

impl Mailer {
    /// What sends by these settings.
    ///
    /// # Errors
    /// When they are not what they should be.
    pub fn new(settings: &MailSettings) -> Result<Self, MailError> {
        Ok(Self {
            sender: Sender::new(settings)?,
            links: Links::new(&settings.public_url),
            progress: Mutex::default(),
            signal: Signal::default(),
        })
    }

    /// Says that somebody has just asked for a mail.
    pub fn wake(&self) {
        self.signal.wake();
    }

    /// Ends the thread, when it has sent what it is about.
    pub fn stop(&self) {
        self.signal.stop();
    }
}

/// Sends all that is due at that instant, on the thread that calls; says how many mails. Without
/// configuration nothing is.
///
/// # Errors
/// When the database fails.
pub fn run_due(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    run(state, now, |run| Ok(run.errands()? + run.notices()?))
}

/// Sends what was asked for.
///
/// # Errors
/// When the database fails.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is one of a single lifetime, and that would not do"
)]
fn run_errands(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    run(state, now, |run| run.errands())
}

fn run(
    state: &AppState,
    now: Timestamp,
    work: impl FnOnce(&mut Run<'_>) -> Result<usize, StorageError>,
) -> Result<usize, StorageError> {
    let Some(mailer) = &state.mail else {
        return Ok(0);
    };
    let mut progress = mailer
        .progress
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    work(&mut Run {
        state,
        mailer,
        progress: &mut progress,
        now,
    })
}

/// One run: what is due is looked for and sent.
struct Run<'a> {
    state: &'a AppState,
    mailer: &'a Mailer,
    progress: &'a mut Progress,
    now: Timestamp,
}

impl Run<'_> {
    /// Whether something may be sent: nothing is taken that could not be.
    fn may_send(&self) -> bool {
        let rests = self
            .progress
            .resting_until
            .is_some_and(|until| self.now < until);
        !rests && !self.state.lifecycle.is_stopping()
    }
}
