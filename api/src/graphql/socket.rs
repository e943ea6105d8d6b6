//! GraphQL over a WebSocket, by the protocol graphql-transport-ws: for subscriptions.

mod conversation;
mod protocol;

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, get, web};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, CloseReason, ProtocolError, Session};

use self::conversation::Conversation;
use self::protocol::{Closing, Told};
use crate::auth::MaybeCaller;
use crate::events::{Listener, Presence};
use crate::graphql::http::audience_of;
use crate::http::extract::Query;
use crate::problem::{ApiError, Problem};
use crate::rest::events::EventsQuery;
use crate::state::AppState;

const PROTOCOL: &str = "graphql-transport-ws";
/// The longest message taken, in bytes: the longest query, and variables.
const MAX_MESSAGE_BYTES: usize = 64 * 1_024;
/// How long a client may take to say `connection_init`.
const INIT_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the other end is asked whether it lives.
const PING: Duration = Duration::from_secs(15);

/// Subscribe in GraphQL
///
/// A WebSocket by the protocol graphql-transport-ws. The caller is told by the header, or by a ticket
/// where no header can be sent, in the handshake alone. The socket is closed with the code 4403 when the
/// access token runs out, its login has ended, the account is erased or `connection_init` brings a token,
/// and with 1001 when the server goes down; `gameEvents(after:)` then goes on, on any node. Who does not
/// keep to the protocol is closed by its codes: 4400 for what is no message of it, 4401 for an operation
/// before the acknowledgement, 4408 when `connection_init` does not come within 10 s and 4429 when it
/// comes twice, 4409 for an `id` that is in use.
#[utoipa::path(
    tag = "graphql",
    params((
        "access_token" = Option<String>, Query,
        description = "A ticket from `POST /v1/me/event-tickets`, where no header can be sent.",
    )),
    security((), ("bearer" = [])),
    responses(
        (status = 101, description = "The socket is open."),
        (status = 400, description = "No WebSocket handshake for this protocol.", body = Problem,
            content_type = "application/problem+json"),
        (status = 401, description = "A ticket that was used or has run out.", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
#[get("/graphql/ws")]
pub(crate) async fn open_socket(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    query: Query<EventsQuery>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let protocols = request.headers().get_all("sec-websocket-protocol");
    let mut offered = protocols.filter_map(|value| value.to_str().ok());
    let speaks = offered.any(|list| list.split(',').any(|name| name.trim() == PROTOCOL));
    let expected = || {
        let detail = "expected a WebSocket handshake for the protocol graphql-transport-ws";
        ApiError::malformed(detail)
    };
    if !speaks {
        return Err(expected());
    }
    let (response, session, messages) =
        actix_ws::handle_with_protocols(&request, payload, &[PROTOCOL]).map_err(|_| expected())?;
    let audience = audience_of(caller);
    let listener = query.0.listener(&state, caller).await?;
    let messages = messages
        .max_frame_size(MAX_MESSAGE_BYTES)
        .aggregate_continuations()
        .max_continuation_size(MAX_MESSAGE_BYTES);
    let conversation = Conversation::new(state.clone(), listener, audience);
    actix_web::rt::spawn(serve(state, listener, conversation, session, messages));
    Ok(response)
}

async fn serve(
    state: web::Data<AppState>,
    listener: Listener,
    conversation: Conversation,
    mut session: Session,
    messages: AggregatedMessageStream,
) {
    let reason = converse(&state, listener, conversation, &mut session, messages).await;
    // The other end may be gone already.
    let _gone = session.close(reason.map(CloseReason::from)).await;
}

/// Hears and answers until the socket is to be closed; gives the reason, if it is not the other end's.
async fn converse(
    state: &web::Data<AppState>,
    listener: Listener,
    mut conversation: Conversation,
    session: &mut Session,
    mut messages: AggregatedMessageStream,
) -> Option<Closing> {
    let mut presence = listener.player.map(|player| state.listeners.enter(player));
    let mut stopping = state.lifecycle.watch();
    let mut ping = tokio::time::interval(PING);
    let mut init = std::pin::pin!(tokio::time::sleep(INIT_TIMEOUT));
    loop {
        if listener.has_run_out(state) {
            return Some(Closing::TokenExpired);
        }
        if presence.as_ref().is_some_and(Presence::is_over) {
            return Some(Closing::AccountErased);
        }
        if listener.has_ended(state) {
            return Some(Closing::TokenRevoked);
        }
        if *stopping.borrow_and_update() {
            return Some(Closing::Shutdown);
        }
        let told = tokio::select! {
            message = messages.recv() => match taken(message) {
                Taken::Text(text) => match conversation.hear(&text) {
                    Ok(told) => told,
                    Err(closing) => return Some(closing),
                },
                Taken::Ping(bytes) => {
                    session.pong(&bytes).await.ok()?;
                    None
                }
                Taken::Nothing => None,
                Taken::End(closing) => return closing,
            },
            Some(told) = conversation.next() => Some(told),
            _ = ping.tick() => {
                session.ping(b"").await.ok()?;
                None
            }
            () = &mut init, if !conversation.is_initialised => return Some(Closing::InitTimeout),
            () = Presence::told(presence.as_mut()) => None,
            _ = stopping.changed() => None,
        };
        if let Some(told) = told {
            session.text(written(&told)).await.ok()?;
        }
    }
}

/// What came from the other end.
enum Taken {
    Text(String),
    Ping(web::Bytes),
    Nothing,
    /// Nothing more comes, or nothing more is taken.
    End(Option<Closing>),
}

fn taken(message: Option<Result<AggregatedMessage, ProtocolError>>) -> Taken {
    match message {
        Some(Ok(AggregatedMessage::Text(text))) => Taken::Text(text.to_string()),
        Some(Ok(AggregatedMessage::Ping(bytes))) => Taken::Ping(bytes),
        Some(Ok(AggregatedMessage::Pong(_))) => Taken::Nothing,
        Some(Ok(AggregatedMessage::Binary(_))) => Taken::End(Some(Closing::InvalidMessage)),
        Some(Err(ProtocolError::Overflow)) => Taken::End(Some(Closing::TooLong)),
        Some(Ok(AggregatedMessage::Close(_)) | Err(_)) | None => Taken::End(None),
    }
}

fn written(told: &Told) -> String {
    // Values and names alone, which are JSON always.
    serde_json::to_string(told).unwrap_or_default()
}
