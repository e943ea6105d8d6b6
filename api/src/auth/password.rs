//! Passwords, kept as Argon2id hashes. All of this is slow on purpose and runs off the async threads.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version, password_hash};
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

/// Memory in KiB: 19 MiB, the least that the contract allows.
const MEMORY_KIB: u32 = 19 * 1_024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// A fault of hashing itself, never a password that does not match.
#[derive(Debug, Error)]
pub enum PasswordError {
    /// The parameters were refused.
    #[error("Argon2 refused its parameters: {0}")]
    Parameters(argon2::Error),
    /// A password could not be hashed, or a stored hash not be read.
    #[error("a password hash could not be made or read: {0}")]
    Hash(password_hash::Error),
}

/// Hashes and verifies passwords.
pub struct Passwords {
    argon2: Argon2<'static>,
    /// The hash of a password nobody has, so that an unknown name costs what a known one does.
    decoy: String,
}

impl Passwords {
    /// Ready to hash. Takes as long as one hash does.
    ///
    /// # Errors
    /// When the system gives no randomness for a salt.
    pub fn new() -> Result<Self, PasswordError> {
        let params =
            Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(PasswordError::Parameters)?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let decoy = hash_with(&argon2, "nobody has this password")?;
        Ok(Self { argon2, decoy })
    }

    /// The hash of a password as a PHC string with a fresh salt.
    ///
    /// # Errors
    /// When the system gives no randomness for a salt.
    pub fn hash(&self, password: &SecretString) -> Result<String, PasswordError> {
        hash_with(&self.argon2, password.expose_secret())
    }

    /// Whether `password` is the one that `stored` is the hash of. Without a stored hash the answer
    /// is no, after the same work.
    ///
    /// # Errors
    /// When the stored hash cannot be read.
    pub fn verify(
        &self,
        password: &SecretString,
        stored: Option<&str>,
    ) -> Result<bool, PasswordError> {
        let hash = PasswordHash::new(stored.unwrap_or(&self.decoy))
            .map_err(|fault| PasswordError::Hash(fault.into()))?;
        match self
            .argon2
            .verify_password(password.expose_secret().as_bytes(), &hash)
        {
            Ok(()) => Ok(stored.is_some()),
            Err(password_hash::Error::PasswordInvalid) => Ok(false),
            Err(fault) => Err(PasswordError::Hash(fault)),
        }
    }
}

fn hash_with(argon2: &Argon2<'_>, password: &str) -> Result<String, PasswordError> {
    let hash: PasswordHash = argon2
        .hash_password(password.as_bytes())
        .map_err(PasswordError::Hash)?;
    Ok(hash.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_argon2id_with_the_costs_of_the_contract_and_salted() {
        let passwords = Passwords::new().unwrap();
        let password = SecretString::from("correct horse");
        let (one, two) = (
            passwords.hash(&password).unwrap(),
            passwords.hash(&password).unwrap(),
        );
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert_ne!(one, two);
        assert!(passwords.verify(&password, Some(&one)).unwrap());
        assert!(!passwords.verify(&"wrong".into(), Some(&one)).unwrap());
    }

    #[test]
    fn without_a_stored_hash_nothing_matches() {
        let passwords = Passwords::new().unwrap();
        assert!(!passwords.verify(&"anything".into(), None).unwrap());
        assert!(
            !passwords
                .verify(&"nobody has this password".into(), None)
                .unwrap()
        );
        assert!(
            passwords
                .verify(&"anything".into(), Some("not a hash"))
                .is_err()
        );
    }
}
