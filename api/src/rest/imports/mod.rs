//! Games that were recorded elsewhere.

mod show;
mod start;
mod upload;

pub(crate) use show::show_import;
pub(crate) use start::start_import;
