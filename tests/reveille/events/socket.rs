//! The protocol graphql-transport-ws: whoever does not keep to it is told so by the code of the close.

use serde_json::json;
use tests::socket::{Heard, PROTOCOL};
use tests::{Game, Socket, TestServer, on_both};
use tungstenite::Message;

use super::subscription::{settle, subscribe};
use crate::lines::EVEN;

/// A socket that has said nothing yet.
fn silent(game: &Game) -> Socket {
    Socket::connect(&game.red, "", PROTOCOL).expect("a socket")
}

#[track_caller]
fn assert_closed(socket: &mut Socket, code: u16) {
    assert_eq!(socket.hear(), Heard::Closed(Some(code)));
}

fn another_protocol_is_refused(server: &TestServer) {
    let red = server.register("red");
    let refused = Socket::connect(&red, "", "graphql-ws").err();
    let (status, body) = refused.expect("no such protocol");
    assert_eq!((status, &body["code"]), (400, &json!("malformed_request")));
    assert_eq!(red.get("/graphql/ws").status, 400);
}

/// 4400: what is no message of the protocol, be it before or after the connection is acknowledged.
fn what_is_no_message_is_invalid(server: &TestServer) {
    let game = EVEN.begin(server);
    let nonsense = [
        "",
        "{",
        "[]",
        "7",
        "{}",
        "{\"type\": \"nothing\"}",
        "{\"type\": \"subscribe\"}",
        "{\"type\": \"subscribe\", \"id\": \"1\"}",
        "{\"type\": \"subscribe\", \"id\": 1, \"payload\": {\"query\": \"{ a }\"}}",
        "{\"type\": \"complete\"}",
        // Of the older protocol.
        "{\"type\": \"start\", \"id\": \"1\", \"payload\": {\"query\": \"{ a }\"}}",
        "{\"type\": \"connection_terminate\"}",
    ];
    let texts = nonsense.into_iter().map(Message::text);
    for message in texts.chain([Message::binary(vec![1, 2, 3])]) {
        let mut socket = Socket::open(&game.red);
        socket.send(message.clone());
        assert_eq!(socket.hear(), Heard::Closed(Some(4400)), "{message:?}");
        let mut socket = silent(&game);
        socket.send(message.clone());
        assert_eq!(socket.hear(), Heard::Closed(Some(4400)), "{message:?}");
    }
    let mut socket = Socket::open(&game.red);
    socket.send(Message::text("x".repeat(65 * 1024)));
    assert_closed(&mut socket, 1009);
    // The server serves on.
    Socket::open(&game.red);
}

/// 4403: a token that comes too late to be looked at.
fn a_token_belongs_into_the_handshake(server: &TestServer) {
    let game = EVEN.begin(server);
    for key in ["Authorization", "access_token"] {
        let mut socket = silent(&game);
        let init = json!({"type": "connection_init", "payload": {key: "Bearer x"}});
        socket.send(Message::text(init.to_string()));
        assert_closed(&mut socket, 4403);
    }
    let mut socket = silent(&game);
    let init = json!({"type": "connection_init", "payload": {"client": "mine"}});
    socket.send(Message::text(init.to_string()));
    let acknowledged = socket.hear();
    assert!(
        matches!(acknowledged, Heard::Message(_)),
        "{acknowledged:?}"
    );
}

/// 4401: an operation before the connection is acknowledged.
fn an_operation_waits_for_the_acknowledgement(server: &TestServer) {
    let game = EVEN.begin(server);
    let mut socket = silent(&game);
    subscribe(&mut socket, "1", &game, None);
    assert_closed(&mut socket, 4401);
    // A ping is answered at any time.
    let mut socket = silent(&game);
    settle(&mut socket);
    socket.initialise();
}

/// 4408: who does not begin is not waited for.
fn the_beginning_is_not_waited_for_long(server: &TestServer) {
    let game = EVEN.begin(server);
    let mut begun = Socket::open(&game.blue);
    let mut socket = silent(&game);
    assert_eq!(socket.closed(), Some(4408));
    settle(&mut begun);
}

/// 4409: an operation under the name of one that is under way. A name is free again once the operation is
/// complete, whoever said so.
fn a_name_has_one_operation(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let mut socket = Socket::open(&game.red);
    // After the last event: from now on might begin after the move.
    subscribe(&mut socket, "1", &game, Some("3"));
    for _ in 0..3 {
        socket.say(&json!({"type": "complete", "id": "1"}));
        subscribe(&mut socket, "1", &game, Some("3"));
    }
    settle(&mut socket);
    game.line("a4-a5");
    assert_eq!(socket.data("1")["gameEvents"]["id"], "4");
    for _ in 0..2 {
        socket.subscribe("q", "{ __typename }", &json!({}));
        assert_eq!(socket.data("q")["__typename"], "Query");
        assert_eq!(socket.message(), json!({"type": "complete", "id": "q"}));
    }
    subscribe(&mut socket, "2", &game, None);
    settle(&mut socket);
    subscribe(&mut socket, "1", &game, Some("0"));
    assert_closed(&mut socket, 4409);
}

/// 4429: a second beginning.
fn it_begins_once(server: &TestServer) {
    let mut socket = Socket::open(&server.register("red"));
    socket.say(&json!({"type": "connection_init"}));
    assert_closed(&mut socket, 4429);
}

on_both! {
    another_protocol_is_refused,
    a_token_belongs_into_the_handshake,
    what_is_no_message_is_invalid,
    an_operation_waits_for_the_acknowledgement,
    the_beginning_is_not_waited_for_long,
    a_name_has_one_operation,
    it_begins_once,
}
