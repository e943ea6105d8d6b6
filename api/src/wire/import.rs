//! Imports of recorded games on the wire.

use serde::{Deserialize, Serialize};
use storage::imports::{self, Import};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::problem::ApiError;
use crate::recorded::Rejection;
use crate::time::Timestamp;

/// How many characters of a file's name are told.
const MAX_FILE: usize = 300;

/// How many characters of what is wrong are told.
const MAX_DETAIL: usize = 400;

/// An import, and what came of it so far.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportResponse {
    /// Its identifier.
    pub id: Uuid,
    /// How far it is.
    pub status: ImportStatus,
    /// How many games are there now that were not before; while it runs, as of some seconds ago.
    pub imported: u64,
    /// How many were there before; while it runs, as of some seconds ago.
    pub duplicates: u64,
    /// How many were not taken; while it runs, as of some seconds ago.
    pub rejected_total: u64,
    /// Which were not taken, in the order in which they were found: the first 1,000.
    pub rejected: Vec<RejectedGame>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it came to its end.
    pub finished_at: Option<Timestamp>,
}

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportStatus {
    /// It waits, or is worked on.
    Running,
    /// All games were looked at.
    Done,
    /// It came to its end before that. What was imported by then stays: send the file again for the rest.
    Failed,
}

/// A game that was not taken, or a file in which none was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RejectedGame {
    /// The file; within an archive `archive.zip/inner.xml`.
    #[schema(example = "games.zip/classic-2006.3-9.xml")]
    pub file: String,
    /// Which game of the file, from 1.
    pub game: u32,
    /// The ply, where it is about a move, from 0.
    pub ply: Option<u32>,
    /// What kind of fault it is.
    #[schema(example = "illegal_move")]
    pub code: String,
    /// What was expected, and what came.
    pub detail: String,
}

impl From<imports::ImportStatus> for ImportStatus {
    fn from(status: imports::ImportStatus) -> Self {
        match status {
            imports::ImportStatus::Running => Self::Running,
            imports::ImportStatus::Done => Self::Done,
            imports::ImportStatus::Failed => Self::Failed,
        }
    }
}

impl From<&Rejection> for RejectedGame {
    fn from(rejection: &Rejection) -> Self {
        let shown = |text: &str, most| text.chars().take(most).collect();
        Self {
            file: shown(&rejection.file, MAX_FILE),
            game: rejection.game,
            ply: rejection.ply,
            code: rejection.code.name().to_owned(),
            detail: shown(&rejection.detail, MAX_DETAIL),
        }
    }
}

impl TryFrom<Import> for ImportResponse {
    type Error = ApiError;

    fn try_from(import: Import) -> Result<Self, ApiError> {
        let rejected = serde_json::from_str(&import.report);
        Ok(Self {
            id: import.id.as_uuid(),
            status: import.status.into(),
            imported: import.imported,
            duplicates: import.duplicates,
            rejected_total: import.rejected,
            rejected: rejected.map_err(|fault| ApiError::internal(&fault))?,
            created_at: import.created_at.into(),
            finished_at: import.finished_at.map(Into::into),
        })
    }
}
