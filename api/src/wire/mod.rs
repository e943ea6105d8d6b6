//! What goes over the wire: requests (read, never stored) and responses (written, never read).

pub mod account;
pub mod admin;
pub mod bits;
pub mod challenge;
pub mod credentials;
pub mod event;
pub mod export;
pub mod game;
pub mod import;
pub mod lines;
pub mod moves;
pub mod names;
pub mod notes;
pub mod object;
pub mod page;
pub mod patch;
pub mod pause;
pub mod player;
pub mod proofs;
pub mod push;
pub mod rating;
pub mod replay;
pub mod rules;
pub mod setups;
pub mod terms;
pub mod webhook;
pub mod why;

use serde::Deserialize;
use utoipa::ToSchema;

/// A body with nothing in it: `{}`, or no body at all.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EmptyRequest {}
