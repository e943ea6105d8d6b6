//! A game as a file.

use actix_web::{HttpRequest, HttpResponse, get, web};
use domain::Status;
use serde::Deserialize;
use storage::games::StoredGame;
use utoipa::{IntoParams, ToSchema};

use super::{GamePath, read_game};
use crate::auth::MaybeCaller;
use crate::exports::exported;
use crate::http::etag::{File, Tagged};
use crate::http::extract::{PathParams, Query};
use crate::problem::{ApiError, Code, FieldFault, Problem};
use crate::recorded::{ExportFault, Exported, GameFormat, GameText};
use crate::state::AppState;
use crate::usecase::games::Seen;

/// As what a game is wanted.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameExportQuery {
    /// `json` when nothing is said.
    #[param(inline)]
    #[serde(default)]
    format: FileFormat,
}

/// The form of the file of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileFormat {
    /// One object.
    #[default]
    Json,
    /// The same, as a line of a file of many.
    Ndjson,
    /// The text notation.
    Text,
    /// The XML of the archive of Gravon, which has games of `original`, `duel` and `barrage` without options, that
    /// ended in a way that the archive has a code for: none for `no_progress`, and for `other` that of its import
    /// alone. It carries the armies, the moves, the names and the code of the ending, and the name of the file the
    /// day. It has no instants, ratings and source: read again it is a game of the source `gravon` with that code
    /// as its `raw_ending`, and so another game than the one that was exported.
    Gravon,
}

impl FileFormat {
    const fn game_format(self) -> GameFormat {
        match self {
            Self::Json | Self::Ndjson => GameFormat::Json,
            Self::Text => GameFormat::Text,
            Self::Gravon => GameFormat::Xml,
        }
    }

    const fn media_type(self) -> &'static str {
        match self {
            Self::Ndjson => "application/x-ndjson",
            other => other.game_format().media_type(),
        }
    }

    /// A game as a text, and what its file is called.
    fn write(self, game: &Exported<'_>) -> Result<(String, String), ExportFault> {
        let format = self.game_format();
        let (text, name) = (format.write(game)?, format.file_name(game));
        Ok(match self {
            Self::Ndjson => (text + "\n", name.replace(".json", ".ndjson")),
            _ => (text, name),
        })
    }
}

/// Export a finished game
///
/// As a file that `reveille import` reads.
#[utoipa::path(
    tag = "exports",
    params(("game_id" = uuid::Uuid, Path, description = "The game."), GameExportQuery),
    responses(
        (status = 200, description = "The file.", headers(
            ("ETag" = String, description = "Of the file."),
            ("Content-Disposition" = String, description = "What the file may be called."),
        ), content(
            (GameText = "application/json"),
            (String = "application/x-ndjson"),
            (String = "text/plain"),
            (String = "application/xml"),
        )),
        (status = 304, description = "The caller has it."),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "`game_not_active`: the game was not played to an end, or not yet.",
            body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`: the form has no room for this game.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/games/{game_id}/export")]
pub(crate) async fn export_game(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    path: PathParams<GamePath>,
    query: Query<GameExportQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    read_game(state, path.0.id(), caller, request, move |seen, _| {
        let Seen { stored, .. } = seen;
        write(stored, query.0.format)
    })
    .await
}

fn write(stored: &StoredGame, format: FileFormat) -> Result<Tagged, ApiError> {
    let id = stored.summary.id.to_string();
    let finished = stored.summary.status == Status::Finished;
    let game = exported(stored, &id).filter(|_| finished);
    let game = game.ok_or_else(|| not_finished(stored.summary.status))?;
    let written = format.write(&game);
    let (text, name) = written.map_err(|fault| no_room(&fault, stored.summary.status))?;
    let media_type = format.media_type();
    Ok(Tagged::file(text.into_bytes(), File { media_type, name }))
}

fn not_finished(status: Status) -> ApiError {
    let detail = if status == Status::Aborted {
        "this game was called off: a game is exported that was played to its end"
    } else {
        "this game is not over: it can be exported then"
    };
    ApiError::new(Code::GameNotActive, detail)
}

fn no_room(fault: &ExportFault, status: Status) -> ApiError {
    match fault {
        ExportFault::NotOver => not_finished(status),
        ExportFault::Ruleset(_) | ExportFault::Options(_) | ExportFault::Ending(_) => {
            ApiError::validation(vec![FieldFault {
                field: "format".into(),
                code: "unsupported".into(),
                detail: fault.to_string(),
            }])
        }
    }
}
