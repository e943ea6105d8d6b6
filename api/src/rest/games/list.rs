//! Games in a list.

use std::sync::Arc;

use actix_web::http::header::HeaderName;
use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use storage::games::{self, GameCursor, GameFilter, GameOrder};
use storage::{Connection, GameId, PageRequest, PlayerId};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::auth::MaybeCaller;
use crate::http::etag::Sharing;
use crate::http::extract::{PathParams, Query};
use crate::problem::{ApiError, Code, Problem};
use crate::rest::players::PlayerPath;
use crate::state::AppState;
use crate::usecase;
use crate::usecase::games::instant;
use crate::usecase::inbox::{self, Waiting};
use crate::usecase::selection::{check_name, find_player};
use crate::wire::game::GameSummaryResponse;
use crate::wire::names::{Ruleset, Status};
use crate::wire::page::{self, PageResponse};

/// In how many games the caller is to move.
pub const GAMES_YOUR_TURN: HeaderName = HeaderName::from_static("reveille-games-your-turn");
/// How many games of the caller are not over.
pub const GAMES_RUNNING: HeaderName = HeaderName::from_static("reveille-games-running");
/// How many challenges to the caller stand.
pub const CHALLENGES_INCOMING: HeaderName = HeaderName::from_static("reveille-challenges-incoming");

/// Which games are wanted.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GamesQuery {
    /// Of this player: an account by username, a player of an archive as `source:name`.
    player: Option<String>,
    /// As far as this.
    status: Option<Status>,
    /// By this rule sheet.
    ruleset: Option<Ruleset>,
    /// `mine`: in which the caller is to move.
    #[param(inline)]
    turn: Option<TurnFilter>,
    /// `updated`, the last changed first (when nothing is said), or `deadline`, the next due first.
    #[param(inline)]
    sort: Option<Sort>,
    /// At most so many games, 1 to 100; 20 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// The `next` of the page before, with the same `sort`.
    after: Option<String>,
}

/// Which games of a player are wanted.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerGamesQuery {
    /// As far as this.
    status: Option<Status>,
    /// By this rule sheet.
    ruleset: Option<Ruleset>,
    /// `mine`: in which the caller is to move.
    #[param(inline)]
    turn: Option<TurnFilter>,
    /// `updated`, the last changed first (when nothing is said), or `deadline`, the next due first.
    #[param(inline)]
    sort: Option<Sort>,
    /// At most so many games, 1 to 100; 20 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// The `next` of the page before, with the same `sort`.
    after: Option<String>,
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnFilter {
    /// The caller's.
    Mine,
}

/// The order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// The last changed first.
    #[default]
    Updated,
    /// The next due first; games without a deadline come last.
    Deadline,
}

/// The place of a game in the list: with the order, so that one list's place is not another's.
#[derive(Serialize, Deserialize)]
struct Place(Sort, i64, Uuid);

impl GamesQuery {
    /// Of whom, and which of his.
    fn split(self) -> (Option<String>, PlayerGamesQuery) {
        let of_player = PlayerGamesQuery {
            status: self.status,
            ruleset: self.ruleset,
            turn: self.turn,
            sort: self.sort,
            limit: self.limit,
            after: self.after,
        };
        (self.player, of_player)
    }
}

impl From<Sort> for GameOrder {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Updated => Self::UpdatedDescending,
            Sort::Deadline => Self::DeadlineAscending,
        }
    }
}

/// Games
///
/// Those that the caller may know of: private ones are listed for their players alone. Who comes with an
/// access token is told beside the page, whatever it holds, how much waits for him.
#[utoipa::path(
    tag = "games",
    params(GamesQuery),
    responses((status = 200, description = "A page of games.",
        body = PageResponse<GameSummaryResponse>,
        headers(
            ("Reveille-Games-Your-Turn" = u64, description = "With a token: in how many games the \
                caller is to move."),
            ("Reveille-Games-Running" = u64, description = "With a token: how many games of the \
                caller are not over, those in setup counted."),
            ("Reveille-Challenges-Incoming" = u64, description = "With a token: how many challenges \
                to the caller stand."),
        ))),
    security((), ("bearer" = [])),
)]
#[get("/v1/games")]
pub(crate) async fn list_games(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    query: Query<GamesQuery>,
) -> Result<HttpResponse, ApiError> {
    let work = Arc::clone(&state);
    let caller = caller.player_id().map(PlayerId::from_uuid);
    let now = instant(&*state.clock);
    let (player, query) = query.0.split();
    if let Some(name) = &player {
        check_name("player", name)?;
    }
    let (page, waiting) = state
        .database_work
        .try_run(move || {
            work.db.read(|connection| {
                let find = |name: String| find_player(connection, &name);
                let found = player.map(find).transpose()?;
                // One there is not has no games.
                let players = found.map(|player| player.into_iter().collect());
                let page = list(connection, &query, players, caller, now)?;
                let waiting = caller.map(|caller| inbox::waiting(connection, caller, now));
                Ok::<_, ApiError>((page, waiting.transpose()?))
            })
        })
        .await?;
    let mut answer = HttpResponse::Ok();
    for header in Sharing::Private.headers() {
        answer.insert_header(header);
    }
    for (name, count) in waiting.iter().flat_map(counts) {
        answer.insert_header((name, count));
    }
    Ok(answer.json(page))
}

/// A player's games
///
/// Those of `GET /v1/games` with this `player`, in the same order: private ones are listed for their
/// players alone.
#[utoipa::path(
    tag = "games",
    params(PlayerPath, PlayerGamesQuery),
    responses(
        (status = 200, description = "A page of games.",
            body = PageResponse<GameSummaryResponse>),
        (status = 404, description = "`not_found`.", body = Problem, content_type = "application/problem+json"),
        (status = 410, description = "`gone`: the account was erased.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/players/{username}/games")]
pub(crate) async fn list_player_games(
    caller: MaybeCaller,
    path: PathParams<PlayerPath>,
    query: Query<PlayerGamesQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let work = Arc::clone(&state);
    let caller = caller.player_id().map(PlayerId::from_uuid);
    let now = instant(&*state.clock);
    let read = move || {
        work.db.read(|connection| {
            let player = usecase::players::find(connection, &path.0.username)?;
            list(connection, &query.0, Some(vec![player.id]), caller, now)
        })
    };
    let page = state.database_work.try_run(read).await?;
    let mut answer = HttpResponse::Ok();
    for header in Sharing::Private.headers() {
        answer.insert_header(header);
    }
    Ok(answer.json(page))
}

/// What waits for a caller, as the headers of a list tell it.
fn counts(waiting: &Waiting) -> [(HeaderName, u64); 3] {
    [
        (GAMES_YOUR_TURN, waiting.games.to_move),
        (GAMES_RUNNING, waiting.games.all),
        (CHALLENGES_INCOMING, waiting.challenges),
    ]
}

/// A page of the games of some players, or of all, that the caller may see.
fn list(
    connection: &mut Connection,
    query: &PlayerGamesQuery,
    players: Option<Vec<PlayerId>>,
    caller: Option<PlayerId>,
    now: domain::Timestamp,
) -> Result<PageResponse<GameSummaryResponse>, ApiError> {
    let limit = page::limit(query.limit)?;
    let sort = query.sort.unwrap_or_default();
    let request = match &query.after {
        None => PageRequest::first(limit),
        Some(cursor) => {
            let Place(of, key, id) = page::decode_cursor(cursor)?;
            if of != sort {
                let detail = "this place is one of a list in another order";
                return Err(ApiError::malformed_field("after", detail));
            }
            PageRequest::after(
                limit,
                GameCursor {
                    key,
                    id: GameId::from_uuid(id),
                },
            )
        }
    };
    let filter = filter(query, players, caller)?;
    let page = games::list(connection, &filter, sort.into(), &request)?;
    let place = |game: &games::GameSummary| {
        let GameCursor { key, id } = game.cursor(sort.into());
        page::encode_cursor(&Place(sort, key, id.as_uuid()))
    };
    let next = page.items.last().filter(|_| page.has_more).map(place);
    Ok(PageResponse {
        items: page
            .items
            .iter()
            .map(|game| GameSummaryResponse::of(game, now))
            .collect(),
        next,
    })
}

fn filter(
    query: &PlayerGamesQuery,
    players: Option<Vec<PlayerId>>,
    caller: Option<PlayerId>,
) -> Result<GameFilter, ApiError> {
    let turn_of = match (query.turn, caller) {
        (None, _) => None,
        (Some(TurnFilter::Mine), Some(caller)) => Some(caller),
        (Some(TurnFilter::Mine), None) => {
            let detail = "`turn=mine` needs an access token: whose turn would it be?";
            return Err(ApiError::new(Code::Unauthenticated, detail));
        }
    };
    Ok(GameFilter {
        viewer: caller,
        players,
        turn_of,
        rulesets: query.ruleset.map(|ruleset| vec![ruleset.into()]),
        statuses: query.status.map(|status| vec![status.into()]),
        ..GameFilter::default()
    })
}
