//! Event streams: a player's own, and the tickets that open one. A game's is with the games.

use actix_web::http::header::HeaderMap;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use storage::PlayerId;
use utoipa::{IntoParams, ToSchema};

use crate::auth::{Caller, MaybeCaller, Scope};
use crate::events::{Channel, Follower, LastEvent, Listener, stream};
use crate::http::extract::{Query, RawBody};
use crate::problem::{ApiError, Code, Problem};
use crate::state::AppState;
use crate::usecase::accounts::require_active;
use crate::usecase::tickets;
use crate::wire::EmptyRequest;
use crate::wire::event::Told;

/// How a stream is opened.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// A ticket from `POST /v1/me/event-tickets`, where no header can be sent.
    access_token: Option<String>,
    /// As the header `Last-Event-ID`, where no header can be sent.
    last_event_id: Option<String>,
}

/// A ticket that opens one stream.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketResponse {
    /// To be sent as `access_token` in the query of the stream.
    pub ticket: String,
    /// Until when it can be used.
    pub expires_at: crate::time::Timestamp,
}

impl EventsQuery {
    /// The last event that the reader has. The header counts before the query: a browser that
    /// reconnects by itself sends it along with the address it began with.
    pub(crate) fn last_event(&self, headers: &HeaderMap) -> Option<LastEvent> {
        let header = headers.get("last-event-id");
        let text = match header {
            Some(header) => header.to_str().unwrap_or("?"),
            None => self.last_event_id.as_deref()?,
        };
        Some(LastEvent::parse(text))
    }

    /// Who asks, by the header or by a ticket, which is spent.
    ///
    /// # Errors
    /// 401 for an erased account or a ticket that does not hold, 400 for a ticket beside a header.
    pub(crate) async fn listener(
        &self,
        state: &web::Data<AppState>,
        caller: MaybeCaller,
    ) -> Result<Listener, ApiError> {
        match (caller.0, &self.access_token) {
            (Some(_), Some(_)) => Err(ApiError::malformed_field(
                "access_token",
                "expected a header Authorization or a ticket, got both",
            )),
            (Some(caller), None) => {
                let player = PlayerId::from_uuid(caller.player_id);
                let known = move |connection: &mut _| require_active(connection, player);
                state.read(known).await?;
                Ok(Listener {
                    player: caller.scopes.allow(Scope::Read).then_some(player),
                    until: caller.expires_at,
                    credential: caller.credential.id(),
                })
            }
            (None, Some(ticket)) => {
                let admitted = tickets::spend(state, ticket).await?;
                Ok(Listener {
                    player: Some(admitted.player),
                    until: Some(admitted.until),
                    credential: admitted.credential,
                })
            }
            (None, None) => Ok(Listener {
                player: None,
                until: None,
                credential: None,
            }),
        }
    }
}

/// Follow one's own games and challenges
///
/// A stream of Server-Sent Events: `game.started`, `game.setup_placed`, `game.move`, `game.offer`,
/// `game.paused`, `game.resumed`, `deadline.near` and `game.finished` of the games that the caller plays,
/// `conditional.dropped` of what he has prepared in them, `challenge.created` and `challenge.closed` of
/// challenges by him and to him. Their `id` counts 1, 2, 3, …; who asks again with the last one as
/// `Last-Event-ID` misses nothing and sees nothing twice, on any node. `resync` says that this event
/// is not there, or no longer: read anew what you follow. `closing` says why the stream ends. A line of
/// comment comes every 15 s.
#[utoipa::path(
    tag = "events",
    params(
        EventsQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The `id` of the last event that the \
            caller has. Without it the stream begins with what happens next; with 0, with all that \
            is kept."),
    ),
    responses(
        (status = 200, description = "The events, as they come.", body = Told,
            content_type = "text/event-stream"),
        (status = 401, description = "No token, or a ticket that was used or has run out.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = []), ()),
)]
#[get("/v1/me/events")]
pub(crate) async fn follow_me(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    query: Query<EventsQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    if let Some(caller) = caller.0 {
        caller.require(Scope::Read)?;
    }
    let listener = query.0.listener(&state, caller).await?;
    let player = listener.player.ok_or_else(|| {
        let detail = "needs a header Authorization: Bearer TOKEN, or a ticket as access_token";
        ApiError::new(Code::Unauthenticated, detail)
    })?;
    let after = query.0.last_event(request.headers());
    let follower = Follower::begin(&state, Channel::Player(player), after, listener).await?;
    Ok(stream::answer(follower))
}

/// Get a ticket for a stream
///
/// It opens one event stream, within a minute, where no header can be sent: as `access_token` in the
/// query. The stream ends when the access token that asked for the ticket runs out.
#[utoipa::path(
    tag = "events",
    request_body = EmptyRequest,
    responses(
        (status = 201, description = "The ticket, shown once.", body = TicketResponse),
        (status = 403, description = "`insufficient_scope`.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/me/event-tickets")]
pub(crate) async fn issue_ticket(
    state: web::Data<AppState>,
    caller: Caller,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require(Scope::Read)?;
    body.parse_or_empty::<EmptyRequest>()?;
    let ticket = tickets::issue(&state, caller).await?;
    Ok(HttpResponse::Created().json(TicketResponse {
        ticket: ticket.text,
        expires_at: ticket.expires_at.into(),
    }))
}
