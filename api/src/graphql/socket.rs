//! GraphQL over a WebSocket, by the protocol graphql-transport-ws: for subscriptions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, get, web};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, CloseCode, CloseReason, Session};
use async_graphql::futures_util::stream::{self, BoxStream, Stream, StreamExt, unfold};
use async_graphql::http::{WebSocket, WebSocketProtocols, WsMessage};
use async_graphql::{Data, Executor, Request, Response, ServerError};
use tokio::sync::{Semaphore, mpsc};

use super::context::Viewer;
use super::http::context_of;
use super::subscription::Following;
use crate::auth::MaybeCaller;
use crate::http::extract::Query;
use crate::problem::{ApiError, Problem};
use crate::rest::events::{EventsQuery, Listener};
use crate::state::AppState;

const PROTOCOL: &str = "graphql-transport-ws";
/// The longest message taken, in bytes: the longest query, and variables.
const MAX_MESSAGE_BYTES: usize = 64 * 1_024;
/// How many operations one socket may have under way.
const MAX_OPERATIONS: usize = 20;
/// How long a client may take to say `connection_init`.
const INIT_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the other end is asked whether it lives.
const PING: Duration = Duration::from_secs(15);

/// Subscribe in GraphQL
///
/// A WebSocket by the protocol graphql-transport-ws. The caller is told by the header, or by a ticket
/// where no header can be sent. The socket is closed with the code 4403 when the access token runs out,
/// and with 1001 when the server goes down; `gameEvents(after:)` then goes on, on any node.
#[utoipa::path(
    tag = "graphql",
    params(EventsQuery),
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
    let listener = query.0.listener(&state, caller).await?;
    let messages = messages
        .max_frame_size(MAX_MESSAGE_BYTES)
        .aggregate_continuations()
        .max_continuation_size(MAX_MESSAGE_BYTES);
    actix_web::rt::spawn(serve(state, listener, session, messages));
    Ok(response)
}

/// Executes within the limits of queries by HTTP, for one caller.
#[derive(Clone)]
struct Limited {
    state: web::Data<AppState>,
    listener: Listener,
    operations: Arc<Semaphore>,
}

impl Executor for Limited {
    async fn execute(&self, request: Request) -> Response {
        let mut answers = self.execute_stream(request, None);
        answers.next().await.unwrap_or_default()
    }

    fn execute_stream(
        &self,
        request: Request,
        _: Option<Arc<Data>>,
    ) -> BoxStream<'static, Response> {
        let Ok(place) = Arc::clone(&self.operations).try_acquire_owned() else {
            let detail =
                format!("at most {MAX_OPERATIONS} operations may be under way on a socket");
            return refusal(detail);
        };
        let viewer = Viewer(self.listener.player);
        let following = Following {
            state: self.state.clone(),
            until: self.listener.until,
        };
        let request = request
            .data(Arc::new(context_of(&self.state, viewer).for_a_long_time()))
            .data(following);
        match self.state.graphql.follow(request) {
            Ok(answers) => answers
                .map(move |answer| {
                    let _place = &place;
                    answer
                })
                .boxed(),
            Err(refused) => stream::once(async { refused.into() }).boxed(),
        }
    }
}

fn refusal(detail: String) -> BoxStream<'static, Response> {
    let answer = Response::from_errors(vec![ServerError::new(detail, None)]);
    stream::once(async { answer }).boxed()
}

async fn serve(
    state: web::Data<AppState>,
    listener: Listener,
    mut session: Session,
    messages: AggregatedMessageStream,
) {
    let initialised = Arc::new(AtomicBool::new(false));
    let executor = Limited {
        state: state.clone(),
        listener,
        operations: Arc::new(Semaphore::new(MAX_OPERATIONS)),
    };
    let began = Arc::clone(&initialised);
    let incoming = incoming(session.clone(), messages);
    let socket = WebSocket::new(executor, incoming, WebSocketProtocols::GraphQLWS)
        .on_connection_init(move |_| async move {
            began.store(true, Ordering::Relaxed);
            Ok(Data::default())
        });
    let mut socket = std::pin::pin!(socket);
    let mut stopping = state.lifecycle.watch();
    let mut ping = tokio::time::interval(PING);
    let init = tokio::time::sleep(INIT_TIMEOUT);
    let mut init = std::pin::pin!(init);
    let mut waits_for_init = true;
    let reason = loop {
        let until = listener
            .until
            .map(|until| until.as_micros() - state.now().as_micros());
        if until.is_some_and(|left| left <= 0) {
            break Some(closing(4403, "the access token has run out"));
        }
        if *stopping.borrow_and_update() {
            break Some(closing(1001, "the server goes down"));
        }
        tokio::select! {
            message = socket.next() => match message {
                Some(WsMessage::Text(text)) => {
                    if session.text(text).await.is_err() {
                        return;
                    }
                }
                Some(WsMessage::Close(code, reason)) => break Some(closing(code, &reason)),
                None => break None,
            },
            _ = ping.tick() => {
                if session.ping(b"").await.is_err() {
                    return;
                }
            }
            () = &mut init, if waits_for_init => {
                waits_for_init = false;
                if !initialised.load(Ordering::Relaxed) {
                    break Some(closing(4408, "Connection initialisation timeout"));
                }
            }
            _ = stopping.changed() => {}
        }
    };
    // The other end may be gone already.
    let _gone = session.close(reason).await;
}

fn closing(code: u16, reason: &str) -> CloseReason {
    CloseReason {
        code: CloseCode::from(code),
        description: Some(reason.to_owned()),
    }
}

/// The texts that the client sends. Pings are answered here.
fn incoming(
    session: Session,
    messages: AggregatedMessageStream,
) -> impl Stream<Item = String> + Send {
    let (texts, received) = mpsc::channel(8);
    actix_web::rt::spawn(receive(session, messages, texts));
    unfold(received, |mut received| async move {
        let text = received.recv().await?;
        Some((text, received))
    })
}

async fn receive(
    mut session: Session,
    mut messages: AggregatedMessageStream,
    texts: mpsc::Sender<String>,
) {
    while let Some(Ok(message)) = messages.recv().await {
        let goes_on = match message {
            AggregatedMessage::Text(text) => texts.send(text.to_string()).await.is_ok(),
            AggregatedMessage::Ping(bytes) => session.pong(&bytes).await.is_ok(),
            AggregatedMessage::Pong(_) => true,
            AggregatedMessage::Binary(_) | AggregatedMessage::Close(_) => false,
        };
        if !goes_on {
            return;
        }
    }
}
