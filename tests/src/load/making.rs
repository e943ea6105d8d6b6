//! Games are made: challenge, acceptance, both armies.

use std::net::SocketAddr;
use std::sync::Arc;

use super::accounts::{Pair, token};
use super::driver::Player;
use super::wire::{Answer, head, write_request};
use crate::client::Client;
use crate::script::Script;
use crate::setup::Side;

/// A game that runs, and how far its script has been played.
#[derive(Debug)]
pub(super) struct Seat {
    pub(super) path: String,
    pub(super) script: Arc<Script>,
    pub(super) ply: usize,
    pub(super) pair: Arc<Pair>,
    /// The heads of Red's and Blue's moves.
    heads: [Vec<u8>; 2],
}

impl Seat {
    fn new(id: &str, address: SocketAddr, pair: Arc<Pair>, script: Arc<Script>) -> Self {
        let path = format!("/v1/games/{id}");
        let moves = format!("{path}/moves");
        let heads =
            [&pair.red, &pair.blue].map(|player| head("POST", &moves, address, token(player)));
        Self {
            path,
            script,
            ply: 0,
            pair,
            heads,
        }
    }

    /// Writes the next move; `false` when the script is played up to `until`.
    pub(super) fn write_move(&self, until: usize, request: &mut Vec<u8>) -> bool {
        let Some((from, to)) =
            self.script.moves[..until.min(self.script.moves.len())].get(self.ply)
        else {
            return false;
        };
        let body = format!(
            "{{\"ply\":{},\"from\":\"{from}\",\"to\":\"{to}\"}}",
            self.ply
        );
        write_request(request, &self.heads[self.ply % 2], body.as_bytes());
        true
    }
}

/// A game in the making.
#[derive(Debug)]
pub(super) struct Making {
    address: SocketAddr,
    pair: Arc<Pair>,
    script: Arc<Script>,
    /// The challenge's identifier and then the game's.
    id: String,
    step: Step,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Challenge,
    Accept,
    Place(Side),
}

impl Making {
    pub(super) fn new(address: SocketAddr, pair: Arc<Pair>, script: Arc<Script>) -> Self {
        Self {
            address,
            pair,
            script,
            id: String::new(),
            step: Step::Challenge,
        }
    }

    pub(super) fn write(&self, request: &mut Vec<u8>) {
        let Pair { red, blue } = &*self.pair;
        let (ruleset, setups) = (self.script.ruleset, &self.script.setups);
        let setup = |setup: &str| format!("{{\"setup\":\"{setup}\"}}");
        let placed = format!("/v1/games/{}/setup", self.id);
        let (method, path, player, body): (_, _, &Client, _) = match self.step {
            Step::Challenge => {
                let body = format!(
                    "{{\"ruleset\":\"{ruleset}\",\"color\":\"red\",\"rated\":false,\"opponent\":\"{}\",\
                     \"time_control\":{{\"kind\":\"per_move\",\"per_move\":\"P3D\"}}}}",
                    blue.name
                );
                ("POST", "/v1/challenges".to_owned(), red, body)
            }
            Step::Accept => {
                let path = format!("/v1/challenges/{}/accept", self.id);
                ("POST", path, blue, "{}".to_owned())
            }
            Step::Place(Side::Red) => ("PUT", placed, red, setup(&setups.red)),
            Step::Place(Side::Blue) => ("PUT", placed, blue, setup(&setups.blue)),
        };
        let head = head(method, &path, self.address, token(player));
        write_request(request, &head, body.as_bytes());
    }

    /// Takes an answer; gives the game when both armies stand.
    pub(super) fn hear(&mut self, answer: Answer<'_>) -> Result<Option<Seat>, String> {
        let expected = if matches!(self.step, Step::Place(_)) {
            200
        } else {
            201
        };
        expect(answer, expected)?;
        self.step = match self.step {
            Step::Challenge => {
                self.id = identifier(answer.body)?;
                Step::Accept
            }
            Step::Accept => {
                self.id = identifier(answer.body)?;
                Step::Place(Side::Red)
            }
            Step::Place(Side::Red) => Step::Place(Side::Blue),
            Step::Place(Side::Blue) => {
                let (pair, script) = (Arc::clone(&self.pair), Arc::clone(&self.script));
                return Ok(Some(Seat::new(&self.id, self.address, pair, script)));
            }
        };
        Ok(None)
    }
}

/// The answer has this status.
pub(super) fn expect(answer: Answer<'_>, status: u16) -> Result<(), String> {
    if answer.status == status {
        return Ok(());
    }
    let body = String::from_utf8_lossy(answer.body);
    let start: String = body.chars().take(300).collect();
    Err(format!("{} instead of {status}: {start}", answer.status))
}

/// The first identifier of a body, which is its own.
fn identifier(body: &[u8]) -> Result<String, String> {
    let start = body.get(..64).unwrap_or(body);
    let id = str::from_utf8(start).ok().and_then(|text| {
        let (_, rest) = text.split_once("\"id\":\"")?;
        Some(rest.split_once('"')?.0.to_owned())
    });
    id.ok_or_else(|| "an answer without an identifier".to_owned())
}

/// Makes so many games, one after the other.
#[derive(Debug)]
pub(super) struct Maker {
    address: SocketAddr,
    pair: Arc<Pair>,
    /// Further games to make, the last one first.
    scripts: Vec<Arc<Script>>,
    making: Option<Making>,
    pub(super) seats: Vec<Seat>,
}

impl Maker {
    pub(super) fn new(address: SocketAddr, pair: Arc<Pair>, scripts: Vec<Arc<Script>>) -> Self {
        Self {
            address,
            pair,
            scripts,
            making: None,
            seats: Vec::new(),
        }
    }
}

impl Player for Maker {
    fn ask(&mut self, request: &mut Vec<u8>) -> bool {
        if self.making.is_none() {
            let script = self.scripts.pop();
            let pair = Arc::clone(&self.pair);
            self.making = script.map(|script| Making::new(self.address, pair, script));
        }
        let Some(making) = &self.making else {
            return false;
        };
        making.write(request);
        true
    }

    fn hear(&mut self, answer: Answer<'_>) -> Result<bool, String> {
        if let Some(making) = &mut self.making
            && let Some(seat) = making.hear(answer)?
        {
            self.seats.push(seat);
            self.making = None;
        }
        Ok(true)
    }
}
