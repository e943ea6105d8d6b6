//! The command that checks proofs, on what a server answers and on what was made of it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tests::client::text;
use tests::server::binary;
use tests::setup::ORIGINAL;
use tests::{Game, Side, TestServer, assert_problem, on_both};

use crate::lines::RED_TAKES_THE_FLAG;
use crate::proofs::commitments;

/// Runs `reveille verify` where there is nothing but the file.
fn verify(body: &[u8], more: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("proofs.json"), body).unwrap();
    let output = Command::new(binary())
        .args(["verify", "proofs.json"])
        .args(more)
        .current_dir(folder.path())
        .env("REVEILLE_DATABASE_URL", "none")
        .env("REVEILLE_DATA_DIR", "data")
        .output()
        .unwrap();
    assert_eq!(entries(folder.path()), ["proofs.json"]);
    output
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// What `reveille verify` says of proofs that it accepts.
#[track_caller]
fn accepted(body: &[u8], more: &[&str]) -> String {
    let output = verify(body, more);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &*said), (Some(0), ""));
    String::from_utf8(output.stdout).unwrap()
}

/// What `reveille verify` says of a file that it refuses.
#[track_caller]
fn refused(body: &[u8], more: &[&str]) -> String {
    let output = verify(body, more);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: "), "{said}");
    said
}

/// Each piece where it was placed, under the commitments that were public all along.
fn armies_open_their_commitments(server: &TestServer) {
    let barrage = RED_TAKES_THE_FLAG.setups();
    let original = (ORIGINAL.to_owned(), ORIGINAL.to_owned());
    for (ruleset, setups, moves) in [
        ("barrage", barrage, RED_TAKES_THE_FLAG.moves),
        ("original", original, ""),
    ] {
        let mut game = Game::begin(server, ruleset, &setups.0, &setups.1);
        let [red, blue] = commitments(&game, &server.client()).map(|root| text(&root));
        game.line(moves);
        if moves.is_empty() {
            game.resign(Side::Blue).ok(200);
        }
        let answer = server.client().get(&game.path("/proofs"));
        let proofs = answer.ok(200);
        assert_eq!(proofs["game_id"], json!(game.id));
        assert_eq!(proofs["ruleset"], json!(ruleset));
        for (side, setup, root) in [(Side::Red, &setups.0, &red), (Side::Blue, &setups.1, &blue)] {
            let proof = &proofs[side.name()];
            assert_eq!(proof["commitment"], json!(root));
            let leaves = proof["leaves"].as_array().unwrap();
            assert_eq!(leaves.len(), 40);
            for (place, piece) in setup.chars().enumerate() {
                let square = side.square(place);
                let leaf = leaves.iter().find(|leaf| leaf["square"] == square).unwrap();
                assert_eq!(leaf["piece"], piece.to_string(), "{square}");
                assert_eq!(leaf["path"].as_array().unwrap().len(), 6);
            }
        }
        let lines = format!("red: 40 leaves open {red}\nblue: 40 leaves open {blue}\n");
        assert_eq!(accepted(&answer.body, &[]), lines);
        assert_eq!(
            accepted(&answer.body, &["--red", &red, "--blue", &blue]),
            lines
        );
        let noted = refused(&answer.body, &["--red", &blue]);
        assert!(noted.contains("which was noted"), "{noted}");

        // As the other reads of a game: by tag, and for no shared cache.
        let tag = answer.header("etag").unwrap();
        let again = server
            .client()
            .request("GET", &game.path("/proofs"))
            .header("if-none-match", tag)
            .send();
        assert_eq!(again.status, 304);
        assert!(answer.header("vary").unwrap().contains("Authorization"));
        assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    }
}

/// The place of Blue's j7 among his home squares; in these games a scout stands there.
const J7: usize = 9;

/// Whatever is changed in the proofs, the leaf is named.
fn tampered_proofs_are_refused(server: &TestServer) {
    let game = RED_TAKES_THE_FLAG.play(server);
    let proofs = server.client().get(&game.path("/proofs")).ok(200);
    let tampered = |change: &dyn Fn(&mut Value)| {
        let mut proofs = proofs.clone();
        change(&mut proofs);
        refused(proofs.to_string().as_bytes(), &[])
    };
    let flipped = |hex: &Value| {
        let text = text(hex);
        let other = if text.starts_with('0') { "1" } else { "0" };
        json!(format!("{other}{}", &text[1..]))
    };
    assert_eq!(proofs["blue"]["leaves"][J7]["square"], "j7");
    assert_eq!(proofs["blue"]["leaves"][J7]["piece"], "2");
    let unopened = "blue j7: the leaf does not open the commitment";

    for field in ["salt", "path"] {
        let said = tampered(&|proofs| {
            let leaf = &mut proofs["blue"]["leaves"][J7][field];
            let value = if field == "path" { &mut leaf[3] } else { leaf };
            *value = flipped(value);
        });
        let lines: Vec<_> = said.lines().skip(1).collect();
        assert_eq!(lines, [unopened], "{field}");
    }

    let said = tampered(&|proofs| proofs["blue"]["leaves"][J7]["piece"] = json!("."));
    assert!(said.contains(unopened), "{said}");
    assert!(
        said.contains("blue setup: the army has 2 of `2`, this setup has 1"),
        "{said}"
    );

    // The army adds up, but two pieces have changed places.
    let said = tampered(&|proofs| {
        let leaves = &mut proofs["blue"]["leaves"];
        let (scout, other) = (leaves[J7]["piece"].clone(), leaves[0]["piece"].clone());
        leaves[0]["piece"] = scout;
        leaves[J7]["piece"] = other;
    });
    let lines: Vec<_> = said.lines().skip(1).collect();
    assert_eq!(
        lines,
        ["blue a7: the leaf does not open the commitment", unopened]
    );

    let said = tampered(&|proofs| proofs["blue"]["leaves"].as_array_mut().unwrap().swap(J7, 0));
    for square in ["a7", "j7"] {
        let misplaced = format!("blue {square}: the leaf is not in its place");
        assert!(said.contains(&misplaced), "{said}");
    }

    let said = tampered(&|proofs| {
        proofs["blue"]["leaves"].as_array_mut().unwrap().remove(J7);
    });
    assert!(said.contains("blue j7: the leaf is missing"), "{said}");

    let said =
        tampered(&|proofs| proofs["blue"]["commitment"] = flipped(&proofs["blue"]["commitment"]));
    let lines: Vec<_> = said.lines().skip(1).collect();
    assert_eq!(lines.len(), 1, "{said}");
    assert!(
        lines[0].starts_with("blue commitment: none of the 40 leaves opens "),
        "{said}"
    );

    let said = tampered(&|proofs| proofs["ruleset"] = json!("duel"));
    assert!(
        said.contains("red setup: the army has 2 of `B`, this setup has 1"),
        "{said}"
    );

    // One side cannot stand for the other.
    let said = tampered(&|proofs| proofs["blue"] = proofs["red"].clone());
    assert!(said.contains("blue a1: a leaf for a square"), "{said}");

    for body in ["", "{}", "[1, 2", "proofs", &format!("{proofs}{proofs}")] {
        let said = refused(body.as_bytes(), &[]);
        assert!(said.contains("/v1/games/GAME/proofs"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

/// A refusal that was saved in place of the proofs is told again, and no proofs need be saved.
fn what_the_server_answers_is_read_as_it_comes(server: &TestServer) {
    let mut game = RED_TAKES_THE_FLAG.begin(server);
    let refusal = server.client().get(&game.path("/proofs"));
    assert_problem(&refusal, 403, "forbidden");
    let detail = text(&refusal.json()["detail"]);
    let said = refused(&refusal.body, &[]);
    assert!(said.contains(&detail), "{said}");

    game.line(RED_TAKES_THE_FLAG.moves);
    let answer = server.client().get(&game.path("/proofs"));
    let mut command = Command::new(binary());
    let command = command.args(["verify", "-"]).stdin(Stdio::piped());
    let mut running = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut input = running.stdin.take().unwrap();
    input.write_all(&answer.body).unwrap();
    drop(input);
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, accepted(&answer.body, &[]));
}

on_both! {
    armies_open_their_commitments,
    what_the_server_answers_is_read_as_it_comes,
    tampered_proofs_are_refused,
}

#[test]
fn the_command_says_what_it_proves_and_what_not() {
    let help = Command::new(binary())
        .args(["verify", "--help"])
        .output()
        .unwrap();
    let said = String::from_utf8(help.stdout).unwrap();
    for words in [
        "nothing was changed after the start",
        "not prove that the server did not look",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let folder = tempfile::tempdir().unwrap();
    for (arguments, code, says) in [
        (&["verify"][..], 2, "<FILE>"),
        (&["verify", "none.json"], 1, "cannot read none.json: "),
        (&["verify", "."], 1, "cannot read .: "),
        (
            &["verify", "none.json", "--red", "abc"],
            2,
            "64 hexadecimal digits",
        ),
    ] {
        let mut command = Command::new(binary());
        let output = command
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
}
