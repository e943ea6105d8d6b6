//! Pictures: what a viewpoint knows, drawn, and nothing else.

use serde_json::Value;
use tests::{Client, Game, Response, Side, TestServer, army, assert_problem, on_both};

use crate::lines::EVEN;

const BOARD: &str = "/board.svg";
const TIMELINE: &str = "/timeline.svg";

/// A picture that must be there, as text.
#[track_caller]
fn picture(viewer: &Client, path: &str) -> String {
    let answer = viewer.get(path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    assert_eq!(answer.header("content-type"), Some("image/svg+xml"));
    assert_eq!(
        answer.header("content-security-policy"),
        Some("default-src 'none'; style-src 'unsafe-inline'")
    );
    let text = answer.text();
    assert!(text.starts_with("<svg "), "{text}");
    assert!(text.ends_with("</svg>"), "{text}");
    text.to_owned()
}

/// What a picture of the board says of every piece.
fn pieces(picture: &str) -> Vec<&str> {
    let titles = picture.split("<title>").skip(1);
    let titles = titles.filter_map(|rest| rest.split("</title>").next());
    let titles = titles.map(str::trim);
    titles
        .filter(|title| title.starts_with("red:") || title.starts_with("blue:"))
        .collect()
}

#[track_caller]
fn title<'a>(picture: &'a str, id: &str) -> &'a str {
    let mut pieces = pieces(picture).into_iter();
    let found = pieces.find(|title| title.starts_with(&format!("{id} on ")));
    found.unwrap_or_else(|| panic!("{id} is not in {picture}"))
}

/// Whether a picture tells as many pieces of a side as unknown as the game does.
fn assert_as_unknown_as(picture: &str, board: &Value, owner: &str) {
    let told = board["pieces"].as_array().unwrap().iter();
    let told = told.filter(|piece| piece["owner"] == owner && piece["piece"] == "?");
    let drawn = pieces(picture).into_iter();
    let drawn = drawn.filter(|title| title.starts_with(owner) && title.contains(": unknown, "));
    assert_eq!(drawn.count(), told.count(), "{picture}");
}

fn running(server: &TestServer) -> Game {
    let mut game = EVEN.begin(server);
    game.line("i4xi7 j7xj4 a4-a5 a7-a6");
    game
}

fn a_running_board_shows_the_enemy_as_the_viewer_knows_him(server: &TestServer) {
    let game = running(server);
    let own = picture(&game.red, &game.path(BOARD));
    assert_eq!(title(&own, "red:a4"), "red:a4 on a5: marshal (M); moved");
    assert_eq!(
        title(&own, "blue:a7"),
        "blue:a7 on a6: unknown, one of S, 3, 9, M; moved"
    );
    assert!(own.contains("After 4 plies, as Red knows it"), "{own}");
    assert_as_unknown_as(&own, &game.view(&game.red), "blue");
    assert_eq!(
        own,
        picture(&game.red, &game.path("/board.svg?viewpoint=red"))
    );
    let public = picture(&server.client(), &game.path(BOARD));
    assert!(
        pieces(&public)
            .iter()
            .all(|title| title.contains("unknown"))
    );
    assert_eq!(
        public,
        picture(&game.red, &game.path("/board.svg?viewpoint=public"))
    );
    assert_ne!(own, picture(&game.blue, &game.path(BOARD)));
}

fn a_closed_viewpoint_is_refused(server: &TestServer) {
    let game = running(server);
    let stranger = server.register("stranger");
    for file in [BOARD, TIMELINE] {
        for viewpoint in ["blue", "omniscient"] {
            let path = game.path(&format!("{file}?viewpoint={viewpoint}"));
            assert_problem(&game.red.get(&path), 403, "forbidden");
            assert_problem(&stranger.get(&path), 403, "forbidden");
            assert_problem(&server.client().get(&path), 401, "unauthenticated");
        }
        let nonsense = game.path(&format!("{file}?viewpoint=green"));
        assert_problem(&game.red.get(&nonsense), 400, "malformed_request");
        let unknown = game.path(&format!("{file}?size=3"));
        assert_problem(&game.red.get(&unknown), 400, "malformed_request");
        let nowhere = format!("/v1/games/018c0000-0000-7000-8000-000000000000{file}");
        assert_problem(&game.red.get(&nowhere), 404, "not_found");
    }
}

fn a_ply_is_the_board_after_that_many_moves(server: &TestServer) {
    let game = running(server);
    let at = |ply: &str| game.path(&format!("/board.svg?ply={ply}"));
    let start = picture(&game.red, &at("0"));
    assert_eq!(title(&start, "blue:a7").split(':').nth(1), Some("a7 on a7"));
    assert!(!start.contains("The last move"), "{start}");
    for ply in ["0", "1", "2", "3", "4"] {
        let frame = game.replay(&game.red, &format!("?ply={ply}"));
        let drawn = picture(&game.red, &at(ply));
        assert_as_unknown_as(&drawn, &frame, "blue");
        let count = frame["pieces"].as_array().unwrap().len();
        assert_eq!(pieces(&drawn).len(), count);
    }
    assert_eq!(
        picture(&game.red, &at("4")),
        picture(&game.red, &game.path(BOARD))
    );
    assert_problem(&game.red.get(&at("5")), 404, "not_found");
    for ply in ["-1", "x", "1.5", "", "99999999999999999999"] {
        assert_problem(&game.red.get(&at(ply)), 400, "malformed_request");
    }
}

fn a_finished_game_is_drawn_whole(server: &TestServer) {
    let game = running(server);
    game.resign(Side::Red).ok(200);
    let whole = picture(&server.client(), &game.path(BOARD));
    assert!(
        pieces(&whole)
            .iter()
            .all(|title| !title.contains("unknown"))
    );
    assert!(whole.contains("with everything shown"), "{whole}");
    let side = picture(
        &server.client(),
        &game.path("/board.svg?viewpoint=red&ply=4"),
    );
    assert!(title(&side, "blue:a7").contains("unknown"));
    let timeline = picture(&server.client(), &game.path(TIMELINE));
    assert!(
        timeline.contains("the game ended and disclosed"),
        "{timeline}"
    );
}

fn a_timeline_tells_what_the_replay_tells(server: &TestServer) {
    let game = running(server);
    let replay = game.replay(&game.red, "");
    let timeline = picture(&game.red, &game.path(TIMELINE));
    let points = replay["information"].as_array().unwrap();
    let bits = |point: &Value, side: &str| {
        let bits = point[format!("{side}_hidden_bits")].as_f64().unwrap();
        format!("{bits:.1}")
    };
    for (side, name) in [("red", "Red"), ("blue", "Blue")] {
        let (first, last) = (&points[0], points.last().unwrap());
        let told = format!(
            "{name} hid {} bits at the start and {} after 4 plies.",
            bits(first, side),
            bits(last, side)
        );
        assert!(timeline.contains(&told), "{told}: {timeline}");
    }
    for reveal in replay["reveals"].as_array().unwrap() {
        let piece = reveal["piece_id"].as_str().unwrap();
        let told = format!("Ply {}: {piece}, scout (2), ", reveal["ply"]);
        assert!(timeline.contains(&told), "{told}: {timeline}");
    }
    assert!(timeline.contains("4 ranks became known in play, in 2 battles."));
    let public = picture(&server.client(), &game.path(TIMELINE));
    let as_red = public.replace("as everyone knows it", "as Red knows it");
    assert_eq!(as_red.replace("-public-", "-red-"), timeline);
}

fn before_the_start_a_player_sees_his_own_army(server: &TestServer) {
    let game = Game::in_setup(server, "barrage", &Value::Null);
    let (red, _) = EVEN.setups();
    let empty = picture(&game.red, &game.path(BOARD));
    assert!(pieces(&empty).is_empty());
    game.place(Side::Red, &red).ok(200);
    let own = picture(&game.red, &game.path(BOARD));
    assert_eq!(pieces(&own).len(), 8);
    assert_eq!(title(&own, "red:a1"), "red:a1 on a1: flag (F); never moved");
    for viewer in [&game.blue, &server.client()] {
        assert!(pieces(&picture(viewer, &game.path(BOARD))).is_empty());
    }
    let ply = game.red.get(&game.path("/board.svg?ply=0"));
    assert_problem(&ply, 409, "game_not_active");
    let timeline = game.red.get(&game.path(TIMELINE));
    assert_problem(&timeline, 409, "game_not_active");
}

fn a_picture_is_not_sent_again_while_nothing_changed(server: &TestServer) {
    let mut game = running(server);
    for file in [BOARD, TIMELINE] {
        let path = game.path(file);
        let first = game.red.get(&path);
        assert_eq!(first.header("cache-control"), Some("private, no-cache"));
        assert!(
            first
                .header("vary")
                .is_some_and(|vary| vary.contains("Authorization"))
        );
        let tag = first.header("etag").expect("ETag").to_owned();
        let ask = |game: &Game| -> Response {
            let request = game.red.request("GET", &game.path(file));
            request.header("if-none-match", &tag).send()
        };
        let again = ask(&game);
        assert_eq!((again.status, again.body.len()), (304, 0));
        assert_eq!(again.header("etag"), Some(tag.as_str()));
        let moved = if file == BOARD { "a5xa6" } else { "b7-b6" };
        game.line(moved);
        assert_eq!(ask(&game).status, 200);
    }
}

fn pictures_are_given_to_who_accepts_them(server: &TestServer) {
    let game = running(server);
    for file in [BOARD, TIMELINE] {
        let ask = |method: &str, accept: &str| {
            let request = game.red.request(method, &game.path(file));
            request.header("accept", accept).send()
        };
        let browser = "image/avif,image/webp,image/svg+xml,image/*;q=0.8,*/*;q=0.5";
        for accept in ["image/svg+xml", "image/*", "*/*", browser] {
            assert_eq!(ask("GET", accept).status, 200, "{accept}");
        }
        for accept in ["application/json", "image/png", "image/svg+xml;q=0"] {
            assert_problem(&ask("GET", accept), 406, "not_acceptable");
        }
        let head = ask("HEAD", "image/svg+xml");
        assert_eq!((head.status, head.body.len()), (200, 0));
        assert_eq!(head.header("content-type"), Some("image/svg+xml"));
    }
}

fn a_private_game_is_drawn_for_its_players_alone(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let body = serde_json::json!({
        "ruleset": "barrage", "color": "red", "rated": false, "private": true,
        "opponent": blue.name, "time_control": {"kind": "unlimited"},
    });
    let challenge = red.post("/v1/challenges", &body).ok(201);
    let id = tests::game::accept(&blue, &challenge).ok(201)["id"].clone();
    let id = tests::client::text(&id);
    let game = Game {
        id,
        red,
        blue,
        ply: 0,
    };
    let setup = army(Side::Red, "Ma4 9b4 3e4 Sf4 2i4 2j4 Fa1 Bb1");
    game.place(Side::Red, &setup).ok(200);
    assert_eq!(pieces(&picture(&game.red, &game.path(BOARD))).len(), 8);
    for file in [BOARD, TIMELINE] {
        let stranger = server.client().get(&game.path(file));
        assert_problem(&stranger, 404, "not_found");
    }
}

on_both! {
    a_running_board_shows_the_enemy_as_the_viewer_knows_him,
    a_closed_viewpoint_is_refused,
    a_ply_is_the_board_after_that_many_moves,
    a_finished_game_is_drawn_whole,
    a_timeline_tells_what_the_replay_tells,
    before_the_start_a_player_sees_his_own_army,
    a_picture_is_not_sent_again_while_nothing_changed,
    pictures_are_given_to_who_accepts_them,
    a_private_game_is_drawn_for_its_players_alone,
}
