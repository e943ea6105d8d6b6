//! Access tokens: JWTs by RFC 8725 and RFC 9068, with one algorithm, EdDSA.
//!
//! The leeway is zero: tokens are issued and checked by the same clock, or by clocks of nodes that
//! are kept in step. Times are checked here against the server's [`Clock`](crate::clock::Clock) and not by the JWT library, which
//! knows the system's clock alone.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use storage::FamilyId;
use uuid::Uuid;

use super::{Jwk, Scopes, SigningKeys};

/// How long an access token is valid.
pub const ACCESS_TOKEN_LIFETIME: Duration = Duration::from_mins(15);

const ISSUER: &str = "reveille";
const AUDIENCE: &str = "reveille-api";
/// The media type of access tokens (RFC 9068), so that no other JWT of ours can stand in for one.
const TYPE: &str = "at+jwt";
/// Ours are about 400 bytes; nothing longer is worth parsing.
const MAX_TOKEN_BYTES: usize = 2_048;
/// How many verified tokens are remembered.
const MAX_REMEMBERED: usize = 10_000;

/// Why a token is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenFault {
    /// Not a token of this server, or not one yet.
    Invalid,
    /// Its login has ended, or it was taken back.
    Ended,
    /// It was valid and has run out.
    Expired,
}

/// What an access token says, once verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verified {
    pub(super) player_id: Uuid,
    pub(super) scopes: Scopes,
    /// The login that it came of.
    pub(super) login: Option<FamilyId>,
    not_before: i64,
    /// The second from which on it is not valid.
    pub(super) expires: i64,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: Uuid,
    iat: i64,
    nbf: i64,
    exp: i64,
    jti: Uuid,
    scope: String,
    /// The login. Tokens of the release before have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sid: Option<Uuid>,
}

/// Issues and verifies access tokens.
pub struct AccessTokens {
    keys: SigningKeys,
    validation: Validation,
    /// Tokens whose signature was verified, by digest: verifying costs far more than a digest.
    remembered: Mutex<HashMap<[u8; 32], Verified>>,
}

impl AccessTokens {
    /// Tokens signed by the newest of `keys` and verified by all of them.
    pub fn new(keys: SigningKeys) -> Self {
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "nbf", "exp"]);
        validation.leeway = 0;
        validation.validate_exp = false;
        validation.validate_nbf = false;
        Self {
            keys,
            validation,
            remembered: Mutex::new(HashMap::new()),
        }
    }

    /// The public keys that verify these tokens, newest first.
    pub fn public_keys(&self) -> Vec<Jwk> {
        self.keys.public()
    }

    /// A token for `player_id` of a login, valid from `now` for [`ACCESS_TOKEN_LIFETIME`].
    ///
    /// # Errors
    /// When the key cannot sign, which is a fault of the server.
    pub fn issue(
        &self,
        player_id: Uuid,
        login: FamilyId,
        scopes: Scopes,
        now: DateTime<Utc>,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let issued = now.timestamp();
        let claims = Claims {
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: player_id,
            iat: issued,
            nbf: issued,
            exp: issued + ACCESS_TOKEN_LIFETIME.as_secs().cast_signed(),
            jti: Uuid::now_v7(),
            scope: scopes.to_string(),
            sid: Some(login.as_uuid()),
        };
        let key = self.keys.newest();
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some(TYPE.to_owned());
        header.kid = Some(key.jwk.kid.clone());
        encode(&header, &claims, &key.signing)
    }

    /// Verifies signature, type, issuer, audience and times of a token.
    pub(super) fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<Verified, TokenFault> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenFault::Invalid);
        }
        let digest: [u8; 32] = Sha256::digest(token).into();
        let remembered = self.remembered().get(&digest).copied();
        let verified = match remembered {
            Some(verified) => verified,
            None => self.verify_signature(token)?,
        };
        let now = now.timestamp();
        if now < verified.not_before {
            return Err(TokenFault::Invalid);
        }
        if now >= verified.expires {
            return Err(TokenFault::Expired);
        }
        if remembered.is_none() {
            self.remember(digest, verified, now);
        }
        Ok(verified)
    }

    fn verify_signature(&self, token: &str) -> Result<Verified, TokenFault> {
        let header = decode_header(token).map_err(|_| TokenFault::Invalid)?;
        if header.typ.as_deref() != Some(TYPE) {
            return Err(TokenFault::Invalid);
        }
        let key = header
            .kid
            .and_then(|kid| self.keys.find(&kid))
            .ok_or(TokenFault::Invalid)?;
        let claims = decode::<Claims>(token, &key.verifying, &self.validation)
            .map_err(|_| TokenFault::Invalid)?
            .claims;
        Ok(Verified {
            player_id: claims.sub,
            scopes: Scopes::parse(&claims.scope),
            login: claims.sid.map(FamilyId::from_uuid),
            not_before: claims.nbf.max(claims.iat),
            expires: claims.exp,
        })
    }

    fn remember(&self, digest: [u8; 32], verified: Verified, now: i64) {
        let mut remembered = self.remembered();
        if remembered.len() >= MAX_REMEMBERED {
            remembered.retain(|_, verified| now < verified.expires);
        }
        if remembered.len() < MAX_REMEMBERED {
            remembered.insert(digest, verified);
        }
    }

    fn remembered(&self) -> std::sync::MutexGuard<'_, HashMap<[u8; 32], Verified>> {
        // A map of verified tokens is whole between any two of its operations.
        self.remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
