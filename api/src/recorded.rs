//! Games that were recorded elsewhere, from files to games.
//!
//! [`Documents`] finds what there is in files, folders and archives, a document at a time.

mod documents;
mod gravon_xml;
mod rejection;
mod text;

pub use documents::{Document, Documents, MAX_DOCUMENT, MAX_ENTRIES, MAX_LINE, MAX_UNPACKED};
pub use rejection::{Code, Rejection};
