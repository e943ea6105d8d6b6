//! The prose of the rules, one language a file.

pub(super) mod el;
pub(super) mod en;
pub(super) mod es;
pub(super) mod fr;
pub(super) mod ro;
