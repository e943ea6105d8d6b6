//! A client of `/graphql/ws`, by the protocol graphql-transport-ws.

use std::io::ErrorKind;
use std::net::TcpStream;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::http::HeaderValue;
use tungstenite::{Error, Message, WebSocket};

use crate::client::Client;
use crate::sse::PATIENCE;

/// The protocol.
pub const PROTOCOL: &str = "graphql-transport-ws";

/// An open socket.
pub struct Socket(WebSocket<TcpStream>);

/// What a socket gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// A message of the protocol.
    Message(Value),
    /// The server closed the socket with a code, if it gave one.
    Closed(Option<u16>),
}

impl Socket {
    /// Opens a socket as `client` and initialises it.
    #[track_caller]
    pub fn open(client: &Client) -> Self {
        let mut socket = Self::connect(client, "", PROTOCOL).expect("a socket");
        socket.initialise();
        socket
    }

    /// Opens a socket at `/graphql/ws` with a query (empty, or `?…`), for a protocol.
    ///
    /// # Errors
    /// The status and the body that came instead.
    pub fn connect(client: &Client, query: &str, protocol: &str) -> Result<Self, (u16, Value)> {
        let address = client.base().trim_start_matches("http://");
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let url = format!("ws://{address}/graphql/ws{query}");
        let mut request = url.into_client_request().unwrap();
        let headers = request.headers_mut();
        let protocol = HeaderValue::from_str(protocol).unwrap();
        headers.insert("sec-websocket-protocol", protocol);
        if let Some(token) = &client.token {
            let bearer = HeaderValue::from_str(&format!("Bearer {token}")).unwrap();
            headers.insert("authorization", bearer);
        }
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(HandshakeError::Failure(Error::Http(answer))) => {
                let body = answer.body().as_deref().unwrap_or_default();
                Err((
                    answer.status().as_u16(),
                    serde_json::from_slice(body).unwrap_or_default(),
                ))
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Says `connection_init` and hears that it is taken.
    #[track_caller]
    pub fn initialise(&mut self) {
        self.say(&json!({"type": "connection_init"}));
        assert_eq!(self.message(), json!({"type": "connection_ack"}));
    }

    /// Sends a message of the protocol.
    pub fn say(&mut self, message: &Value) {
        self.send(Message::text(message.to_string()));
    }

    /// Sends any message.
    pub fn send(&mut self, message: Message) {
        // The server may have hung up; what it said before is still to be heard.
        let _ = self.0.send(message);
    }

    /// Begins an operation under an `id`.
    pub fn subscribe(&mut self, id: &str, query: &str, variables: &Value) {
        let payload = json!({"query": query, "variables": variables});
        self.say(&json!({"type": "subscribe", "id": id, "payload": payload}));
    }

    /// What comes next; a ping is answered on the way, and a third one means that nothing comes.
    #[track_caller]
    pub fn hear(&mut self) -> Heard {
        let mut pings = 0;
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => {
                    return Heard::Message(serde_json::from_str(&text).expect("JSON"));
                }
                Ok(Message::Close(frame)) => {
                    return Heard::Closed(frame.map(|frame| frame.code.into()));
                }
                Ok(Message::Ping(_)) => {
                    pings += 1;
                    assert!(pings < 3, "nothing came but pings");
                }
                Ok(Message::Pong(_)) => {}
                Ok(other) => panic!("{other:?}"),
                Err(Error::Io(error))
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    panic!("nothing came for {PATIENCE:?}")
                }
                Err(_) => return Heard::Closed(None),
            }
        }
    }

    /// The next message of the protocol; the socket must be open.
    #[track_caller]
    pub fn message(&mut self) -> Value {
        match self.hear() {
            Heard::Message(message) => message,
            Heard::Closed(code) => panic!("the socket was closed with {code:?}"),
        }
    }

    /// The payload of the next message, which must be the next one of the operation `id`.
    #[track_caller]
    pub fn next(&mut self, id: &str) -> Value {
        let message = self.message();
        assert_eq!(
            (&message["type"], &message["id"]),
            (&json!("next"), &json!(id)),
            "{message}"
        );
        message["payload"].clone()
    }

    /// The data of the next message, which must have no errors.
    #[track_caller]
    pub fn data(&mut self, id: &str) -> Value {
        let payload = self.next(id);
        assert!(payload.get("errors").is_none(), "{payload}");
        payload["data"].clone()
    }

    /// The code with which the server closes the socket, once all that it said before is heard.
    #[track_caller]
    pub fn closed(&mut self) -> Option<u16> {
        loop {
            if let Heard::Closed(code) = self.hear() {
                return code;
            }
        }
    }
}
