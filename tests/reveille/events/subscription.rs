//! The GraphQL subscription over `/graphql/ws`.

use std::time::Duration;

use serde_json::{Value, json};
use tests::client::text;
use tests::socket::PROTOCOL;
use tests::{Backend, Client, Game, Side, Socket, TestServer, Timed, on_both};

use crate::lines::{EVEN, RED_TAKES_THE_FLAG};
use crate::offers::offer;

const EVENTS: &str = "subscription Events($id: UUID!, $after: String) {
    gameEvents(id: $id, after: $after) {
        id kind ply
        move { ply from to battle { attacker defender outcome } }
        game { plies status }
    }
}";

pub(super) fn subscribe(socket: &mut Socket, id: &str, game: &Game, after: Option<&str>) {
    socket.subscribe(id, EVENTS, &json!({"id": game.id, "after": after}));
}

/// A round trip, after which all that was said before is taken in.
#[track_caller]
pub(super) fn settle(socket: &mut Socket) {
    socket.say(&json!({"type": "ping"}));
    assert_eq!(socket.message()["type"], "pong");
}

/// The events of a stream, in both their numbers, whoever looks.
fn each_viewer_hears_his_events(server: &TestServer) {
    let mut game = RED_TAKES_THE_FLAG.begin(server);
    let third = server.register("third");
    let viewers = [game.red.clone(), game.blue.clone(), third, server.client()];
    let mut sockets: Vec<Socket> = viewers
        .iter()
        .map(|viewer| {
            let mut socket = Socket::open(viewer);
            subscribe(&mut socket, "1", &game, Some("0"));
            socket
        })
        .collect();
    game.line("a4-a5");
    offer(&game, Side::Red).ok(201);
    game.line("a7-a8 e4xe7");
    for (viewer, socket) in viewers.iter().zip(&mut sockets) {
        let plays = [&game.red.name, &game.blue.name].contains(&&viewer.name);
        let last = if plays { 9 } else { 7 };
        let told: Vec<Value> = (0..last)
            .map(|_| socket.data("1")["gameEvents"].clone())
            .collect();
        let streamed = super::follow(&game, viewer, Some("0")).up_to(last);
        for (one, other) in told.iter().zip(&streamed) {
            assert_eq!(one["id"], json!(other.id));
            assert_eq!(one["kind"], json!(other.name));
            let made = &other.json()["move"];
            for field in ["ply", "from", "to"] {
                assert_eq!(one["move"][field], made[field], "{one}");
            }
            assert_eq!(one["ply"], made["ply"]);
        }
        assert_eq!(
            told.last().unwrap()["game"],
            json!({"plies": 3, "status": "FINISHED"})
        );
        socket.say(&json!({"type": "complete", "id": "1"}));
        settle(socket);
    }
}

/// `after` goes on as `Last-Event-ID` does; one that is not there ends the operation with an error.
fn it_goes_on_after_an_event(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5 a7-a6");
    let mut socket = Socket::open(&game.blue);
    subscribe(&mut socket, "rest", &game, Some("3"));
    for id in ["4", "5"] {
        assert_eq!(socket.data("rest")["gameEvents"]["id"], id);
    }
    for (place, after) in ["6", "x", "-1", "+1", ""].into_iter().enumerate() {
        let id = format!("gone{place}");
        subscribe(&mut socket, &id, &game, Some(after));
        let payload = socket.next(&id);
        let message = text(&payload["errors"][0]["message"]);
        assert!(message.starts_with("resync"), "{payload}");
        assert_eq!(socket.message(), json!({"type": "complete", "id": id}));
    }
    game.line("b4-b5");
    assert_eq!(socket.data("rest")["gameEvents"]["id"], "6");
}

/// A move is told as the log tells it, and the game beside it too: hidden ranks stay hidden.
fn it_tells_no_hidden_rank(server: &TestServer) {
    let (red, blue) = EVEN.setups();
    let options = json!({"silent_defense": true});
    let mut game = Game::begin_with(server, "barrage", &options, &red, &blue);
    let query = "subscription($id: UUID!) { gameEvents(id: $id, after: \"3\") { id
        move { pieceId rank battle { attacker defender } }
        game { plies replay { frame(ply: 0) { pieces { pieceId rank } } } } } }";
    let mut sockets = [&game.red, &server.client()].map(Socket::open);
    for socket in &mut sockets {
        socket.subscribe("1", query, &json!({"id": game.id}));
        settle(socket);
    }
    for (ply, notation) in ["a4-a5", "a7-a6", "j4xj7"].into_iter().enumerate() {
        game.line(notation);
        for (viewer, socket) in sockets.iter_mut().enumerate() {
            let told = socket.data("1")["gameEvents"].clone();
            assert_eq!(told["game"]["plies"], ply + 1, "as it is now");
            let made = &told["move"];
            let own = viewer == 0 && ply == 0;
            match ply {
                2 => assert_eq!(
                    made["battle"],
                    json!({"attacker": "SCOUT", "defender": "SCOUT"})
                ),
                _ => assert_eq!(made["rank"] == "MARSHAL", own, "{told}"),
            }
            let pieces = told["game"]["replay"]["frame"]["pieces"]
                .as_array()
                .unwrap();
            for piece in pieces.iter().filter(|piece| !piece["rank"].is_null()) {
                let id = text(&piece["pieceId"]);
                assert!(viewer == 0 && id.starts_with("red:"), "{piece} at ply 0");
            }
        }
    }
}

/// A private game, a game that is none, and a caller who may not know.
fn what_may_not_be_seen_is_not_there(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let body = json!({"ruleset": "barrage", "color": "red", "opponent": blue.name, "private": true,
        "time_control": {"kind": "unlimited"}});
    let challenge = red.post("/v1/challenges", &body).ok(201);
    let id = text(&tests::game::accept(&blue, &challenge).ok(201)["id"]);
    let mut stranger = Socket::open(&server.register("third"));
    let nothing = "018c0000-0000-7000-8000-000000000000";
    let mut told = Vec::new();
    for (place, id) in [id.as_str(), nothing].into_iter().enumerate() {
        let place = place.to_string();
        stranger.subscribe(&place, EVENTS, &json!({"id": id, "after": "0"}));
        let payload = stranger.next(&place);
        told.push(payload["errors"][0]["message"].clone());
        assert_eq!(stranger.message()["type"], "complete");
    }
    assert_eq!(told[0], told[1]);
    let mut player = Socket::open(&blue);
    player.subscribe("1", EVENTS, &json!({"id": id, "after": "0"}));
    settle(&mut player);
    let setup = json!({"setup": EVEN.setups().0});
    red.put(&format!("/v1/games/{id}/setup"), &setup).ok(200);
    assert_eq!(player.data("1")["gameEvents"]["kind"], "game.setup_placed");
}

/// The limits of queries hold here too, and the socket outlives what they refuse.
fn limits_hold_for_subscriptions(server: &TestServer) {
    let game = EVEN.begin(server);
    let mut socket = Socket::open(&game.red);
    let id = &game.id;
    let deep = (0..20).fold("id".to_owned(), |inner, _| {
        format!("red {{ player {{ games(first: 1) {{ nodes {{ {inner} }} }} }} }}")
    });
    // More than an analyst may ask for, as whoever has logged in is one.
    let costly = (0..4).fold(String::new(), |games, n| {
        let moves = "moves(first: 100) { edges { node { ply } } }";
        games + &format!("g{n}: games(first: 100) {{ edges {{ node {{ {moves} }} }} }} ")
    });
    let wide: String = (0..40).fold(String::new(), |fields, n| fields + &format!("a{n}: kind "));
    for (place, query) in [
        format!("subscription {{ gameEvents(id: \"{id}\") {{ game {{ {deep} }} }} }}"),
        format!("subscription {{ gameEvents(id: \"{id}\") {{ {wide} }} }}"),
        format!("subscription {{ a: gameEvents(id: \"{id}\") {{ id }} b: gameEvents(id: \"{id}\") {{ id }} }}"),
        format!("subscription {{ gameEvents(id: \"{id}\") {{ game {{ red {{ player {{ {costly} }} }} }} }} }}"),
        format!("subscription {{ gameEvents(id: \"{id}\") {{ nothing }} }}"),
        "subscription {".to_owned(),
        "subscription { gameEvents(id: 7) { id } }".to_owned(),
        String::new(),
    ]
    .iter()
    .enumerate()
    {
        let operation = place.to_string();
        socket.subscribe(&operation, query, &json!({}));
        let message = socket.message();
        let refused = message["type"] == "error" || message["payload"]["errors"].is_array();
        assert!(refused, "{query}: {message}");
        assert!(!message.to_string().contains(".rs"), "{message}");
        if message["type"] == "next" {
            assert_eq!(socket.message(), json!({"type": "complete", "id": operation}));
        }
    }
    // Queries are answered as well, once.
    socket.subscribe(
        "q",
        "{ game(id: \"018c0000-0000-7000-8000-000000000000\") { plies } }",
        &json!({}),
    );
    assert_eq!(socket.data("q"), json!({"game": null}));
    assert_eq!(socket.message(), json!({"type": "complete", "id": "q"}));
}

/// Twenty operations, and no more until one is complete.
fn a_socket_has_at_most_twenty_operations(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let mut socket = Socket::open(&game.red);
    for id in 0..20 {
        subscribe(&mut socket, &id.to_string(), &game, Some("3"));
    }
    subscribe(&mut socket, "20", &game, Some("3"));
    let payload = socket.next("20");
    assert!(
        text(&payload["errors"][0]["message"]).contains("20"),
        "{payload}"
    );
    assert_eq!(socket.message(), json!({"type": "complete", "id": "20"}));
    socket.say(&json!({"type": "complete", "id": "7"}));
    settle(&mut socket);
    subscribe(&mut socket, "21", &game, Some("2"));
    assert_eq!(socket.data("21")["gameEvents"]["id"], "3");
    game.line("a4-a5");
    let mut heard: Vec<String> = (0..20).map(|_| text(&socket.message()["id"])).collect();
    heard.sort_by_key(|id| id.parse::<u32>().unwrap());
    let expected: Vec<String> = (0..22)
        .filter(|id| ![7, 20].contains(id))
        .map(|id: u32| id.to_string())
        .collect();
    assert_eq!(heard, expected);
}

/// Tickets open sockets too, and a token and a ticket together do not.
fn a_ticket_opens_a_socket(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let given = game.red.post("/v1/me/event-tickets", &json!({})).ok(201);
    let query = format!("?access_token={}", text(&given["ticket"]));
    let nobody = server.client();
    let both = Socket::connect(&game.red, &query, PROTOCOL)
        .err()
        .expect("both");
    assert_eq!(both.0, 400);
    let mut socket = Socket::connect(&nobody, &query, PROTOCOL).expect("a ticket");
    let spent = Socket::connect(&nobody, &query, PROTOCOL)
        .err()
        .expect("spent");
    assert_eq!(
        (spent.0, &spent.1["code"]),
        (401, &json!("unauthenticated"))
    );
    socket.initialise();
    subscribe(&mut socket, "1", &game, Some("3"));
    offer(&game, Side::Red).ok(201);
    game.line("a4-a5");
    // The players hear of offers.
    assert_eq!(socket.data("1")["gameEvents"]["kind"], "game.offer");
    assert_eq!(socket.data("1")["gameEvents"]["id"], "5");
}

/// Sockets say why they end when the server goes down, and it goes down at once.
fn a_shutdown_closes_sockets(backend: Backend) {
    let mut server = TestServer::start(backend);
    let game = EVEN.begin(&server);
    let mut sockets = [Socket::open(&game.red), Socket::open(&game.blue)];
    subscribe(&mut sockets[0], "1", &game, None);
    settle(&mut sockets[0]);
    std::thread::scope(|scope| {
        let closed: Vec<_> = sockets
            .iter_mut()
            .map(|socket| scope.spawn(|| socket.closed()))
            .collect();
        let began = std::time::Instant::now();
        assert!(server.stop().success(), "{}", server.stderr());
        assert!(began.elapsed() < Duration::from_secs(11));
        for one in closed {
            assert_eq!(one.join().unwrap(), Some(1001));
        }
    });
}

/// The socket ends with the token that opened it.
fn a_socket_ends_with_its_token(backend: Backend) {
    let timed = Timed::start(backend);
    let player: Client = timed.register("player");
    let mut socket = Socket::open(&player);
    let mut nobody = Socket::open(&player.with_token(None));
    timed.clock.advance(Duration::from_mins(15));
    socket.say(&json!({"type": "ping"}));
    assert_eq!(socket.closed(), Some(4403));
    settle(&mut nobody);
}

on_both! {
    each_viewer_hears_his_events,
    it_goes_on_after_an_event,
    it_tells_no_hidden_rank,
    what_may_not_be_seen_is_not_there,
    limits_hold_for_subscriptions,
    a_socket_has_at_most_twenty_operations,
    a_ticket_opens_a_socket,
    a_shutdown_closes_sockets,
    a_socket_ends_with_its_token,
}
