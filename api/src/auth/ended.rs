//! Logins and personal tokens that have ended while what they gave out has not run out: it is refused
//! from then on, on this node at once and on others when they look.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::Timestamp;
use storage::CredentialId;

use super::ACCESS_TOKEN_LIFETIME;

/// How much later than a login ended an access token of it may have been signed, and how far the clocks
/// of nodes may be apart.
const SLACK: Duration = Duration::from_mins(2);

/// What has ended of late. Tokens are refused for as long as they would hold otherwise: there is no
/// leeway (see [`AccessTokens`](super::AccessTokens)).
#[derive(Default)]
pub struct Ended {
    /// Until when each has to be remembered.
    ended: Mutex<HashMap<CredentialId, Timestamp>>,
}

impl Ended {
    /// Since when what ended has to be known, for one who knows nothing.
    pub fn since(now: Timestamp) -> Timestamp {
        before(now, ACCESS_TOKEN_LIFETIME + SLACK)
    }

    /// Since when to look for one who looked last at that instant.
    pub fn since_look(last: Timestamp) -> Timestamp {
        before(last, SLACK)
    }

    /// Notes that a credential has ended; whether that is new.
    pub fn note(&self, credential: CredentialId, at: Timestamp) -> bool {
        let until = at + ACCESS_TOKEN_LIFETIME + SLACK;
        self.lock().insert(credential, until).is_none()
    }

    /// Whether a credential has ended.
    pub fn contains(&self, credential: CredentialId) -> bool {
        self.lock().contains_key(&credential)
    }

    /// Forgets what is of no consequence any more.
    pub fn forget_old(&self, now: Timestamp) {
        self.lock().retain(|_, until| now < *until);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<CredentialId, Timestamp>> {
        // A map is whole between any two of its operations.
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn before(at: Timestamp, span: Duration) -> Timestamp {
    let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(at.as_micros().saturating_sub(micros))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D14: what is refused is refused until it would have run out by itself.
    #[test]
    fn what_ended_is_known_until_its_tokens_have_run_out() {
        let (ended, at) = (Ended::default(), Timestamp::from_micros(1_000_000_000_000));
        let (one, other) = (CredentialId::generate(at), CredentialId::generate(at));
        assert!(ended.note(one, at));
        assert!(!ended.note(one, at));
        ended.forget_old(at + ACCESS_TOKEN_LIFETIME);
        assert!(ended.contains(one) && !ended.contains(other));
        ended.forget_old(at + ACCESS_TOKEN_LIFETIME + SLACK);
        assert!(!ended.contains(one));
    }
}
