//! Setups: checked and made up for anyone, saved for their owner.

mod delete;
mod list;
mod random;
mod replace;
mod save;
mod show;
mod validate;

use serde::Deserialize;
use storage::SetupId;
use uuid::Uuid;

pub(crate) use delete::delete_setup;
pub(crate) use list::list_setups;
pub(crate) use random::random_setup;
pub(crate) use replace::replace_setup;
pub(crate) use save::save_setup;
pub(crate) use show::show_setup;
pub(crate) use validate::validate_setup;

/// The path of a saved setup.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct SetupPath {
    setup_id: Uuid,
}

impl SetupPath {
    const fn id(self) -> SetupId {
        SetupId::from_uuid(self.setup_id)
    }
}
