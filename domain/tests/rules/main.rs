//! The rules of Stratego, from outside the crate.
