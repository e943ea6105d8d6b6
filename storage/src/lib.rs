//! Games, moves and accounts, kept on SQLite or PostgreSQL through one query layer.
//!
//! - [`Database`] is opened by a URL; [`Database::read`] and [`Database::write`] lend a
//!   [`Connection`] within one transaction;
//! - each noun has a module whose functions take that connection, so that a use case composes them
//!   within one read or one write;
//! - a change of a game goes through [`games::append`], and on PostgreSQL a move also as a
//!   [`games::Step`]: guarded, so that of two writers who saw the same game one succeeds.
//!
//! Rows are private to this crate. What it gives out are values of the domain and plain structs.
#![deny(missing_docs)]

pub mod archive;
pub mod audit;
pub mod backup;
pub mod blocks;
pub mod challenges;
mod checkpoint;
mod claim;
mod connection;
pub mod credentials;
mod database;
mod either;
pub mod erasure;
mod error;
pub mod facts;
pub mod feeds;
pub mod games;
pub mod heartbeat;
pub mod idempotency;
mod ids;
pub mod imports;
pub mod mail;
mod migrations;
mod mover;
pub mod notes;
mod notices;
mod number;
mod page;
pub mod personal_tokens;
pub mod players;
pub mod pseudonyms;
pub mod ratings;
pub mod saved_setups;
mod schema;
pub mod sessions;
pub mod subscriptions;
mod terms;
mod text;
pub mod tickets;
mod time;
mod topic;
mod url;
pub mod vacations;
mod writable;
mod writer;

pub use claim::{Claim, claim};
pub use database::{Database, PoolOptions, create_new_private_file, create_private_folder};
pub use either::DatabaseConnection as Connection;
pub use error::{
    Corruption, Outage, Rival, StorageError, Unique, UnknownMigration, WriteProtection,
};
pub use ids::{
    AuditId, ChallengeId, CredentialId, Digest, FamilyId, GameId, ImportId, LeaseId, PlayerId,
    SetupId, SubscriptionId, TokenId, generate_offer_id,
};
pub use notices::{Heard, Notifier};
pub use page::{Direction, Page, PageRequest};
pub use topic::Topic;
pub use url::{DatabaseUrl, DatabaseUrlError};

pub use writable::assert_writable;
pub use writer::WriterFigures;
