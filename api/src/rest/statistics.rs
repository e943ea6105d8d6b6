//! Pictures of statistics.

use std::time::Instant;

use actix_web::{HttpRequest, HttpResponse, get, web};
use domain::Rank;
use domain::facts::Section;
use sha2::{Digest, Sha256};
use storage::facts::{self, StatisticsFilter};
use utoipa::IntoResponses;

use super::wanted::{Wanted, wanted_query};
use crate::auth::MaybeCaller;
use crate::http::etag::{Sharing, Tagged};
use crate::http::extract::Query;
use crate::pictures::Picture;
use crate::pictures::statistics::{Games, battles, deployment, information, reveals};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;

wanted_query! {
    /// Which games a picture is of, and of which rank.
    pub struct DeploymentQuery {
        /// The rank, by its name or its character: `flag`, `F`.
        rank: String,
        /// Folds the left half onto the right.
        normalise: Option<bool>,
    }
}

/// What comes of asking for a picture of statistics.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "for the document alone")]
enum StatisticsPicture {
    /// The picture.
    #[response(status = 200, content_type = "image/svg+xml")]
    Drawn(String),
    /// Nothing has changed.
    #[response(status = 304)]
    Unchanged,
    /// `query_too_slow`: it takes longer than 10 s.
    #[response(status = 422, content_type = "application/problem+json")]
    TooSlow(Problem),
}

/// A picture of deployments
///
/// Where a rank stood at the start of the games that the query asks for: a square is the darker the more
/// sides had one there. The front row is above. It follows the reader's light or dark mode and holds no
/// script.
#[utoipa::path(
    tag = "statistics",
    params(DeploymentQuery),
    responses(StatisticsPicture),
    security((), ("bearer" = [])),
)]
#[get("/v1/stats/deployment.svg")]
pub(crate) async fn draw_deployment(
    state: web::Data<AppState>,
    _caller: MaybeCaller,
    query: Query<DeploymentQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let query = query.0;
    let rank = read_rank(&query.rank)?;
    let fold = query.normalise.unwrap_or(false);
    let wanted = Wanted::from(&query);
    draw(
        &state,
        &request,
        wanted,
        Section::Deployment,
        move |games| deployment(games, rank, fold),
    )
    .await
}

/// A picture of battles
///
/// Which rank attacked which in the games that the query asks for, and what mostly came of it.
#[utoipa::path(
    tag = "statistics",
    params(Wanted),
    responses(StatisticsPicture),
    security((), ("bearer" = [])),
)]
#[get("/v1/stats/battles.svg")]
pub(crate) async fn draw_battles(
    state: web::Data<AppState>,
    _caller: MaybeCaller,
    query: Query<Wanted>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    draw(&state, &request, query.0, Section::Battles, battles).await
}

/// A picture of reveals
///
/// After how many plies the pieces of each rank become known in the games that the query asks for, and how
/// many ever do.
#[utoipa::path(
    tag = "statistics",
    params(Wanted),
    responses(StatisticsPicture),
    security((), ("bearer" = [])),
)]
#[get("/v1/stats/reveals.svg")]
pub(crate) async fn draw_reveals(
    state: web::Data<AppState>,
    _caller: MaybeCaller,
    query: Query<Wanted>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    draw(&state, &request, query.0, Section::Reveals, reveals).await
}

/// A picture of information
///
/// What winners and losers keep hidden from each other, ply by ply, in the games that the query asks for.
#[utoipa::path(
    tag = "statistics",
    params(Wanted),
    responses(StatisticsPicture),
    security((), ("bearer" = [])),
)]
#[get("/v1/stats/information.svg")]
pub(crate) async fn draw_information(
    state: web::Data<AppState>,
    _caller: MaybeCaller,
    query: Query<Wanted>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    draw(&state, &request, query.0, Section::Information, information).await
}

/// A picture of what a section says of the games.
async fn draw(
    state: &AppState,
    request: &HttpRequest,
    wanted: Wanted,
    section: Section,
    draw: impl FnOnce(&Games<'_>) -> Picture + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let which = wanted.words();
    let stem = stem(request);
    let selection = wanted.selection()?;
    let read = move |conn: &mut storage::Connection, until: Instant| {
        let filter = StatisticsFilter::new(selection.resolve(conn)?);
        let facts = facts::read(conn, &filter, &[Section::Results, section], until)?;
        Ok(Tagged::picture(&draw(&Games {
            facts: &facts,
            which: &which,
            stem: &stem,
        })))
    };
    let picture = state.read_statistics(read).await?;
    Ok(picture.answer(request, Sharing::Public))
}

/// What the identifiers in a picture begin with: the same for the same address, so that several pictures
/// fit on one page.
fn stem(request: &HttpRequest) -> String {
    let digest = Sha256::digest(request.uri().to_string());
    let [one, other, third, fourth, ..] = digest[..] else {
        return "statistics".to_owned();
    };
    let number = u32::from_be_bytes([one, other, third, fourth]);
    format!("statistics-{number:08x}")
}

fn read_rank(text: &str) -> Result<Rank, ApiError> {
    let by_name = Rank::ALL
        .into_iter()
        .find(|rank| rank.name().eq_ignore_ascii_case(text));
    let mut letters = text.chars();
    let by_letter = || match (letters.next(), letters.next()) {
        (Some(letter), None) => Rank::from_char(letter.to_ascii_uppercase()),
        _ => None,
    };
    by_name.or_else(by_letter).ok_or_else(|| {
        let shown: String = text.chars().take(20).collect();
        let detail = format!("expected a rank such as `flag` or `F`, got {shown:?}");
        ApiError::malformed_field("rank", detail)
    })
}
