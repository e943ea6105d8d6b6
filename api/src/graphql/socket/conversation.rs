//! The operations of one socket: what is said to begin and end them, and what they answer.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::web;
use async_graphql::futures_util::stream::{
    self, AbortHandle, BoxStream, SelectAll, Stream, StreamExt, abortable,
};
use async_graphql::{Request, Response, ServerError};

use super::protocol::{Closing, Said, Told};
use crate::events::Listener;
use crate::graphql::context::Viewer;
use crate::graphql::http::context_of;
use crate::graphql::limits::Audience;
use crate::graphql::subscription::Following;
use crate::state::AppState;

/// How many operations one socket may have under way.
const MAX_OPERATIONS: usize = 20;

/// How far the two sides of a socket have come. What is executed is within the limits of queries by HTTP,
/// for one caller.
pub(super) struct Conversation {
    state: web::Data<AppState>,
    listener: Listener,
    audience: Audience,
    /// Whether `connection_init` was said.
    pub(super) is_initialised: bool,
    /// The operations under way, with what ends them.
    operations: HashMap<String, AbortHandle>,
    /// What they answer, `None` at their end.
    answers: SelectAll<BoxStream<'static, (String, Option<Response>)>>,
}

impl Conversation {
    pub(super) fn new(state: web::Data<AppState>, listener: Listener, audience: Audience) -> Self {
        Self {
            state,
            listener,
            audience,
            is_initialised: false,
            operations: HashMap::new(),
            answers: SelectAll::new(),
        }
    }

    /// Takes in what the client says; what it is told at once, if anything.
    ///
    /// # Errors
    /// When it does not keep to the protocol.
    pub(super) fn hear(&mut self, text: &str) -> Result<Option<Told>, Closing> {
        let said = serde_json::from_str(text).map_err(|_| Closing::InvalidMessage)?;
        match said {
            Said::ConnectionInit { .. } if self.is_initialised => Err(Closing::InitialisedTwice),
            Said::ConnectionInit {
                payload: Some(payload),
            } if payload.keys().any(|key| is_token(key)) => Err(Closing::MisplacedToken),
            Said::ConnectionInit { .. } => {
                self.is_initialised = true;
                Ok(Some(Told::ConnectionAck))
            }
            Said::Subscribe { .. } if !self.is_initialised => Err(Closing::NotInitialised),
            Said::Subscribe { id, payload } => self.begin(id, *payload).map(|()| None),
            Said::Complete { id } => {
                if let Some(operation) = self.operations.remove(&id) {
                    operation.abort();
                }
                Ok(None)
            }
            Said::Ping => Ok(Some(Told::Pong)),
            Said::Pong => Ok(None),
        }
    }

    /// The next that an operation has to tell; `None` while none is under way.
    pub(super) async fn next(&mut self) -> Option<Told> {
        let (id, answer) = self.answers.next().await?;
        if let Some(answer) = answer {
            let payload = Box::new(answer);
            return Some(Told::Next { id, payload });
        }
        self.operations.remove(&id);
        Some(Told::Complete { id })
    }

    fn begin(&mut self, id: String, request: Request) -> Result<(), Closing> {
        if self.operations.contains_key(&id) {
            return Err(Closing::IdInUse);
        }
        let answers = if self.operations.len() < MAX_OPERATIONS {
            self.execute(request)
        } else {
            too_many()
        };
        let named = id.clone();
        let answers = answers.map(Some).chain(stream::iter([None]));
        let answers = answers.map(move |answer| (named.clone(), answer));
        // Around all, so that one that is ended does not say that it is complete.
        let (answers, end) = abortable(answers);
        self.operations.insert(id, end);
        self.answers.push(answers.boxed());
        Ok(())
    }

    fn execute(&self, request: Request) -> BoxStream<'static, Response> {
        let viewer = Viewer(self.listener.player);
        let following = Following {
            state: self.state.clone(),
            listener: self.listener,
        };
        let context = Arc::new(context_of(&self.state, viewer, self.audience).for_a_long_time());
        let request = request.data(following);
        match self.state.graphql.follow(request, context) {
            Ok(answers) => answers,
            Err(refused) => one(refused.into()).boxed(),
        }
    }
}

fn too_many() -> BoxStream<'static, Response> {
    let detail = format!("at most {MAX_OPERATIONS} operations may be under way on a socket");
    one(Response::from_errors(vec![ServerError::new(detail, None)])).boxed()
}

fn one(answer: Response) -> impl Stream<Item = Response> + Send {
    stream::iter([answer])
}

/// Whether clients are wont to send a token under this name.
fn is_token(key: &str) -> bool {
    let names = ["authorization", "access_token", "accesstoken", "token"];
    names.iter().any(|name| key.eq_ignore_ascii_case(name))
}
