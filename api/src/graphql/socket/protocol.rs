//! What is said over a socket, by the protocol graphql-transport-ws.

use actix_ws::{CloseCode, CloseReason};
use async_graphql::{Request, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a client says.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Said {
    /// The first thing, and once.
    ConnectionInit {
        #[serde(default)]
        payload: Option<Map<String, Value>>,
    },
    /// An operation begins.
    Subscribe {
        /// The client's name for it, which no other may have while it is under way.
        id: String,
        payload: Box<Request>,
    },
    /// The client wants to hear nothing more of an operation.
    Complete { id: String },
    /// Is there anybody?
    Ping,
    /// Somebody is there.
    Pong,
}

/// What it is told.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Told {
    /// `connection_init` is taken.
    ConnectionAck,
    /// An answer of an operation.
    Next { id: String, payload: Box<Response> },
    /// An operation has no more answers.
    Complete { id: String },
    /// Somebody is there.
    Pong,
}

/// Why the server closes a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    /// The server goes down.
    Shutdown,
    /// A message is longer than what is taken.
    TooLong,
    /// What was said is no message of the protocol.
    InvalidMessage,
    /// A token where none is looked for: whoever sends it would take himself for known.
    MisplacedToken,
    /// An operation before the connection was acknowledged.
    NotInitialised,
    /// The access token has run out.
    TokenExpired,
    /// The account is no more.
    AccountErased,
    /// The login or personal token has ended.
    TokenRevoked,
    /// No `connection_init` came in time.
    InitTimeout,
    /// An operation under the name of one that is under way.
    IdInUse,
    /// A second `connection_init`.
    InitialisedTwice,
}

impl From<Closing> for CloseReason {
    fn from(closing: Closing) -> Self {
        let (code, says) = match closing {
            Closing::Shutdown => (1001, "the server goes down"),
            Closing::TooLong => (1009, "the message is too long"),
            Closing::InvalidMessage => (4400, "Invalid message received"),
            Closing::MisplacedToken => (
                4403,
                "the token belongs into the handshake: Authorization, or a ticket as ?access_token=",
            ),
            Closing::NotInitialised => (4401, "Unauthorized"),
            Closing::TokenExpired => (4403, "the access token has run out"),
            Closing::AccountErased => (4403, "the account was erased"),
            Closing::TokenRevoked => (4403, "the login or personal token has ended"),
            Closing::InitTimeout => (4408, "Connection initialisation timeout"),
            Closing::IdInUse => (4409, "Subscriber for this id already exists"),
            Closing::InitialisedTwice => (4429, "Too many initialisation requests"),
        };
        Self {
            code: CloseCode::from(code),
            description: Some(says.to_owned()),
        }
    }
}
