//! One's address, and the pages that links in mails lead to.
//!
//! A link opens a page with a button, and the button does it: programs that look at links before people
//! do change nothing. The token is in the query, which is in no log of this server. The pages say in
//! words what came of it, with status 200: they are for people.

mod page;
mod reset;
mod unsubscribe;
mod verify;

use serde::Deserialize;
use utoipa::IntoParams;

pub(crate) use reset::{confirm_reset, show_reset};
pub(crate) use unsubscribe::{confirm_unsubscribe, show_unsubscribe};
pub(crate) use verify::{confirm_verification, show_verification, verify_email};

/// The token of a link.
// Not printable.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LinkQuery {
    /// The token, as it is in the link.
    #[param(max_length = 128)]
    token: String,
}
