//! What can be wrong with the configuration, each a sentence for the person who starts the program.

use std::path::PathBuf;

use thiserror::Error;

/// A setting that cannot be taken. The program says so and ends with status 2.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The configuration file is missing, unreadable or not TOML.
    #[error("cannot read the configuration file {path}: {cause}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the reader said.
        cause: Box<figment::Error>,
    },
    /// The file has a key that is none of ours.
    #[error("unknown key `{key}` in {path}; the keys are {known}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The file.
        path: PathBuf,
        /// All keys there are.
        known: String,
    },
    /// A value that is not what its key takes.
    #[error("{key} ({source_name}): expected {expected}, got {found:?}")]
    Value {
        /// The key, as in the file.
        key: &'static str,
        /// Where the value came from: the file, an environment variable or a flag.
        source_name: String,
        /// What the key takes.
        expected: String,
        /// What it was given.
        found: String,
    },
    /// An environment variable of ours that is not UTF-8.
    #[error("the environment variable {0} is not UTF-8")]
    NotUtf8(String),
}
