//! Accounts: made, entered, left.
//!
//! These are asynchronous, since a password is hashed on one kind of thread and the database asked
//! on another.

mod login;
mod me;
mod register;
mod session;

pub use login::login;
pub use me::{AccountPatch, account, erase, erased, require_active, update};
pub use register::{Registration, register};
pub use session::{SignedIn, Tokens, logout, refresh};
