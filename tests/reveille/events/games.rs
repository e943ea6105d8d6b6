//! The events of a game, as each viewer sees them.

use serde_json::{Value, json};
use tests::client::text;
use tests::game::new_game;
use tests::leak::Secrets;
use tests::sse::{Event, EventStream, Part};
use tests::{Client, Game, Side, TestServer, assert_problem, on_both};

use super::{follow, kinds};
use crate::lines::{EVEN, RED_TAKES_THE_FLAG};
use crate::offers::offer;

/// A game with each kind of event, and the numbers of its events for the players and for all others:
/// offers are the players' alone.
fn eventful(server: &TestServer) -> Game {
    let (red, blue) = RED_TAKES_THE_FLAG.setups();
    let mut game = Game::in_setup(server, "barrage", &Value::Null);
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
    game.line("a4-a5");
    offer(&game, Side::Red).ok(201);
    game.line("a7-a8");
    game.line("e4xe7");
    game
}

const TO_PLAYERS: [(u64, &str); 9] = [
    (1, "game.setup_placed"),
    (2, "game.setup_placed"),
    (3, "game.started"),
    (4, "game.move"),
    (5, "game.offer"),
    (6, "game.move"),
    (7, "game.offer"),
    (8, "game.move"),
    (9, "game.finished"),
];

const TO_ALL: [(u64, &str); 7] = [
    (1, "game.setup_placed"),
    (2, "game.setup_placed"),
    (3, "game.started"),
    (4, "game.move"),
    (5, "game.move"),
    (6, "game.move"),
    (7, "game.finished"),
];

/// What happens reaches everyone who may know of it, in numbers without gaps of their own.
fn each_viewer_sees_his_events_as_they_happen(server: &TestServer) {
    let third = server.register("third");
    let nobody = server.client();
    let (red, blue) = RED_TAKES_THE_FLAG.setups();
    let mut game = Game::in_setup(server, "barrage", &Value::Null);
    let viewers = [&game.red, &game.blue, &third, &nobody].map(Client::clone);
    let mut streams: Vec<EventStream> = viewers
        .iter()
        .map(|viewer| follow(&game, viewer, None))
        .collect();
    for stream in &mut streams {
        assert_eq!(stream.part(), Part::Retry(3000));
    }
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
    game.line("a4-a5");
    offer(&game, Side::Red).ok(201);
    game.line("a7-a8 e4xe7");
    let told: Vec<Vec<Event>> = streams
        .iter_mut()
        .enumerate()
        .map(|(viewer, stream)| stream.events(if viewer < 2 { 9 } else { 7 }))
        .collect();
    assert_eq!(kinds(&told[0]), TO_PLAYERS);
    assert_eq!(kinds(&told[1]), TO_PLAYERS);
    assert_eq!(kinds(&told[2]), TO_ALL);
    assert_eq!(told[2], told[3]);
}

/// The data of each kind.
fn events_say_what_happened(server: &TestServer) {
    let game = eventful(server);
    let log = game.red.get(&game.path("/moves")).ok(200)["items"].clone();
    let view = game.view(&game.red);
    let told = follow(&game, &game.red, Some("0")).events(9);
    let data: Vec<Value> = told.iter().map(Event::json).collect();
    let id = &game.id;
    assert_eq!(data[0], json!({"game_id": id, "side": "red"}));
    assert_eq!(data[1], json!({"game_id": id, "side": "blue"}));
    assert_eq!(
        data[2],
        json!({"game_id": id, "started_at": view["started_at"]})
    );
    for (place, ply) in [(3, 0), (5, 1), (7, 2)] {
        assert_eq!(data[place], json!({"game_id": id, "move": log[ply]}));
    }
    let offer = |place: usize| {
        assert_eq!(data[place]["game_id"], json!(id));
        data[place]["offer"].clone()
    };
    let (made, ended) = (offer(4), offer(6));
    assert_eq!(
        (&made["by"], &made["kind"], &made["status"]),
        (&json!("red"), &json!("draw"), &json!("open"))
    );
    assert_eq!(
        (&ended["id"], &ended["status"]),
        (&made["id"], &json!("lapsed"))
    );
    let finished = json!({"game_id": id, "outcome": view["outcome"], "ply": 3,
        "finished_at": view["finished_at"]});
    assert_eq!(data[8], finished);
}

/// Each stream tells as much as the log does at that moment, and no hidden rank.
fn moves_are_told_as_each_viewer_sees_them(server: &TestServer) {
    let mut game = Game::begin_with(
        server,
        "barrage",
        &json!({"silent_defense": true}),
        &EVEN.setups().0,
        &EVEN.setups().1,
    );
    let third = server.register("third");
    let viewers = [&game.red, &game.blue, &third].map(Client::clone);
    let mut streams = viewers.each_ref().map(|viewer| follow(&game, viewer, None));
    let (red, blue) = EVEN.setups();
    for notation in "a4-a5 a7-a6 j4xj7 b7-b6 e4-e5".split_whitespace() {
        game.line(notation);
        for (viewer, stream) in viewers.iter().zip(&mut streams) {
            let event = stream.event();
            let log = viewer.get(&game.path("/moves")).ok(200);
            let last = log["items"].as_array().unwrap().last().unwrap();
            assert_eq!(&event.json()["move"], last, "{notation}");
        }
    }
    let mut stream = follow(&game, &third, Some("0"));
    let all: Vec<Event> = stream.up_to(8);
    let mut answer = stream.head.clone();
    answer.body = json!(all.iter().map(Event::json).collect::<Vec<_>>())
        .to_string()
        .into();
    for (side, setup, told) in [(Side::Red, red, "red:j4"), (Side::Blue, blue, "blue:j7")] {
        Secrets::of(side, &setup).without(told).assert_kept(&answer);
    }
}

/// An army that is replaced is its owner's business: no stream shows it.
fn a_replaced_army_shows_in_no_stream(server: &TestServer) {
    let game = Game::in_setup(server, "barrage", &Value::Null);
    let third = server.register("third");
    let viewers = [&game.red, &game.blue, &third].map(Client::clone);
    let mut streams = viewers.each_ref().map(|viewer| follow(&game, viewer, None));
    let mut feeds = [&game.red, &game.blue].map(|player| super::follow_me(player, None));
    let (red, blue) = EVEN.setups();
    let other = RED_TAKES_THE_FLAG.setups().0;
    for setup in [&red, &other, &red] {
        game.place(Side::Red, setup).ok(200);
    }
    game.place(Side::Blue, &blue).ok(200);
    let expected = [
        (1, "game.setup_placed"),
        (2, "game.setup_placed"),
        (3, "game.started"),
    ];
    for stream in &mut streams {
        let events = stream.events(3);
        assert_eq!(kinds(&events), expected);
        assert_eq!(events[0].json()["side"], "red");
        assert_eq!(events[1].json()["side"], "blue");
    }
    for feed in &mut feeds {
        let names: Vec<String> = feed.events(3).into_iter().map(|event| event.name).collect();
        assert_eq!(
            names,
            ["game.setup_placed", "game.setup_placed", "game.started"]
        );
    }
}

/// Every way in which an offer and a game end is told.
fn offers_and_ends_are_told(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let mut stream = follow(&game, &game.blue, None);
    let mut public = follow(&game, &server.client(), None);
    game.line("a4-a5 a7-a6");
    let made = offer(&game, Side::Red).ok(201);
    let path = game.path(&format!("/offers/{}/decline", text(&made["id"])));
    game.blue.post(&path, &json!({})).ok(200);
    offer(&game, Side::Blue).ok(201);
    game.resign(Side::Red).ok(200);
    let events = stream.events(7);
    let names: Vec<&str> = events.iter().map(|event| event.name.as_str()).collect();
    let mut expected = vec!["game.move", "game.move"];
    expected.extend(["game.offer"; 4]);
    expected.push("game.finished");
    assert_eq!(names, expected);
    let statuses: Vec<Value> = events[2..6]
        .iter()
        .map(|event| event.json()["offer"]["status"].clone())
        .collect();
    assert_eq!(statuses, ["open", "declined", "open", "game_over"]);
    let outcome = json!({"winner": "blue", "reason": "resignation"});
    assert_eq!(events[6].json()["outcome"], outcome);
    let events = public.events(3);
    let expected = [(4, "game.move"), (5, "game.move"), (6, "game.finished")];
    assert_eq!(kinds(&events), expected);
}

/// A move is told once it is answered, and answered once it is kept: each sees the other.
fn a_move_that_is_told_is_kept_and_one_that_is_answered_is_told(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let mut stream = follow(&game, &game.blue, None);
    for notation in EVEN.moves.split_whitespace() {
        let ply = game.ply;
        std::thread::scope(|scope| {
            let told = scope.spawn(|| {
                let event = stream.event();
                assert_eq!(event.json()["move"]["ply"], ply, "{event:?}");
                // Whoever hears of it finds it.
                assert!(game.view(&game.blue)["ply"].as_u64() > Some(ply.into()));
            });
            game.attempt(notation).ok(201);
            told.join().unwrap();
        });
        game.ply += 1;
        // Whoever has the answer is told of it from the beginning.
        let number = u64::from(3 + game.ply);
        let mut after = follow(&game, &game.red, Some(&(number - 1).to_string()));
        assert_eq!(after.event().number(), number);
    }
}

fn a_private_game_is_followed_by_its_players_alone(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let body = json!({"ruleset": "barrage", "color": "red", "opponent": blue.name, "private": true,
        "time_control": {"kind": "unlimited"}});
    let challenge = red.post("/v1/challenges", &body).ok(201);
    let id = text(&tests::game::accept(&blue, &challenge).ok(201)["id"]);
    let path = format!("/v1/games/{id}/events");
    for stranger in [server.register("third"), server.client()] {
        assert_problem(&stranger.get(&path), 404, "not_found");
    }
    let open = format!(
        "/v1/games/{}/events",
        new_game(&red, &blue, "barrage", &Value::Null)
    );
    EventStream::open(&server.client(), &open, None);
    let mut stream = EventStream::open(&blue, &path, None);
    let setup = json!({"setup": EVEN.setups().0});
    red.put(&format!("/v1/games/{id}/setup"), &setup).ok(200);
    assert_eq!(stream.event().name, "game.setup_placed");
    let nowhere = "/v1/games/018c0000-0000-7000-8000-000000000000/events";
    assert_problem(&red.get(nowhere), 404, "not_found");
    assert_problem(&red.get("/v1/games/x/events"), 400, "malformed_request");
}

/// D12: what keeps proxies from holding events back.
fn streams_pass_through_proxies(server: &TestServer) {
    let game = EVEN.begin(server);
    for mut stream in [
        follow(&game, &game.red, None),
        super::follow_me(&game.red, None),
    ] {
        let header = |name: &str| stream.head.header(name).map(str::to_owned);
        let kind = header("content-type").unwrap();
        assert!(kind.starts_with("text/event-stream"), "{kind}");
        assert_eq!(header("x-accel-buffering").as_deref(), Some("no"));
        let caching = header("cache-control").unwrap();
        assert!(caching.contains("no-cache"), "{caching}");
        assert_eq!(header("content-encoding"), None);
        assert_eq!(header("content-length"), None);
        assert_eq!(stream.part(), Part::Retry(3000));
    }
}

/// The head alone, and the connection serves on.
fn the_head_of_a_stream_has_an_end(server: &TestServer) {
    let game = EVEN.begin(server);
    let mut stream = EventStream::send(&game.red, "HEAD", &game.path("/events"), &[]);
    assert_eq!(stream.head.status, 200, "{:?}", stream.head);
    let kind = stream.head.header("content-type").unwrap_or_default();
    assert!(kind.starts_with("text/event-stream"), "{kind}");
    let answer = stream.send_again("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
    assert_eq!(answer, "HTTP/1.1 200 OK");
}

/// D12: the heart beats when nothing happens. It takes as long as it takes: a long round alone.
fn a_silent_stream_shows_that_it_lives(server: &TestServer) {
    if std::env::var_os("REVEILLE_LONG").is_none() {
        return;
    }
    let game = EVEN.begin(server);
    let mut stream = follow(&game, &game.red, None);
    assert_eq!(stream.part(), Part::Retry(3000));
    let began = std::time::Instant::now();
    assert_eq!(stream.part(), Part::Comment(String::new()));
    let beat = began.elapsed().as_secs();
    assert!((14..17).contains(&beat), "{beat} s");
}

on_both! {
    each_viewer_sees_his_events_as_they_happen,
    events_say_what_happened,
    moves_are_told_as_each_viewer_sees_them,
    a_replaced_army_shows_in_no_stream,
    offers_and_ends_are_told,
    a_move_that_is_told_is_kept_and_one_that_is_answered_is_told,
    a_private_game_is_followed_by_its_players_alone,
    streams_pass_through_proxies,
    the_head_of_a_stream_has_an_end,
    a_silent_stream_shows_that_it_lives,
}
