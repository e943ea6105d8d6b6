//! What opens an account: the password, the logins, the personal tokens. None of it is for whoever holds
//! no more than a personal token.

mod password;
mod sessions;
mod tokens;

pub use password::*;
pub use sessions::*;
pub use tokens::*;
