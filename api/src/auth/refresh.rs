//! Refresh tokens: a login's identifier and 256 random bits, of which only the digest is stored.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rand::rand_core::TryRng;
use rand::rngs::{SysError, SysRng};
use sha2::{Digest as _, Sha256};
use storage::{Digest, FamilyId};
use uuid::Uuid;

const FAMILY_BYTES: usize = 16;
const SECRET_BYTES: usize = 32;

/// A refresh token: made and shown to its owner once, or read from what a caller sent.
#[derive(Clone)]
pub struct RefreshToken {
    family: FamilyId,
    secret: [u8; SECRET_BYTES],
}

impl RefreshToken {
    /// Draws the next token of a login.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn generate(family: FamilyId) -> Result<Self, SysError> {
        let mut secret = [0; SECRET_BYTES];
        SysRng.try_fill_bytes(&mut secret)?;
        Ok(Self { family, secret })
    }

    /// Reads a token that a caller sent; none when it is not of the form of one.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; FAMILY_BYTES + SECRET_BYTES];
        let length = BASE64_URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
        let (family, secret) = bytes.split_first_chunk()?;
        let secret = secret.try_into().ok().filter(|_| length == bytes.len())?;
        Some(Self {
            family: FamilyId::from_uuid(Uuid::from_bytes(*family)),
            secret,
        })
    }

    /// The token as its owner gets it.
    pub fn expose(&self) -> String {
        let mut bytes = self.family.as_uuid().as_bytes().to_vec();
        bytes.extend(self.secret);
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The login it belongs to.
    pub fn family(&self) -> FamilyId {
        self.family
    }

    /// What is stored in its place. The secret has 256 random bits, so that a plain digest cannot
    /// be searched backwards, and comparing digests tells nothing by its time.
    pub fn digest(&self) -> Digest {
        Digest(Sha256::digest(self.secret).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token() -> RefreshToken {
        let now = domain::Timestamp::from_micros(1_795_986_000_000_000);
        RefreshToken::generate(FamilyId::generate(now)).unwrap()
    }

    #[test]
    fn tokens_read_back_and_differ() {
        let one = token();
        let read = RefreshToken::parse(&one.expose()).unwrap();
        assert_eq!((read.family(), read.digest()), (one.family(), one.digest()));
        let next = RefreshToken::generate(one.family()).unwrap();
        assert_ne!(next.digest(), one.digest());
    }

    #[test]
    fn what_is_no_token_is_none() {
        let good = token().expose();
        for text in [
            "",
            "x",
            &good[1..],
            &format!("{good}A"),
            &format!("{good}="),
            &"é".repeat(32),
        ] {
            assert!(RefreshToken::parse(text).is_none(), "{text}");
        }
    }
}
