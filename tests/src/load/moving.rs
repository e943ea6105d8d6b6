//! Moves are made: one game after the other on one connection.

use std::net::SocketAddr;
use std::sync::Arc;

use super::accounts::Pair;
use super::driver::Player;
use super::making::{Making, Seat, expect};
use super::wire::Answer;
use crate::script::Script;

/// Plays games that were made before.
#[derive(Debug)]
pub(super) struct Mover {
    /// Games to play, the one that is played last.
    pub(super) seats: Vec<Seat>,
    /// Games that are played as far as wanted.
    pub(super) done: Vec<Seat>,
    /// How far each is played.
    pub(super) until: usize,
    /// What further games are made of when there are none left.
    further: Option<Further>,
    making: Option<Making>,
}

/// What further games are made of.
#[derive(Debug)]
pub(super) struct Further {
    pub(super) address: SocketAddr,
    pub(super) pair: Arc<Pair>,
    pub(super) scripts: Arc<Vec<Arc<Script>>>,
    /// How many games were made.
    pub(super) made: usize,
}

impl Mover {
    pub(super) fn new(seats: Vec<Seat>, until: usize, further: Option<Further>) -> Self {
        Self {
            seats,
            done: Vec::new(),
            until,
            further,
            making: None,
        }
    }

    /// How many games had to be made under way.
    pub(super) fn made(&self) -> usize {
        self.further.as_ref().map_or(0, |further| further.made)
    }
}

impl Player for Mover {
    fn ask(&mut self, request: &mut Vec<u8>) -> bool {
        while let Some(seat) = self.seats.last() {
            if seat.write_move(self.until, request) {
                return true;
            }
            self.done.extend(self.seats.pop());
        }
        let Some(further) = &mut self.further else {
            return false;
        };
        let making = self.making.get_or_insert_with(|| {
            let script = &further.scripts[further.made % further.scripts.len()];
            further.made += 1;
            Making::new(
                further.address,
                Arc::clone(&further.pair),
                Arc::clone(script),
            )
        });
        making.write(request);
        true
    }

    fn hear(&mut self, answer: Answer<'_>) -> Result<bool, String> {
        if let Some(making) = &mut self.making {
            if let Some(seat) = making.hear(answer)? {
                self.seats.push(seat);
                self.making = None;
            }
            return Ok(false);
        }
        if let Some(seat) = self.seats.last_mut() {
            expect(answer, 201)
                .map_err(|fault| format!("{} at {}: {fault}", seat.path, seat.ply))?;
            seat.ply += 1;
        }
        Ok(true)
    }
}
