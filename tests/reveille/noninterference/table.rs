//! The game that is looked at: who plays it, how, and what is kept of it here.

use std::time::Duration;

use domain::{ByColor, Color, MoveRequest, Options, RescueRequest, Setup, Square, Terms};
use serde_json::{Value, json};
use tests::client::text;
use tests::dice::Dice;
use tests::game::accept;
use tests::worlds::Played;
use tests::{Client, Timed};

use super::ask::{Ask, Seen, Who};
use super::plan::{Leaning, Plan};
use super::players;

/// One game, played over HTTP and here in step.
pub(super) struct Table {
    pub(super) id: String,
    pub(super) challenge: String,
    pub(super) terms: Terms,
    pub(super) players: ByColor<Client>,
    third: Client,
    nobody: Client,
    /// The side whose army differs between the worlds.
    pub(super) secret: Color,
    pub(super) setups: ByColor<Setup>,
    pub(super) played: Played,
    /// Whether both armies stand, at the server.
    pub(super) begun: bool,
    leaning: Leaning,
}

impl Table {
    /// Agrees on a game; the armies are drawn and not placed.
    pub(super) fn agree(timed: &Timed, plan: &Plan, dice: &mut Dice) -> Self {
        let players = ByColor {
            red: timed.register("red"),
            blue: timed.register("blue"),
        };
        let Plan { terms, .. } = *plan;
        let body = json!({
            "ruleset": terms.ruleset.id(), "color": "red", "opponent": players.blue.name,
            "rated": dice.one_in(2), "private": dice.one_in(6),
            "options": options_json(terms.options), "time_control": time_control(dice),
        });
        let challenge = players.red.post("/v1/challenges", &body).ok(201);
        let game = accept(&players.blue, &challenge).ok(201);
        Self {
            id: text(&game["id"]),
            challenge: text(&challenge["id"]),
            terms,
            players,
            third: timed.register("third"),
            nobody: Client::new(&timed.url()),
            secret: plan.secret,
            setups: plan.setups,
            played: Played::begin(terms, plan.setups),
            begun: false,
            leaning: plan.leaning,
        }
    }

    pub(super) fn viewer(&self) -> Color {
        !self.secret
    }

    pub(super) fn client(&self, who: Who) -> &Client {
        match who {
            Who::Viewer => &self.players[!self.secret],
            Who::Third => &self.third,
            Who::Nobody => &self.nobody,
        }
    }

    pub(super) fn path(&self, rest: &str) -> String {
        format!("/v1/games/{}{rest}", self.id)
    }

    pub(super) fn ply(&self) -> u32 {
        self.played.game().ply()
    }

    pub(super) fn send(&self, ask: &Ask) -> Seen {
        let mut call = self.client(ask.who).request(&ask.method, &ask.path);
        for (name, value) in &ask.headers {
            call = call.header(name, value);
        }
        if let Some(body) = &ask.body {
            call = call.bytes(body.as_bytes());
        }
        let mut seen = Seen::of(call.send());
        if ask.method == "PUT" && ask.path.ends_with("/setup") && seen.status == 200 {
            self.forget_commitment(&mut seen);
        }
        seen
    }

    /// Takes the commitment of the viewer's own army out of the answer to its placing: chance makes it
    /// anew each time, and that is its sense.
    fn forget_commitment(&self, seen: &mut Seen) {
        let game: Value = serde_json::from_str(&seen.body).expect("a game");
        let own = text(&game[self.viewer().name()]["setup_commitment"]);
        seen.body = seen.body.replace(&own, "COMMITMENT");
    }

    /// Places a side's army.
    pub(super) fn place(&mut self, side: Color) {
        let body = json!({"setup": self.setups[side].to_string()});
        self.players[side].put(&self.path("/setup"), &body).ok(200);
    }

    /// Plays a move after which the game goes on; `false` when there is none.
    pub(super) fn play_on(&mut self, dice: &mut Dice) -> bool {
        let Some((request, next)) = players::choose(&self.played, self.leaning, dice) else {
            return false;
        };
        let by = self.played.game().turn().expect("it goes on");
        let path = self.path("/moves");
        self.players[by].post(&path, &move_json(&request)).ok(201);
        self.played = next;
        true
    }
}

/// The body of a move; a square off the board is written as one that is not there.
pub(super) fn move_json(request: &MoveRequest) -> Value {
    let square =
        |square: Option<Square>| square.map_or_else(|| "k0".to_owned(), |on| on.to_string());
    let mut body = json!({
        "ply": request.ply, "from": square(request.from), "to": square(request.to),
    });
    if let Some(RescueRequest { rank, square: on }) = request.rescue {
        body["rescue"] = json!({"piece": rank.to_char().to_string(), "square": square(on)});
    }
    body
}

fn options_json(options: Options) -> Value {
    json!({
        "aggressor_advantage": options.aggressor_advantage,
        "silent_defense": options.silent_defense,
        "rescue": options.rescue,
        "more_squares": options.more_squares,
        "two_squares": options.two_squares.name(),
        "two_squares_limit": options.two_squares_limit,
        "no_progress_plies": options.no_progress_plies,
    })
}

fn time_control(dice: &mut Dice) -> Value {
    match dice.below(3) {
        0 => json!({"kind": "per_move", "per_move": "P3D"}),
        1 => json!({"kind": "fischer", "initial": "P7D", "increment": "P1D", "max": "P10D"}),
        _ => json!({"kind": "unlimited"}),
    }
}

/// How long a player thinks: short, so that no token runs out in a game.
pub(super) fn thought(dice: &mut Dice) -> Duration {
    Duration::from_millis(200 + dice.below(5_000) as u64)
}
