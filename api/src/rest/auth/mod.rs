//! Registering, logging in, refreshing, logging out.

mod login;
mod logout;
mod refresh;
mod register;

pub(crate) use login::log_in;
pub(crate) use logout::log_out;
pub(crate) use refresh::refresh_tokens;
pub(crate) use register::register_account;
