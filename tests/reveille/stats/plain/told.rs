//! A game as its replay tells it.

use serde_json::Value;
use tests::Client;
use tests::client::text;

/// A game as its replay tells it, finished or not.
pub(in crate::stats) struct Told {
    pub(in crate::stats) ruleset: String,
    pub(in crate::stats) source: String,
    pub(in crate::stats) status: String,
    /// As filters name them.
    pub(in crate::stats) players: [String; 2],
    pub(in crate::stats) winner: Option<String>,
    /// Empty when it goes on, as is the instant of its end.
    pub(in crate::stats) reason: String,
    pub(in crate::stats) rated: bool,
    /// The lower and the higher one, of a game that counts.
    pub(in crate::stats) ratings: Option<[f64; 2]>,
    pub(in crate::stats) finished_at: String,
    /// The pieces at the start: identifier, owner, square, rank.
    pub(super) initial: Vec<[String; 4]>,
    pub(in crate::stats) moves: Vec<Value>,
    pub(super) reveals: Vec<Value>,
    pub(super) information: Vec<Value>,
    pub(super) advantage: bool,
}

/// A battle: ply before, attacker, defender, their identifiers, outcome.
type Battle = (u64, String, String, String, String, String);

impl Told {
    pub(in crate::stats) fn of(client: &Client, id: &str) -> Self {
        let replay = client.get(&format!("/v1/games/{id}/replay")).ok(200);
        let game = &replay["game"];
        let list = |value: &Value| value.as_array().unwrap().clone();
        let piece = |piece: &Value| ["id", "owner", "square", "piece"].map(|key| text(&piece[key]));
        let rating = |side: &str| game[side]["rating"]["rating"].as_f64();
        let rated = game["rated"] == true;
        let ratings = rating("red").zip(rating("blue")).filter(|_| rated);
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let source = game["source"].as_str().unwrap_or("play").to_owned();
        let name = |side: &str| {
            let name = text(&game[side]["player"]["username"]);
            if source == "play" {
                name
            } else {
                format!("{source}:{name}")
            }
        };
        let moves = list(&replay["moves"]);
        assert_eq!(game["ply"], moves.len());
        Self {
            ruleset: text(&game["ruleset"]),
            status: text(&game["status"]),
            players: ["red", "blue"].map(name),
            winner: game["outcome"]["winner"].as_str().map(str::to_owned),
            reason: word(&game["outcome"]["reason"]),
            rated,
            ratings: ratings.map(|(red, blue)| [red.min(blue), red.max(blue)]),
            finished_at: word(&game["finished_at"]),
            initial: replay["initial"]
                .as_array()
                .unwrap()
                .iter()
                .map(piece)
                .collect(),
            moves,
            reveals: list(&replay["reveals"]),
            information: list(&replay["information"]),
            advantage: game["options"]["aggressor_advantage"] == true,
            source,
        }
    }

    /// The pieces at the start: owner and rank.
    pub(super) fn placed(&self) -> impl Iterator<Item = (String, String)> {
        let pieces = self.initial.iter();
        pieces.map(|[_, owner, _, rank]| (owner.clone(), rank.clone()))
    }

    /// The pieces that came back: the number of moves after which they were there, owner and rank.
    pub(super) fn rescued(&self) -> impl Iterator<Item = (u64, String, String)> {
        let steps = self.moves.iter().filter(|step| step["rescue"].is_object());
        steps.map(|step| {
            let id = text(&step["rescue"]["piece_id"]);
            let (owner, _) = id.split_once(':').unwrap();
            let after = step["ply"].as_u64().unwrap() + 1;
            (after, owner.to_owned(), text(&step["rescue"]["piece"]))
        })
    }

    /// How each piece became known.
    pub(in crate::stats) fn causes(&self) -> impl Iterator<Item = &str> + Clone {
        let reveals = self.reveals.iter();
        reveals.map(|reveal| reveal["cause"].as_str().unwrap())
    }

    /// What a piece is.
    pub(super) fn rank(&self, id: &str) -> String {
        let placed = self.initial.iter().find(|piece| piece[0] == id);
        let back = || {
            let mut rescues = self.moves.iter().map(|step| &step["rescue"]);
            text(&rescues.find(|rescue| rescue["piece_id"] == id).unwrap()["piece"])
        };
        placed.map_or_else(back, |piece| piece[3].clone())
    }

    /// The number of moves after which the other side knew a piece.
    pub(super) fn known_since(&self, id: &str) -> Option<u64> {
        let reveal = self
            .reveals
            .iter()
            .find(|reveal| reveal["piece_id"] == id)?;
        (reveal["cause"] != "game_over").then(|| reveal["ply"].as_u64().unwrap())
    }

    /// The battles.
    pub(super) fn battles(&self) -> Vec<Battle> {
        let battles = self.moves.iter().filter(|step| step["attack"].is_object());
        let battle = |step: &Value| {
            let attack = &step["attack"];
            (
                step["ply"].as_u64().unwrap(),
                text(&attack["attacker"]),
                text(&attack["defender"]),
                text(&step["piece_id"]),
                text(&attack["defender_id"]),
                text(&attack["outcome"]),
            )
        };
        battles.map(battle).collect()
    }

    /// The pieces that fell, each with the number of moves after which it was gone.
    pub(super) fn fallen(&self) -> Vec<(u64, String)> {
        let mut fallen = Vec::new();
        for (ply, _, _, attacker, defender, outcome) in self.battles() {
            if outcome == "defender_wins" || outcome == "both_removed" {
                fallen.push((ply + 1, attacker));
            }
            if outcome != "defender_wins" {
                fallen.push((ply + 1, defender));
            }
        }
        fallen
    }
}
