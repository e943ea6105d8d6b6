//! Opaque tokens, which are the server's alone to read: an identifier and 256 random bits, of which only
//! the digest is stored. A refresh token names a login, a ticket a player.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rand::rand_core::TryRng;
use rand::rngs::{SysError, SysRng};
use sha2::{Digest as _, Sha256};
use storage::Digest;
use uuid::Uuid;

const ID_BYTES: usize = 16;
const SECRET_BYTES: usize = 32;

/// An opaque token: made and shown to its owner once, or read from what a caller sent.
#[derive(Clone)]
pub struct OpaqueToken {
    id: Uuid,
    secret: [u8; SECRET_BYTES],
}

impl OpaqueToken {
    /// Draws a token of what `id` identifies.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn generate(id: Uuid) -> Result<Self, SysError> {
        let mut secret = [0; SECRET_BYTES];
        SysRng.try_fill_bytes(&mut secret)?;
        Ok(Self { id, secret })
    }

    /// Reads a token that a caller sent; none when it is not of the form of one.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; ID_BYTES + SECRET_BYTES];
        let length = BASE64_URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
        let (id, secret) = bytes.split_first_chunk()?;
        let secret = secret.try_into().ok().filter(|_| length == bytes.len())?;
        Some(Self {
            id: Uuid::from_bytes(*id),
            secret,
        })
    }

    /// The token as its owner gets it.
    pub fn expose(&self) -> String {
        let mut bytes = self.id.as_bytes().to_vec();
        bytes.extend(self.secret);
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    /// What it belongs to.
    pub const fn id(&self) -> Uuid {
        self.id
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

    fn token() -> OpaqueToken {
        OpaqueToken::generate(Uuid::now_v7()).unwrap()
    }

    #[test]
    fn tokens_read_back_and_differ() {
        let one = token();
        let read = OpaqueToken::parse(&one.expose()).unwrap();
        assert_eq!((read.id(), read.digest()), (one.id(), one.digest()));
        let next = OpaqueToken::generate(one.id()).unwrap();
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
            assert!(OpaqueToken::parse(text).is_none(), "{text}");
        }
    }
}
