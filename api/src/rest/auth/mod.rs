//! Registering, logging in, refreshing, logging out, setting a forgotten password anew.

mod login;
mod logout;
mod password_reset;
mod refresh;
mod register;

pub(crate) use login::log_in;
pub(crate) use logout::log_out;
pub(crate) use password_reset::{ask_for_password_reset, confirm_password_reset};
pub(crate) use refresh::refresh_tokens;
pub(crate) use register::register_account;
