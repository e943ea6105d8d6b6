//! Two players and a game between them.

use serde_json::{Value, json};

use crate::client::{Client, text};
use crate::response::Response;
use crate::server::TestServer;
use crate::setup::Side;

/// A game, both its players, and the ply that comes next.
#[derive(Debug)]
pub struct Game {
    /// The game's identifier.
    pub id: String,
    /// The player who moves first.
    pub red: Client,
    /// The other one.
    pub blue: Client,
    /// How many moves were made through this value.
    pub ply: u32,
}

/// Challenge by `red` as Red, accepted by `blue`: the identifier of a game in setup.
#[track_caller]
pub fn new_game(red: &Client, blue: &Client, ruleset: &str, options: &Value) -> String {
    let challenge = challenge(red, Some(blue), ruleset, options).ok(201);
    text(&accept(blue, &challenge).ok(201)["id"])
}

/// Challenges `blue`, or everybody, to a game of three days a move with `red` as Red.
pub fn challenge(red: &Client, blue: Option<&Client>, ruleset: &str, options: &Value) -> Response {
    let mut body = json!({
        "ruleset": ruleset, "color": "red", "rated": false,
        "time_control": {"kind": "per_move", "per_move": "P3D"},
    });
    if let Some(blue) = blue {
        body["opponent"] = json!(blue.name);
    }
    if !options.is_null() {
        body["options"] = options.clone();
    }
    red.post("/v1/challenges", &body)
}

/// Accepts a challenge.
pub fn accept(player: &Client, challenge: &Value) -> Response {
    player.post(
        &format!("/v1/challenges/{}/accept", text(&challenge["id"])),
        &json!({}),
    )
}

impl Game {
    /// Two new players and a game of `ruleset` in setup.
    pub fn in_setup(server: &TestServer, ruleset: &str, options: &Value) -> Self {
        Self::between(
            server.register("red"),
            server.register("blue"),
            ruleset,
            options,
        )
    }

    /// A game in setup between two players.
    pub fn between(red: Client, blue: Client, ruleset: &str, options: &Value) -> Self {
        let id = new_game(&red, &blue, ruleset, options);
        Self {
            id,
            red,
            blue,
            ply: 0,
        }
    }

    /// Two new players with both armies in place.
    pub fn begin(server: &TestServer, ruleset: &str, red_setup: &str, blue_setup: &str) -> Self {
        Self::begin_with(server, ruleset, &Value::Null, red_setup, blue_setup)
    }

    /// As [`Self::begin`], with options.
    pub fn begin_with(
        server: &TestServer,
        ruleset: &str,
        options: &Value,
        red_setup: &str,
        blue_setup: &str,
    ) -> Self {
        let game = Self::in_setup(server, ruleset, options);
        game.place(Side::Red, red_setup).ok(200);
        game.place(Side::Blue, blue_setup).ok(200);
        game
    }

    /// The player of a side.
    pub fn player(&self, side: Side) -> &Client {
        match side {
            Side::Red => &self.red,
            Side::Blue => &self.blue,
        }
    }

    /// `/v1/games/ID` and what follows it.
    pub fn path(&self, rest: &str) -> String {
        format!("/v1/games/{}{rest}", self.id)
    }

    /// Sends a side's setup.
    pub fn place(&self, side: Side, setup: &str) -> Response {
        self.player(side)
            .put(&self.path("/setup"), &json!({"setup": setup}))
    }

    /// The game as `viewer` sees it.
    pub fn view(&self, viewer: &Client) -> Value {
        viewer.get(&self.path("")).ok(200)
    }

    /// Sends a move of the side whose turn `self.ply` is; `self.ply` stays.
    pub fn attempt(&self, notation: &str) -> Response {
        self.attempt_as(Side::of_ply(self.ply), self.ply, notation)
    }

    /// Sends any move: `e4-e5`, an attack `e4xe5`, a rescue `a9-a10=8@c2`.
    pub fn attempt_as(&self, side: Side, ply: u32, notation: &str) -> Response {
        self.player(side)
            .post(&self.path("/moves"), &move_body(ply, notation))
    }

    /// Plays moves in turn, separated by white space; each must be accepted, and be an attack where
    /// it is written as one. Gives the last answer.
    #[track_caller]
    pub fn line(&mut self, moves: &str) -> Value {
        let mut last = Value::Null;
        for notation in moves.split_whitespace() {
            last = self.attempt(notation).ok(201);
            let attack = last["move"]["attack"].is_object();
            assert_eq!(
                attack,
                notation.contains('x'),
                "{notation} at {}: {last}",
                self.ply
            );
            self.ply += 1;
        }
        last
    }

    /// The replay as `viewer` asks for it; `query` may be empty or `?viewpoint=…`.
    pub fn replay(&self, viewer: &Client, query: &str) -> Value {
        viewer.get(&self.path(&format!("/replay{query}"))).ok(200)
    }

    /// The side to move gives up.
    pub fn resign(&self, side: Side) -> Response {
        self.player(side).post(&self.path("/resign"), &json!({}))
    }
}

/// The body of `POST /moves` for a move in text.
pub fn move_body(ply: u32, notation: &str) -> Value {
    let (step, rescue) = notation
        .split_once('=')
        .map_or((notation, None), |(step, rescue)| (step, Some(rescue)));
    let (from, to) = step
        .split_once(['-', 'x'])
        .expect("a move is written FROM-TO or FROMxTO");
    let mut body = json!({"ply": ply, "from": from, "to": to});
    if let Some((piece, square)) = rescue.and_then(|rescue| rescue.split_once('@')) {
        body["rescue"] = json!({"piece": piece, "square": square});
    }
    body
}

/// The piece with this id in a list of pieces.
#[track_caller]
pub fn piece<'a>(pieces: &'a Value, id: &str) -> &'a Value {
    let found = pieces
        .as_array()
        .into_iter()
        .flatten()
        .find(|piece| piece["id"] == id);
    found.unwrap_or_else(|| panic!("{id} is not among {pieces}"))
}
