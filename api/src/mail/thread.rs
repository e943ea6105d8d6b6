//! The one thread that sends.

use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use actix_web::web;

use super::{run_due, run_errands};
use crate::state::AppState;

/// How often what is due is looked for.
const PERIOD: Duration = Duration::from_mins(1);

/// What the thread waits for.
#[derive(Debug, Default)]
pub(super) struct Signal {
    said: Mutex<Said>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Said {
    is_asked: bool,
    is_stopped: bool,
}

/// Why the thread goes on.
#[derive(Debug, PartialEq, Eq)]
enum Cause {
    Asked,
    Time,
    Stopped,
}

impl Signal {
    pub(super) fn wake(&self) {
        self.say(|said| said.is_asked = true);
    }

    pub(super) fn stop(&self) {
        self.say(|said| said.is_stopped = true);
    }

    fn say(&self, say: impl FnOnce(&mut Said)) {
        say(&mut self.said.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// Waits until somebody asks, until that time, or until the end.
    fn wait(&self, until: Instant) -> Cause {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if said.is_stopped {
                return Cause::Stopped;
            }
            if std::mem::take(&mut said.is_asked) {
                return Cause::Asked;
            }
            if left.is_zero() {
                return Cause::Time;
            }
            (said, _) = self
                .changed
                .wait_timeout(said, left)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Starts the thread, where mail is configured. It ends after [`Mailer::stop`](super::Mailer::stop); a
/// server of mail that does not answer does not hold up the end of the program.
///
/// # Errors
/// When the system gives no thread.
pub fn spawn(state: web::Data<AppState>) -> io::Result<()> {
    if state.mail.is_some() {
        Builder::new()
            .name("mail".to_owned())
            .spawn(move || send_until_stopped(&state))?;
    }
    Ok(())
}

fn send_until_stopped(state: &AppState) {
    let Some(mailer) = &state.mail else {
        return;
    };
    let mut next = Instant::now() + PERIOD;
    loop {
        let sent = match mailer.signal.wait(next) {
            Cause::Stopped => return,
            Cause::Asked => run_errands(state, state.now()),
            Cause::Time => {
                next = Instant::now() + PERIOD;
                run_due(state, state.now())
            }
        };
        match sent {
            Ok(0) => {}
            Ok(sent) => tracing::debug!(sent, "mail"),
            Err(fault) => tracing::warn!(%fault, "cannot send mail; trying again later"),
        }
    }
}
