//! The key that push services know this server by, and the tokens that it signs for them (RFC 8292).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use p256::SecretKey;
use p256::pkcs8::{self, DecodePrivateKey, EncodePrivateKey, LineEnding};
use rand::rand_core::TryRng;
use rand::rngs::SysRng;
use serde::Serialize;
use url::Url;

use crate::auth::key_file;
use crate::config::Config;

/// The key of a data folder, made at first start.
const FILE: &str = "vapid-key.pem";
/// How long a token holds; at most a day may be asked for.
const LIFETIME: Duration = Duration::from_hours(12);

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum VapidError {
    /// The key file could not be read or made.
    #[error("cannot use the VAPID key file {path}: {cause}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The key file holds something else.
    #[error("the VAPID key file {path} holds no key of P-256 in PKCS#8 PEM form: {cause}")]
    NotAKey {
        /// The file.
        path: PathBuf,
        /// What the reader said.
        cause: pkcs8::Error,
    },
    /// A key could not be encoded.
    #[error("cannot encode a VAPID key: {0}")]
    Encode(#[from] pkcs8::Error),
    /// The system gave no randomness, or none that makes a key.
    #[error("the system gave no randomness for a VAPID key")]
    NoRandomness,
}

/// The key, and whom push services may turn to.
pub struct Vapid {
    signing: EncodingKey,
    public: String,
    contact: Option<String>,
}

#[derive(Serialize)]
struct Claims<'a> {
    aud: String,
    exp: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<&'a str>,
}

impl Vapid {
    /// The configured key, else that of the data folder, which is made when there is none. Where none can
    /// be made nothing is pushed.
    ///
    /// # Errors
    /// When the configured file cannot be read or holds no such key.
    pub fn of(config: &Config) -> Result<Option<Self>, VapidError> {
        let contact = config.vapid_contact.clone();
        if let Some(path) = &config.vapid_key {
            return Self::read(path, contact).map(Some);
        }
        let made = Self::from_data_dir(&config.data_dir, contact);
        Ok(made
            .inspect_err(|fault| tracing::warn!("{fault}; nothing is pushed to browsers"))
            .ok())
    }

    fn from_data_dir(folder: &Path, contact: Option<String>) -> Result<Self, VapidError> {
        let path = folder.join(FILE);
        if !path.exists() {
            let mut secret = [0; 32];
            SysRng
                .try_fill_bytes(&mut secret)
                .map_err(|_| VapidError::NoRandomness)?;
            let key = SecretKey::from_slice(&secret).map_err(|_| VapidError::NoRandomness)?;
            let pem = key.to_pkcs8_pem(LineEnding::LF)?;
            key_file::create(folder, FILE, pem.as_bytes()).map_err(|cause| VapidError::File {
                path: path.clone(),
                cause,
            })?;
        }
        Self::read(&path, contact)
    }

    fn read(path: &Path, contact: Option<String>) -> Result<Self, VapidError> {
        let pem = fs::read_to_string(path).map_err(|cause| VapidError::File {
            path: path.to_owned(),
            cause,
        })?;
        let key = SecretKey::from_pkcs8_pem(&pem).map_err(|cause| VapidError::NotAKey {
            path: path.to_owned(),
            cause,
        })?;
        Ok(Self {
            signing: EncodingKey::from_ec_der(key.to_pkcs8_der()?.as_bytes()),
            public: BASE64_URL_SAFE_NO_PAD.encode(key.public_key().to_sec1_bytes()),
            contact,
        })
    }

    /// The public key, as browsers take it (`applicationServerKey`): base64url of an uncompressed point.
    pub fn public_key(&self) -> &str {
        &self.public
    }

    /// The `Authorization` of a request to a push service.
    ///
    /// # Errors
    /// When it cannot be signed: a fault of this program.
    pub(super) fn authorization(
        &self,
        endpoint: &str,
        now: domain::Timestamp,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let origin = Url::parse(endpoint).map(|url| url.origin().ascii_serialization());
        let seconds = now.as_micros().div_euclid(1_000_000);
        let claims = Claims {
            aud: origin.unwrap_or_default(),
            exp: seconds.saturating_add_unsigned(LIFETIME.as_secs()),
            sub: self.contact.as_deref(),
        };
        let token = encode(&Header::new(Algorithm::ES256), &claims, &self.signing)?;
        Ok(format!("vapid t={token}, k={}", self.public))
    }
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;
    use jsonwebtoken::{DecodingKey, Validation, decode};
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_token_is_for_the_origin_and_signed_by_the_key_that_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let contact = Some("mailto:admin@example.org".to_owned());
        let vapid = Vapid::from_data_dir(folder.path(), contact).unwrap();
        let now = Timestamp::from_micros(1_700_000_000_000_000);
        let header = vapid
            .authorization("https://push.example.org/send/abc?d=e", now)
            .unwrap();
        let (token, key) = header
            .strip_prefix("vapid t=")
            .and_then(|rest| rest.split_once(", k="))
            .unwrap();
        assert_eq!(key, vapid.public_key());
        let point = BASE64_URL_SAFE_NO_PAD.decode(key).unwrap();
        assert_eq!((point.len(), point[0]), (65, 4));
        let mut validation = Validation::new(Algorithm::ES256);
        validation.validate_exp = false;
        validation.set_audience(&["https://push.example.org"]);
        let claims = decode::<Value>(token, &DecodingKey::from_ec_der(&point), &validation);
        assert_eq!(
            claims.unwrap().claims,
            json!({
                "aud": "https://push.example.org", "exp": 1_700_043_200,
                "sub": "mailto:admin@example.org",
            })
        );
    }

    #[test]
    fn a_key_is_made_once_and_a_bad_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let key = || {
            let vapid = Vapid::from_data_dir(folder.path(), None);
            vapid.map(|vapid| vapid.public_key().to_owned())
        };
        let first = key().unwrap();
        assert_eq!(key().unwrap(), first);
        fs::write(folder.path().join(FILE), "not a key").unwrap();
        assert!(key().unwrap_err().to_string().contains(FILE));
    }
}
