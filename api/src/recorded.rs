//! Games that were recorded elsewhere, from the bytes of a file to games.

mod gravon_xml;
mod text;

pub use gravon_xml::{XmlFault, games as gravon_games};
pub use text::{TextFault, decode};
