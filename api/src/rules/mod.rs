//! What a ruleset is called and how it is explained, in the languages there are.
//!
//! The facts (armies, limits, defaults) are the domain's. Here is the prose about them, which is put
//! together for a ruleset from its data, so that no sentence can say another number than the rules do.

mod language;
mod prose;
mod ranks;
mod text;

pub use language::Language;
pub use prose::{Section, Topic, advice, repetition, sheet, text};
pub use ranks::rank_name;
