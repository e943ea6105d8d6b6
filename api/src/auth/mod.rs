//! Who is calling: signing keys, access and refresh tokens, passwords, and the callers themselves.

mod caller;
mod ended;
pub mod key_file;
mod keys;
mod opaque;
mod password;
mod personal;
mod scope;
mod token;

pub use caller::{
    AUTH_PREFIX, Authentication, Caller, Credential, MaybeCaller, authenticate,
    ended as ended_refusal, refuse_bad_tokens,
};
pub use ended::Ended;
pub use keys::{Jwk, KeyError, SigningKeys};
pub use opaque::OpaqueToken;
pub use password::{PasswordError, Passwords};
pub use personal::{HeldTokens, PERSONAL_PREFIX, PersonalToken, Recognised};
pub use scope::{Scope, Scopes};
pub use token::{ACCESS_TOKEN_LIFETIME, AccessTokens, TokenFault};
