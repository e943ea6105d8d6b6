//! Finished games as files: one, and as many as a filter finds, over HTTP and by the command.

mod game;
mod sets;
mod tables;

use std::process::Output;

use serde_json::{Value, json};
use tests::client::text;
use tests::game::accept;
use tests::{Client, Game, Side, TestServer};

use crate::lines::{BLUE_TAKES_THE_FLAG, EVEN};
use crate::simulations::said;

/// A server with 120 simulated games, some that were played on it, and some that nobody may export.
struct Shelf {
    finished: [Game; 2],
    private: Game,
    running: Game,
}

const SIMULATED: usize = 120;

fn fill(server: &TestServer) -> Shelf {
    let count = SIMULATED.to_string();
    let arguments = [
        "simulate",
        "--games",
        &count,
        "--ruleset",
        "barrage",
        "--seed",
        "3",
    ];
    said(server, &arguments);
    let private = private_game(server);
    let aborted = EVEN.begin(server);
    aborted
        .red
        .post(&aborted.path("/abort"), &json!({}))
        .ok(200);
    let mut running = EVEN.begin(server);
    running.line("i4xi7");
    Shelf {
        finished: [EVEN.play(server), BLUE_TAKES_THE_FLAG.play(server)],
        private,
        running,
    }
}

/// A game that is over and that nobody but its players may know of.
fn private_game(server: &TestServer) -> Game {
    let (red, blue) = (server.register("hidden"), server.register("hidden"));
    let body = json!({"ruleset": "barrage", "color": "red", "opponent": blue.name, "private": true,
        "rated": false, "time_control": {"kind": "unlimited"}});
    let challenge = red.post("/v1/challenges", &body).ok(201);
    let id = text(&accept(&blue, &challenge).ok(201)["id"]);
    let mut game = Game {
        id,
        red,
        blue,
        ply: 0,
    };
    let (red, blue) = BLUE_TAKES_THE_FLAG.setups();
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
    game.line(BLUE_TAKES_THE_FLAG.moves);
    game
}

/// The games of an export as lines.
fn games(lines: &str) -> Vec<Value> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn run(server: &TestServer, arguments: &[&str]) -> Output {
    server.command(arguments).output().unwrap()
}

/// A caller with a personal token of some scopes.
fn with_scopes(player: &Client, scopes: &[&str]) -> Client {
    let body = json!({"name": "a program", "scopes": scopes});
    let made = player.post("/v1/me/tokens", &body).ok(201);
    player.with_token(made["token"].as_str())
}
