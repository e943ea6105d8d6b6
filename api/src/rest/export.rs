//! All that the server keeps of the caller.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{HttpResponse, get, web};
use async_graphql::futures_util::stream::unfold;
use storage::{GameId, PlayerId};

use crate::auth::{Caller, Scope};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::export;
use crate::wire::export::{ExportHead, ExportResponse, ExportedGame, ExportedNote};

/// How many games are in memory at once.
const GAMES_AT_ONCE: usize = 4;
/// How many notes are in memory at once.
const NOTES_AT_ONCE: u32 = 50;

/// Export one's own data
///
/// The account, preferences, ratings, vacation, logins, personal tokens, blocks, webhooks, browsers that are told, saved
/// setups, challenges, imports, all games with their moves, as the caller sees them: of a running game his own view
/// and his conditional moves, and the notes on games. It comes game by game; an answer that breaks off was
/// not read to its end.
#[utoipa::path(
    tag = "accounts",
    responses(
        (status = 200, description = "All that is kept.", body = ExportResponse),
        (status = 403, description = "A personal token may not do this.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/me/export")]
pub(crate) async fn export_me(
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Read)?;
    let (player, login) = (PlayerId::from_uuid(caller.player_id), caller.login());
    let (db, now) = (state.db.clone(), state.now());
    let kept = move || export::kept(&db, player, now);
    let mut kept = state.database_work.try_run(kept).await?;
    let mut games = std::mem::take(&mut kept.games);
    // What is taken first is taken from the end.
    games.reverse();
    let head = ExportHead::of(kept, login, now)?;
    let part_due = Stage::Head(Box::new(head));
    let parts = unfold(
        (state, games, part_due),
        move |(state, mut games, part_due)| async move {
            let (part, part_due) = match part_due {
                Stage::Head(head) => (written_head(&head), Stage::Games { first: true }),
                Stage::Games { .. } if games.is_empty() => (
                    Ok(Bytes::from_static(b"],\"notes\":[")),
                    Stage::Notes { after: None },
                ),
                Stage::Games { first } => (
                    next_games(&state, player, &mut games, first).await,
                    Stage::Games { first: false },
                ),
                Stage::Notes { after } => match next_notes(&state, player, after).await {
                    Ok((part, None)) => (Ok(part), Stage::Over),
                    Ok((part, after)) => (Ok(part), Stage::Notes { after }),
                    Err(fault) => (Err(fault), Stage::Over),
                },
                Stage::Over => return None,
            };
            let part_due = if part.is_err() { Stage::Over } else { part_due };
            Some((part, (state, games, part_due)))
        },
    );
    Ok(HttpResponse::Ok()
        .content_type("application/json")
        .insert_header((
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"reveille-export.json\"",
        ))
        .streaming(parts))
}

/// How far the answer is.
enum Stage {
    Head(Box<ExportHead>),
    Games {
        first: bool,
    },
    /// Those on the games after one, which has been written if it is there.
    Notes {
        after: Option<GameId>,
    },
    Over,
}

/// All but the games and notes, and the beginning of their list.
fn written_head(head: &ExportHead) -> Result<Bytes, ApiError> {
    let mut text = serde_json::to_vec(head).map_err(|fault| ApiError::internal(&fault))?;
    // The object goes on.
    text.pop();
    text.extend_from_slice(b",\"games\":[");
    Ok(text.into())
}

async fn next_games(
    state: &web::Data<AppState>,
    player: PlayerId,
    games: &mut Vec<GameId>,
    first: bool,
) -> Result<Bytes, ApiError> {
    let rest = games.len().saturating_sub(GAMES_AT_ONCE);
    let mut some = games.split_off(rest);
    some.reverse();
    let work = Arc::clone(state);
    let write = move || {
        let mut text = Vec::new();
        for (nth, own) in export::some_games(&work.db, player, &some)?
            .iter()
            .enumerate()
        {
            if !first || nth > 0 {
                text.push(b',');
            }
            let game = ExportedGame::of(own, own.0.side_of(player), work.now());
            serde_json::to_writer(&mut text, &game).map_err(|fault| ApiError::internal(&fault))?;
        }
        Ok(text.into())
    };
    state.database_work.try_run(write).await
}

/// Some notes, and the game of the last one when there are more; the end of all when there are none.
async fn next_notes(
    state: &web::Data<AppState>,
    player: PlayerId,
    after: Option<GameId>,
) -> Result<(Bytes, Option<GameId>), ApiError> {
    let work = Arc::clone(state);
    let write = move || {
        let page = export::some_notes(&work.db, player, after, NOTES_AT_ONCE)?;
        let last = page.items.last().filter(|_| page.has_more);
        let last = last.map(|(game, _)| *game);
        let mut text = Vec::new();
        for (nth, note) in page.items.into_iter().enumerate() {
            if after.is_some() || nth > 0 {
                text.push(b',');
            }
            let note = ExportedNote::from(note);
            serde_json::to_writer(&mut text, &note).map_err(|fault| ApiError::internal(&fault))?;
        }
        if last.is_none() {
            text.extend_from_slice(b"]}");
        }
        Ok((text.into(), last))
    };
    state.database_work.try_run(write).await
}
