//! The Ed25519 keys that sign access tokens: the newest signs, all of them verify.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{self, DecodePrivateKey, EncodePrivateKey};
use jsonwebtoken::{DecodingKey, EncodingKey};
use rand::rand_core::TryRng;
use rand::rngs::SysRng;
use serde::Serialize;
use sha2::{Digest, Sha256};
use thiserror::Error;
use utoipa::ToSchema;

use super::key_file;

/// The key of a data folder, made at first start.
const CURRENT_FILE: &str = "signing-key.pem";
/// A key that was current before: rename the current file to this and start anew to rotate.
const PREVIOUS_FILE: &str = "signing-key.previous.pem";

/// Why there are no signing keys.
#[derive(Debug, Error)]
pub enum KeyError {
    /// A key file could not be read or made.
    #[error("cannot use the signing key file {path}: {cause}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// A key file holds something else.
    #[error("the signing key file {path} holds no Ed25519 key in PKCS#8 PEM form: {cause}")]
    NotAKey {
        /// The file.
        path: PathBuf,
        /// What the reader said.
        cause: pkcs8::Error,
    },
    /// A key could not be encoded.
    #[error("cannot encode a signing key: {0}")]
    Encode(#[from] pkcs8::Error),
    /// The system gave no randomness.
    #[error("the system gave no randomness for a signing key")]
    NoRandomness,
}

/// One public key as a JSON Web Key (RFC 7517, RFC 8037).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Jwk {
    /// The key type, always `OKP`.
    pub kty: &'static str,
    /// The curve, always `Ed25519`.
    pub crv: &'static str,
    /// The public key, base64url.
    pub x: String,
    /// The key's identifier: its thumbprint by RFC 7638.
    pub kid: String,
    /// The algorithm, always `EdDSA`.
    pub alg: &'static str,
    /// The use, always `sig`.
    #[serde(rename = "use")]
    pub usage: &'static str,
}

/// All valid keys, newest first and never empty.
pub struct SigningKeys {
    newest: Key,
    older: Vec<Key>,
}

/// A key in the forms that signing and verifying need.
pub(super) struct Key {
    pub(super) jwk: Jwk,
    pub(super) signing: EncodingKey,
    pub(super) verifying: DecodingKey,
}

impl SigningKeys {
    /// The keys of the configured files, newest first.
    ///
    /// # Errors
    /// When a file cannot be read or holds no such key, or when `files` is empty.
    pub fn from_files(files: &[PathBuf]) -> Result<Self, KeyError> {
        let mut keys = files.iter().map(|path| read(path));
        let newest = keys.next().unwrap_or(Err(KeyError::File {
            path: PathBuf::new(),
            cause: io::Error::from(io::ErrorKind::NotFound),
        }))?;
        Ok(Self {
            newest,
            older: keys.collect::<Result<_, _>>()?,
        })
    }

    /// The keys of a data folder; makes the folder and a key when there is none.
    ///
    /// # Errors
    /// When the folder or the file cannot be made or read.
    pub fn from_data_dir(folder: &Path) -> Result<Self, KeyError> {
        let current = folder.join(CURRENT_FILE);
        if !current.exists() {
            create(folder, &current)?;
        }
        let previous = folder.join(PREVIOUS_FILE);
        let older = if previous.exists() {
            vec![read(&previous)?]
        } else {
            Vec::new()
        };
        Ok(Self {
            newest: read(&current)?,
            older,
        })
    }

    /// The public keys, newest first.
    pub fn public(&self) -> Vec<Jwk> {
        self.all().map(|key| key.jwk.clone()).collect()
    }

    pub(super) fn newest(&self) -> &Key {
        &self.newest
    }

    pub(super) fn find(&self, kid: &str) -> Option<&Key> {
        self.all().find(|key| key.jwk.kid == kid)
    }

    fn all(&self) -> impl Iterator<Item = &Key> {
        std::iter::once(&self.newest).chain(&self.older)
    }
}

fn read(path: &Path) -> Result<Key, KeyError> {
    let file_fault = |cause| KeyError::File {
        path: path.to_owned(),
        cause,
    };
    let pem = fs::read_to_string(path).map_err(file_fault)?;
    let key = SigningKey::from_pkcs8_pem(&pem).map_err(|cause| KeyError::NotAKey {
        path: path.to_owned(),
        cause,
    })?;
    let public = key.verifying_key().to_bytes();
    Ok(Key {
        jwk: jwk(&public),
        signing: EncodingKey::from_ed_der(key.to_pkcs8_der()?.as_bytes()),
        verifying: DecodingKey::from_ed_der(&public),
    })
}

/// Makes a key file, readable by its owner alone.
fn create(folder: &Path, path: &Path) -> Result<(), KeyError> {
    let mut secret = [0; 32];
    SysRng
        .try_fill_bytes(&mut secret)
        .map_err(|_| KeyError::NoRandomness)?;
    let pem = SigningKey::from_bytes(&secret).to_pkcs8_pem(LineEnding::LF)?;
    key_file::create(folder, CURRENT_FILE, pem.as_bytes()).map_err(|cause| KeyError::File {
        path: path.to_owned(),
        cause,
    })
}

fn jwk(public: &[u8; 32]) -> Jwk {
    let x = BASE64_URL_SAFE_NO_PAD.encode(public);
    // RFC 7638: the required members alone, in order of their names, without white space.
    let canonical = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
    let kid = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(canonical));
    Jwk {
        kty: "OKP",
        crv: "Ed25519",
        x,
        kid,
        alg: "EdDSA",
        usage: "sig",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thumbprint_is_that_of_the_standard() {
        // RFC 8037, appendix A.3.
        let public = BASE64_URL_SAFE_NO_PAD
            .decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
            .unwrap();
        let key = jwk(&public.try_into().unwrap());
        assert_eq!(key.kid, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }

    #[test]
    fn a_key_is_made_once_kept_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let first = SigningKeys::from_data_dir(&data).unwrap().public();
        assert_eq!(SigningKeys::from_data_dir(&data).unwrap().public(), first);
        let files: Vec<_> = fs::read_dir(&data)
            .unwrap()
            .map(|file| file.unwrap().path())
            .collect();
        assert_eq!(files, [data.join(CURRENT_FILE)]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(
                files[0].metadata().unwrap().permissions().mode() & 0o777,
                0o600
            );
        }
    }

    #[test]
    fn processes_that_start_together_share_one_key() {
        let folder = tempfile::tempdir().unwrap();
        let keys: Vec<_> = std::thread::scope(|scope| {
            let start = || SigningKeys::from_data_dir(folder.path()).unwrap().public();
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(start)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_renamed_key_stays_valid_beside_a_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let before = SigningKeys::from_data_dir(folder.path()).unwrap().public();
        fs::rename(
            folder.path().join(CURRENT_FILE),
            folder.path().join(PREVIOUS_FILE),
        )
        .unwrap();
        let after = SigningKeys::from_data_dir(folder.path()).unwrap();
        assert_eq!(after.public().len(), 2);
        assert_eq!(after.public()[1], before[0]);
        assert!(after.find(&before[0].kid).is_some());
        assert_ne!(after.newest().jwk, before[0]);
    }

    #[test]
    fn configured_files_keep_their_order_and_bad_ones_are_named() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files = [one.path().join(CURRENT_FILE), two.path().join(CURRENT_FILE)];
        let made = [one.path(), two.path()].map(|folder| {
            SigningKeys::from_data_dir(folder)
                .unwrap()
                .public()
                .remove(0)
        });
        assert_eq!(SigningKeys::from_files(&files).unwrap().public(), made);

        fs::write(&files[1], "not a key").unwrap();
        for files in [&files[..], &[one.path().join("missing.pem")], &[]] {
            let fault = SigningKeys::from_files(files).err().unwrap().to_string();
            assert!(fault.contains("signing key file"), "{fault}");
        }
    }
}
