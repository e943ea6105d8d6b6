//! A game under pressure: its script, and what its players were told.

use serde_json::{Value, json};

use crate::client::Client;
use crate::game::new_game;
use crate::nodes::Nodes;
use crate::response::Response;
use crate::script::Script;
use crate::setup::Side;

/// A game with both its players, who write down each answer. It outlives the processes of the server.
#[derive(Debug)]
pub struct Table {
    /// The game's identifier.
    pub id: String,
    /// What is played.
    pub script: Script,
    /// The player who moves first.
    pub red: Client,
    /// The other one.
    pub blue: Client,
    /// The `move` of each answer that acknowledged one, by ply.
    pub ledger: Vec<Value>,
    /// Which node is asked next: each request goes to another one.
    turn: usize,
}

/// What became of one request for a move.
#[derive(Debug)]
pub enum Attempt {
    /// 201: the move was made.
    Made,
    /// 200: it had been made, and its answer was lost.
    Repeated,
    /// 503 with `Retry-After`.
    Refused,
    /// No answer came.
    Lost,
    /// No node ran.
    Closed,
    /// Anything else, which must not be.
    Unexpected(String),
}

impl Table {
    /// A game of `script` between new players, with both armies in place.
    pub fn begin(base: &str, script: Script) -> Self {
        let (red, blue) = (
            Client::register(base, "red"),
            Client::register(base, "blue"),
        );
        Self::between(red, blue, script)
    }

    /// A game of `script` between two players, with both armies in place.
    pub fn between(red: Client, blue: Client, script: Script) -> Self {
        let id = new_game(&red, &blue, script.ruleset.id(), &Value::Null);
        let table = Self {
            id,
            script,
            red,
            blue,
            ledger: Vec::new(),
            turn: 0,
        };
        for (player, setup) in [
            (&table.red, &table.script.setups.red),
            (&table.blue, &table.script.setups.blue),
        ] {
            let placed = player.put(&table.path("/setup"), &json!({"setup": setup}));
            placed.ok(200);
        }
        table
    }

    /// `/v1/games/ID` and what follows it.
    pub fn path(&self, rest: &str) -> String {
        format!("/v1/games/{}{rest}", self.id)
    }

    /// Whether all of the script is acknowledged.
    pub fn is_played(&self) -> bool {
        self.ledger.len() == self.script.moves.len()
    }

    /// The player of a side.
    pub fn player(&self, side: Side) -> &Client {
        match side {
            Side::Red => &self.red,
            Side::Blue => &self.blue,
        }
    }

    /// Sends the next move of the script, whether for the first time or again, to one of the nodes.
    pub fn attempt(&mut self, nodes: &Nodes) -> Attempt {
        let Some(url) = nodes.one(self.turn) else {
            return Attempt::Closed;
        };
        let ply = self.ledger.len();
        let (from, to) = &self.script.moves[ply];
        let body = json!({"ply": ply, "from": from, "to": to});
        let side = Side::of_ply(u32::try_from(ply).expect("a short game"));
        let client = self.player(side).at(&url);
        let request = client.request("POST", &self.path("/moves")).json(&body);
        let attempt = match request.try_send() {
            Ok(answer) => self.note(&answer),
            Err(_) => Attempt::Lost,
        };
        self.turn += 1;
        attempt
    }

    fn note(&mut self, answer: &Response) -> Attempt {
        match answer.status {
            201 | 200 => {
                self.ledger.push(answer.json()["move"].clone());
                if answer.status == 201 {
                    Attempt::Made
                } else {
                    Attempt::Repeated
                }
            }
            503 if answer.header("retry-after").is_some() => Attempt::Refused,
            status => Attempt::Unexpected(format!(
                "{} {} after {} moves: {status} {}",
                answer.asked.0,
                answer.asked.1,
                self.ledger.len(),
                String::from_utf8_lossy(&answer.body)
            )),
        }
    }
}
