//! Personal tokens: 256 random bits behind a mark by which people and scanners know one.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use domain::Timestamp;
use rand::rand_core::TryRng;
use rand::rngs::{SysError, SysRng};
use sha2::{Digest as _, Sha256};
use storage::{Digest, PlayerId, TokenId};

use super::Scopes;

/// What every personal token begins with.
pub const PERSONAL_PREFIX: &str = "rvl_";

const SECRET_BYTES: usize = 32;
/// How long a token that was looked up need not be looked up again. That it was taken back is heard
/// sooner, by [`Ended`](super::Ended).
const HELD_FOR: Duration = Duration::from_mins(5);
/// How many tokens are held at once.
const MAX_HELD: usize = 10_000;

/// A personal token: made and shown to its owner once, or read from what a caller sent.
pub struct PersonalToken([u8; SECRET_BYTES]);

impl PersonalToken {
    /// Draws a token.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn generate() -> Result<Self, SysError> {
        let mut secret = [0; SECRET_BYTES];
        SysRng.try_fill_bytes(&mut secret)?;
        Ok(Self(secret))
    }

    /// Reads a token that a caller sent; none when it is not of the form of one.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix(PERSONAL_PREFIX)?;
        let mut secret = [0; SECRET_BYTES];
        let length = BASE64_URL_SAFE_NO_PAD
            .decode_slice(text, &mut secret)
            .ok()?;
        (length == SECRET_BYTES).then_some(Self(secret))
    }

    /// The token as its owner gets it.
    pub fn expose(&self) -> String {
        let mut text = PERSONAL_PREFIX.to_owned();
        BASE64_URL_SAFE_NO_PAD.encode_string(self.0, &mut text);
        text
    }

    /// What is stored in its place, and what it is found by: that a digest is looked for tells by its
    /// time nothing of the secret.
    pub fn digest(&self) -> Digest {
        Digest(Sha256::digest(self.0).into())
    }
}

/// What is known of a personal token that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recognised {
    /// Which.
    pub id: TokenId,
    /// Whose.
    pub player: PlayerId,
    /// What it allows.
    pub scopes: Scopes,
    /// When it runs out, if it does.
    pub expires_at: Option<Timestamp>,
}

/// Tokens that were looked up of late, so that a bot's move need not read the database for its token.
#[derive(Default)]
pub struct HeldTokens {
    held: Mutex<HashMap<Digest, (Recognised, Timestamp)>>,
}

impl HeldTokens {
    /// A token that was looked up of late.
    pub fn get(&self, digest: Digest, now: Timestamp) -> Option<Recognised> {
        let (token, until) = self.lock().get(&digest).copied()?;
        (now < until).then_some(token)
    }

    /// Holds a token that was looked up now.
    pub fn hold(&self, digest: Digest, token: Recognised, now: Timestamp) {
        let mut held = self.lock();
        if held.len() >= MAX_HELD {
            held.retain(|_, (_, until)| now < *until);
        }
        if held.len() < MAX_HELD {
            held.insert(digest, (token, now + HELD_FOR));
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, (Recognised, Timestamp)>> {
        // A map of tokens is whole between any two of its operations.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_read_back_and_differ() {
        let token = PersonalToken::generate().unwrap();
        let text = token.expose();
        assert!(text.starts_with("rvl_") && text.len() == 47, "{text}");
        let read = PersonalToken::parse(&text).unwrap();
        assert_eq!(read.digest(), token.digest());
        assert_ne!(PersonalToken::generate().unwrap().digest(), token.digest());
    }

    #[test]
    fn what_is_no_token_is_none() {
        let good = PersonalToken::generate().unwrap().expose();
        for text in [
            "",
            "rvl_",
            &good[4..],
            &good[..46],
            &format!("{good}A"),
            &format!("{good}="),
            &good.replace("rvl_", "RVL_"),
        ] {
            assert!(PersonalToken::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn what_is_held_is_bounded_in_time_and_number() {
        let (held, now) = (HeldTokens::default(), Timestamp::from_micros(0));
        let token = Recognised {
            id: TokenId::generate(now),
            player: PlayerId::generate(now),
            scopes: Scopes::LOGIN,
            expires_at: None,
        };
        for number in 0..MAX_HELD as u64 + 10 {
            let digest = Digest(Sha256::digest(number.to_be_bytes()).into());
            held.hold(digest, token, now);
        }
        assert_eq!(held.lock().len(), MAX_HELD);
        let later = now + HELD_FOR;
        let digest = Digest([1; 32]);
        held.hold(digest, token, later);
        assert_eq!(held.lock().len(), 1);
        assert_eq!(held.get(digest, later), Some(token));
        assert_eq!(held.get(digest, later + HELD_FOR), None);
    }
}
