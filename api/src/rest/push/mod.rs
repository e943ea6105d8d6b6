//! Browsers that are told by Web Push.

mod key;
mod list;
mod subscribe;
mod unsubscribe;

use crate::deliveries::push::Vapid;
use crate::problem::{ApiError, Code};
use crate::state::AppState;

pub(crate) use key::show_vapid_key;
pub(crate) use list::list_browsers;
pub(crate) use subscribe::subscribe_browser;
pub(crate) use unsubscribe::unsubscribe_browser;

/// What browsers are told by.
fn vapid(state: &AppState) -> Result<&Vapid, ApiError> {
    state
        .deliveries
        .vapid
        .as_ref()
        .ok_or_else(|| ApiError::new(Code::NotFound, "this server pushes nothing to browsers"))
}
