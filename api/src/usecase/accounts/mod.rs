//! Accounts: made, entered, left.
//!
//! These are asynchronous, since a password is hashed on one kind of thread and the database asked
//! on another.

mod email;
mod login;
mod me;
mod password;
mod password_reset;
mod register;
mod session;

pub use email::{Verification, ask_for_verification, unsubscribe, verify_email};
pub use login::login;
pub use me::{
    AccountPatch, account, erase, erased, preferences, require_active, require_alive, update,
};
pub use password::{change_password, end_all_credentials};
pub use password_reset::{ask_for_password_reset, reset_password};
pub use register::{Registration, register};
pub use session::{SignedIn, Tokens, logout, refresh};
