//! Finished games that leave the server: one, or those that a filter finds, as files for other programs.

mod output;

pub use output::Output;
