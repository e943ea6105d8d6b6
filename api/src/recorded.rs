//! Games that were recorded elsewhere, and games of this server that are to be read elsewhere.
//!
//! [`Documents`] finds what there is in files, folders and archives, a document at a time; [`parse`] makes
//! [`Recording`]s of it; [`replay`] plays them by the rules. [`GameFormat`] writes. Nothing here knows a database.

mod documents;
mod exported;
mod gravon_xml;
pub(crate) mod instant;
mod json;
mod parse;
mod plain;
mod recording;
mod rejection;
mod result;
#[cfg(test)]
mod tests;
mod text;
mod write_xml;

pub use documents::{Document, Documents, MAX_DOCUMENT, MAX_ENTRIES, MAX_LINE, MAX_UNPACKED};
pub use exported::{ExportFault, Exported, GameFormat};
pub(crate) use json::GameText;
pub use parse::parse;
pub use recording::{
    MAX_NAME, MAX_PLIES, PLAY, REVEILLE, Recording, check_source, replay, replay_or_at,
};
pub use rejection::{Code, Rejection};
