//! Tickets, which open a stream where no header can be sent; and when streams end by the clock or with
//! their account.

use std::time::Duration;

use serde_json::{Value, json};
use tests::client::text;
use tests::log::Log;
use tests::socket::PROTOCOL;
use tests::sse::Part;
use tests::{
    Backend, Client, EventStream, Game, Side, Socket, TestServer, Timed, assert_problem, on_both,
};

use super::{follow, follow_me};
use crate::lines::EVEN;

fn ticket(client: &Client) -> String {
    let given = client.post("/v1/me/event-tickets", &json!({})).ok(201);
    text(&given["ticket"])
}

/// The stream that a ticket opens, without any header.
fn with_ticket(server: &Client, path: &str, ticket: &str) -> EventStream {
    let nobody = server.with_token(None);
    let sign = if path.contains('?') { '&' } else { '?' };
    EventStream::send(
        &nobody,
        "GET",
        &format!("{path}{sign}access_token={ticket}"),
        &[],
    )
}

fn begin(timed: &Timed) -> Game {
    let (red, blue) = (timed.register("red"), timed.register("blue"));
    let game = Game::between(red, blue, "barrage", &Value::Null);
    let (red, blue) = EVEN.setups();
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
    game
}

/// It opens the streams of its owner as he sees them, each ticket one.
fn a_ticket_opens_one_stream(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let events = game.path("/events");
    for path in [
        &events,
        &game.path("/events?last_event_id=0"),
        "/v1/me/events",
    ] {
        let ticket = ticket(&game.red);
        let stream = with_ticket(&game.red, path, &ticket);
        assert_eq!(stream.head.status, 200, "{:?}", stream.head);
        let nobody = server.client();
        let query = format!(
            "{}access_token={ticket}",
            if path.contains('?') { '&' } else { '?' }
        );
        assert_problem(
            &nobody.get(&format!("{path}{query}")),
            401,
            "unauthenticated",
        );
    }
    // The players see offers, and with `last_event_id` in the query nothing is missed.
    let path = game.path("/events?last_event_id=3");
    let mut stream = with_ticket(&game.red, &path, &ticket(&game.red));
    crate::offers::offer(&game, Side::Red).ok(201);
    game.line("a4-a5");
    assert_eq!(stream.event().name, "game.offer");
    assert_eq!(stream.event().number(), 5);
    // Another's ticket is another's view.
    let third = server.register("third");
    let mut stream = with_ticket(
        &third,
        &game.path("/events?last_event_id=3"),
        &ticket(&third),
    );
    let event = stream.event();
    assert_eq!((event.number(), event.name.as_str()), (4, "game.move"));
}

/// Tickets that were never given out, and one beside a token.
fn a_ticket_that_does_not_hold_opens_nothing(server: &TestServer) {
    let game = EVEN.begin(server);
    let token = game.red.token.clone().unwrap();
    let nobody = server.client();
    for path in [game.path("/events"), "/v1/me/events".to_owned()] {
        // An access token is no ticket: it would end up in logs.
        for bad in ["", "x", &token, &game.red.refresh_token] {
            let answer = nobody.get(&format!("{path}?access_token={bad}"));
            assert_problem(&answer, 401, "unauthenticated");
        }
        let ticket = ticket(&game.red);
        let both = game.red.get(&format!("{path}?access_token={ticket}"));
        assert_problem(&both, 400, "malformed_request");
        // It was not spent by that.
        assert_eq!(with_ticket(&game.red, &path, &ticket).head.status, 200);
    }
    assert_problem(
        &nobody.post("/v1/me/event-tickets", &json!({})),
        401,
        "unauthenticated",
    );
    let extra = game
        .red
        .post("/v1/me/event-tickets", &json!({"for": "ever"}));
    assert_problem(&extra, 400, "malformed_request");
    // It opens streams, and nothing else.
    let ticket = ticket(&game.red);
    let me = game.red.with_token(Some(&ticket)).get("/v1/me");
    assert_problem(&me, 401, "unauthenticated");
    assert_ne!(
        nobody.get(&format!("/v1/me?access_token={ticket}")).status,
        200
    );
}

/// D13: tickets and tokens are in no line of the log, and on both databases only their digests kept.
fn a_ticket_is_never_logged(backend: Backend) {
    let log = Log::capture();
    let timed = Timed::start(backend);
    let mut game = begin(&timed);
    let given = ticket(&game.red);
    let mut stream = with_ticket(&game.red, &game.path("/events"), &given);
    let again = with_ticket(&game.red, &game.path("/events"), &given);
    assert_eq!(again.head.status, 401);
    game.line("a4-a5");
    stream.event();
    let lines = log.take();
    assert!(lines.contains("/events"), "{lines}");
    let secret = given
        .rsplit_once('.')
        .map_or(given.as_str(), |(_, secret)| secret);
    for secret in [given.as_str(), secret, "access_token="] {
        assert!(!lines.contains(secret), "{secret} is in the log");
    }
}

/// A minute, by the server's clock.
fn a_ticket_waits_for_a_minute(backend: Backend) {
    let timed = Timed::start(backend);
    let player = timed.register("player");
    let (early, late) = (ticket(&player), ticket(&player));
    timed.clock.advance(Duration::from_millis(59_999));
    assert_eq!(
        with_ticket(&player, "/v1/me/events", &early).head.status,
        200
    );
    timed.clock.advance(Duration::from_millis(1));
    assert_eq!(
        with_ticket(&player, "/v1/me/events", &late).head.status,
        401
    );
}

/// D13: a stream ends with the token that opened it, by header or by ticket, when something happens
/// or the time has come.
fn a_stream_ends_with_its_token(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = begin(&timed);
    let mut streams = [
        follow(&game, &game.red, None),
        follow_me(&game.red, None),
        with_ticket(&game.red, &game.path("/events"), &ticket(&game.red)),
        with_ticket(&game.red, "/v1/me/events", &ticket(&game.red)),
    ];
    let mut public = follow(&game, &game.red.with_token(None), None);
    game.line("a4-a5");
    for stream in &mut streams {
        assert_eq!(stream.event().name, "game.move");
    }
    public.event();
    timed.advance([&mut game.red, &mut game.blue], Duration::from_mins(15));
    game.line("a7-a6");
    for stream in &mut streams {
        assert_eq!(stream.closing(), "token_expired");
    }
    // Who has no token has none that runs out.
    assert_eq!(public.event().json()["move"]["ply"], 1);
    // With a new one he goes on where he was.
    assert_eq!(follow(&game, &game.red, Some("4")).event().number(), 5);
}

/// A game that its clock ends is told to be over as soon as anybody's request finds it so, and by then
/// that request was refused.
fn a_game_that_its_clock_ends_is_told(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = begin(&timed);
    game.line("a4-a5 a7-a6");
    let mut public = follow(&game, &game.red.with_token(None), None);
    timed.advance([&mut game.red, &mut game.blue], Duration::from_hours(73));
    let mut own = follow_me(&game.blue, None);
    assert_problem(&game.attempt("b4-b5"), 409, "game_over");
    for stream in [&mut public, &mut own] {
        let event = stream.event();
        assert_eq!(event.name, "game.finished");
        assert_eq!(
            event.json()["outcome"],
            json!({"winner": "blue", "reason": "timeout"})
        );
    }
}

/// A ticket of an account that was erased meanwhile.
fn an_erased_account_has_no_tickets(server: &TestServer) {
    let player = server.register("player");
    let ticket = ticket(&player);
    player.delete("/v1/me").ok(204);
    let answer = with_ticket(&player, "/v1/me/events", &ticket);
    assert_eq!(answer.head.status, 401);
}

/// What an account follows ends with it, here at once and on another node soon; an old token opens
/// nothing more, and others go on.
fn an_erased_account_hears_nothing_more(server: &TestServer) {
    let game = EVEN.begin(server);
    let node = (server.backend() == Backend::Postgres).then(|| server.another_node());
    let (red, blue) = (game.red.clone(), game.blue.clone());
    let mut nodes = vec![server.url()];
    nodes.extend(node.as_ref().map(TestServer::url));
    let mut others = follow(&game, &blue, None);
    let mut streams = Vec::new();
    let mut sockets = Vec::new();
    for node in &nodes {
        let red = red.at(node);
        streams.extend([follow_me(&red, None), follow(&game, &red, None)]);
        let mut socket = Socket::open(&red);
        super::subscription::subscribe(&mut socket, "1", &game, None);
        super::subscription::settle(&mut socket);
        sockets.push(socket);
    }
    red.delete("/v1/me").ok(204);
    for stream in &mut streams {
        // The end of his game comes before, or does not.
        while stream.event_or_closing().name != "closing" {}
        assert_eq!(stream.part(), Part::End);
    }
    for socket in &mut sockets {
        assert_eq!(socket.closed(), Some(4403));
    }
    assert_eq!(others.event().name, "game.finished");
    for path in ["/v1/me/events", &game.path("/events")] {
        let refused = EventStream::send(&red, "GET", path, &[]).head.status;
        assert_eq!(refused, 401, "{path}");
    }
    let refused = Socket::connect(&red, "", PROTOCOL).err();
    assert_eq!(refused.expect("an erased account").0, 401);
}

on_both! {
    a_ticket_opens_one_stream,
    a_ticket_that_does_not_hold_opens_nothing,
    a_ticket_is_never_logged,
    a_ticket_waits_for_a_minute,
    a_stream_ends_with_its_token,
    a_game_that_its_clock_ends_is_told,
    an_erased_account_has_no_tickets,
    an_erased_account_hears_nothing_more,
}
