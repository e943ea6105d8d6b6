//! Refresh tokens: 256 random bits, of which only the digest is stored.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rand::rand_core::TryRng;
use rand::rngs::{SysError, SysRng};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// A fresh refresh token, shown to its owner once.
#[derive(Debug)]
pub struct RefreshToken(SecretString);

impl RefreshToken {
    /// Draws a token.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn generate() -> Result<Self, SysError> {
        let mut bytes = [0; 32];
        SysRng.try_fill_bytes(&mut bytes)?;
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(bytes).into()))
    }

    /// The token itself, for its owner.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// What is stored in its place.
    pub fn digest(&self) -> [u8; 32] {
        digest_of(self.expose())
    }
}

/// The digest under which a token is stored and looked up. A token has 256 random bits, so that a
/// plain digest cannot be searched backwards and a look-up by it tells nothing by its time.
pub fn digest_of(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_256_bits_differ_and_do_not_print() {
        let (one, two) = (
            RefreshToken::generate().unwrap(),
            RefreshToken::generate().unwrap(),
        );
        assert_eq!(
            BASE64_URL_SAFE_NO_PAD.decode(one.expose()).unwrap().len(),
            32
        );
        assert_ne!(one.expose(), two.expose());
        assert_eq!(one.digest(), digest_of(one.expose()));
        assert_ne!(one.digest(), two.digest());
        assert!(!format!("{one:?}").contains(one.expose()));
    }
}
