//! One game as a file.

use serde_json::{Value, json};
use tests::{Game, TestServer, assert_problem, on_both};

use super::private_game;
use crate::lines::{BLUE_TAKES_THE_FLAG, EVEN};

/// Each form with its media type and the end of its name.
const FORMS: [(&str, &str, &str); 4] = [
    ("json", "application/json", ".json"),
    ("ndjson", "application/x-ndjson", ".ndjson"),
    ("text", "text/plain; charset=utf-8", ".txt"),
    ("gravon", "application/xml", ".xml"),
];

fn a_finished_game_is_a_file_of_each_form(server: &TestServer) {
    let game = BLUE_TAKES_THE_FLAG.play(server);
    let anybody = server.client();
    for (form, media_type, end) in FORMS {
        let path = game.path(&format!("/export?format={form}"));
        let answer = anybody.get(&path);
        assert_eq!(answer.status, 200, "{form}: {}", answer.text());
        assert_eq!(answer.header("content-type"), Some(media_type));
        let disposition = answer.header("content-disposition").unwrap();
        let name = disposition
            .strip_prefix("attachment; filename=\"")
            .and_then(|rest| rest.strip_suffix('"'));
        let name = name.unwrap_or_else(|| panic!("{disposition}"));
        let is_safe = |ch: char| ch.is_ascii_alphanumeric() || ch == '.' || ch == '_';
        assert!(name.chars().all(is_safe) && name.ends_with(end), "{name}");
        let tag = answer.header("etag").unwrap();
        let again = anybody.request("GET", &path).header("if-none-match", tag);
        assert_eq!(again.send().status, 304);
        assert_eq!(game.red.get(&path).body, answer.body);
    }
    let export = |form: &str| anybody.get(&game.path(&format!("/export?format={form}")));
    let json = export("json").json();
    assert_eq!(json["moves"], json!(["a4-a5", "e7xe4"]));
    assert_eq!(
        json["outcome"],
        json!({"winner": "blue", "reason": "flag_captured", "raw_ending": null})
    );
    assert_eq!(json["source"], "reveille");
    assert_eq!(json["red"]["name"], json!(game.red.name));
    let line = export("ndjson");
    assert_eq!(line.text(), format!("{}\n", export("json").text()));
    assert_eq!(anybody.get(&game.path("/export")).body, export("json").body);
    assert!(export("gravon").text().contains("<stratego>"));
    assert!(export("text").text().starts_with("ruleset: barrage"));
}

fn a_game_that_is_not_over_is_not_exported(server: &TestServer) {
    let placing = Game::in_setup(server, "barrage", &Value::Null);
    let mut running = EVEN.begin(server);
    running.line("i4xi7");
    let aborted = EVEN.begin(server);
    aborted
        .red
        .post(&aborted.path("/abort"), &json!({}))
        .ok(200);
    for (game, why) in [
        (&placing, "is not over"),
        (&running, "is not over"),
        (&aborted, "was called off"),
    ] {
        for (form, ..) in FORMS {
            let path = game.path(&format!("/export?format={form}"));
            for who in [&game.red, &server.client()] {
                let refusal = who.get(&path);
                assert_problem(&refusal, 409, "game_not_active");
                assert!(refusal.text().contains(why), "{}", refusal.text());
            }
        }
    }
}

fn a_private_game_is_exported_by_its_players(server: &TestServer) {
    let game = private_game(server);
    let path = game.path("/export");
    for who in [server.client(), server.register("third")] {
        assert_problem(&who.get(&path), 404, "not_found");
    }
    assert_eq!(game.red.get(&path).ok(200), game.blue.get(&path).ok(200));
}

fn what_a_form_has_no_room_for_is_refused(server: &TestServer) {
    let (red, blue) = EVEN.setups();
    let options = json!({"no_progress_plies": 60});
    let mut game = Game::begin_with(server, EVEN.ruleset, &options, &red, &blue);
    game.line(EVEN.moves);
    let refusal = game.red.get(&game.path("/export?format=gravon"));
    assert_problem(&refusal, 422, "validation_failed");
    let problem = refusal.json();
    assert_eq!(problem["errors"][0]["field"], "format");
    assert_eq!(problem["errors"][0]["code"], "unsupported");
    let detail = problem["errors"][0]["detail"].as_str().unwrap();
    assert!(
        detail.ends_with("this one has no_progress_plies=60"),
        "{detail}"
    );
    assert_eq!(game.red.get(&game.path("/export?format=text")).status, 200);
    for query in ["?format=pdf", "?form=json", "?format=json&format=text"] {
        let refusal = game.red.get(&game.path(&format!("/export{query}")));
        assert_problem(&refusal, 400, "malformed_request");
    }
}

on_both! {
    a_finished_game_is_a_file_of_each_form,
    a_game_that_is_not_over_is_not_exported,
    a_private_game_is_exported_by_its_players,
    what_a_form_has_no_room_for_is_refused,
}
