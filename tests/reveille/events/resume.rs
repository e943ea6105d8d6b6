//! Going on from the last event that one has.

use tests::sse::{Event, EventStream};
use tests::{Backend, Client, Game, TestServer, on_both};

use super::{assert_dense, follow, follow_me};
use crate::lines::EVEN;
use crate::offers::offer;

/// A game with an offer in the middle, and the numbers of its last events for players and all others.
fn played(server: &TestServer) -> (Game, u64, u64) {
    let mut game = EVEN.begin(server);
    game.line("i4xi7 j7xj4");
    offer(&game, tests::Side::Red).ok(201);
    game.line("a4-a5 a7-a6");
    (game, 9, 7)
}

/// After any event come exactly those after it, in order and as they were; after 0 come all.
fn after_any_event_come_the_rest(server: &TestServer) {
    let (game, to_players, to_all) = played(server);
    let nobody = server.client();
    for (viewer, last) in [
        (&game.red, to_players),
        (&game.blue, to_players),
        (&nobody, to_all),
    ] {
        let all = follow(&game, viewer, Some("0")).up_to(last);
        assert_dense(&all, 1);
        for after in 1..last {
            let rest = follow(&game, viewer, Some(&after.to_string())).up_to(last);
            assert_eq!(rest[..], all[usize::try_from(after).unwrap()..]);
        }
    }
    let all = follow_me(&game.blue, Some("0")).up_to(11);
    assert_dense(&all, 1);
    for after in 1..11 {
        let rest = follow_me(&game.blue, Some(&after.to_string())).up_to(11);
        assert_eq!(rest[..], all[usize::try_from(after).unwrap()..]);
    }
}

/// D13: a stream drops after event 7, three moves are made, and it goes on with 8 to 10.
fn a_dropped_stream_goes_on_where_it_was(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let mut stream = follow(&game, &game.blue, Some("0"));
    game.line("i4xi7 j7xj4 a4-a5 a7-a6");
    assert_dense(&stream.up_to(7), 1);
    drop(stream);
    game.line("a5xa6 b7-b6 b4-b5");
    let mut stream = follow(&game, &game.blue, Some("7"));
    let told = stream.events(3);
    assert_dense(&told, 8);
    let plies: Vec<_> = told
        .iter()
        .map(|event| event.json()["move"]["ply"].clone())
        .collect();
    assert_eq!(plies, [4, 5, 6]);
    game.line("b6xb5");
    assert_eq!(stream.event().number(), 11);
}

/// Without an id the stream begins with what happens next; with the last one likewise.
fn without_an_event_it_begins_with_what_comes_next(server: &TestServer) {
    let (mut game, to_players, to_all) = played(server);
    let nobody = server.client();
    // His own events have numbers once somebody has looked.
    follow_me(&game.blue, Some("0")).up_to(11);
    let next = to_players + 1;
    let mut streams = [
        (follow(&game, &game.red, None), next),
        (
            follow(&game, &game.red, Some(&to_players.to_string())),
            next,
        ),
        (follow(&game, &nobody, None), to_all + 1),
        (
            follow(&game, &nobody, Some(&to_all.to_string())),
            to_all + 1,
        ),
        (follow_me(&game.red, None), 12),
        (follow_me(&game.blue, Some("11")), 12),
    ];
    game.line("b4-b5");
    for (stream, next) in &mut streams {
        let event = stream.event();
        assert_eq!((event.number(), event.name.as_str()), (*next, "game.move"));
        assert_eq!(event.json()["move"]["ply"], 4);
    }
}

/// An event that is not there: read anew, and go on from here.
fn an_unknown_event_gets_a_resync(server: &TestServer) {
    let (mut game, to_players, to_all) = played(server);
    let nobody = server.client();
    // So that the players' own streams are numbered.
    follow_me(&game.red, Some("0")).up_to(11);
    let unknown = [
        "999",
        "x",
        "-1",
        "+1",
        "1.5",
        "018c0000-0000-7000-8000-000000000000",
        "99999999999999999999999",
        "18446744073709551615",
        "9223372036854775808",
        "",
    ];
    let mut streams: Vec<(EventStream, u64)> = Vec::new();
    for id in unknown {
        streams.push((follow(&game, &game.red, Some(id)), to_players));
        streams.push((follow(&game, &nobody, Some(id)), to_all));
        streams.push((follow_me(&game.red, Some(id)), 11));
    }
    for (stream, last) in &mut streams {
        let event = stream.event();
        let expected = Event {
            id: Some(last.to_string()),
            name: "resync".to_owned(),
            data: "{}".to_owned(),
        };
        assert_eq!(event, expected);
    }
    game.line("b4-b5");
    for (stream, last) in &mut streams {
        assert_eq!(stream.event().number(), *last + 1);
    }
}

/// Where no header can be sent, the query says the same; a header counts more.
fn the_query_says_it_too(server: &TestServer) {
    let (game, to_players, _) = played(server);
    let path = game.path("/events?last_event_id=5");
    let rest = EventStream::open(&game.red, &path, None).up_to(to_players);
    assert_dense(&rest, 6);
    // A browser that reconnects sends the query that it began with as well.
    let rest = EventStream::open(&game.red, &path, Some("8")).up_to(to_players);
    assert_dense(&rest, 9);
    let path = game.path("/events?last_event_id=many");
    assert_eq!(
        EventStream::open(&game.red, &path, None).event().name,
        "resync"
    );
}

/// Nothing of it is in the memory of the server.
fn streams_go_on_after_a_restart(backend: Backend) {
    let mut server = TestServer::start(backend);
    let (game, to_players, to_all) = played(&server);
    let before = follow(&game, &game.red, Some("0")).up_to(to_players);
    let own = follow_me(&game.red, Some("0")).up_to(11);
    let public = follow(&game, &server.client(), Some("0")).up_to(to_all);
    for kill in [false, true] {
        if kill {
            server.kill();
        } else {
            assert!(server.stop().success(), "{}", server.stderr());
        }
        server.restart();
        let of = |client: &Client| client.at(server.url());
        let red = of(&game.red);
        assert_eq!(
            follow(&game, &red, Some("4")).up_to(to_players),
            before[4..]
        );
        assert_eq!(follow_me(&red, Some("3")).up_to(11), own[3..]);
        assert_eq!(
            follow(&game, &server.client(), Some("0")).up_to(to_all),
            public
        );
    }
    let game = Game {
        red: game.red.at(server.url()),
        blue: game.blue.at(server.url()),
        ..game
    };
    let mut stream = follow(&game, &game.red, Some("9"));
    game.attempt("b4-b5").ok(201);
    assert_eq!(stream.event().number(), 10);
}

on_both! {
    after_any_event_come_the_rest,
    a_dropped_stream_goes_on_where_it_was,
    without_an_event_it_begins_with_what_comes_next,
    an_unknown_event_gets_a_resync,
    the_query_says_it_too,
    streams_go_on_after_a_restart,
}
