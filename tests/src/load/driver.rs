//! The one loop over all connections.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token};

use super::wire::{Answer, Connection};

/// How long the last answers may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Who is at one end of a connection.
pub(super) trait Player {
    /// Writes the next request into an empty buffer; `false` when there is none.
    fn ask(&mut self, request: &mut Vec<u8>) -> bool;

    /// Takes an answer; says whether it is one of those that are measured.
    fn hear(&mut self, answer: Answer<'_>) -> Result<bool, String>;
}

/// What was measured of all players together.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// How long each measured request took, in microseconds, by player.
    pub(super) micros: Vec<Vec<u32>>,
    /// From the first request to the last measured answer.
    pub(super) elapsed: Duration,
    /// What went wrong.
    pub(super) errors: Vec<String>,
}

impl Measured {
    /// How many requests were measured.
    pub(super) fn count(&self) -> usize {
        self.micros.iter().map(Vec::len).sum()
    }
}

/// Lets all players ask until they have nothing more to ask, or for so long. Answers that come later are
/// heard and not measured.
pub(super) fn drive<P: Player>(
    address: SocketAddr,
    players: &mut [P],
    limit: Option<Duration>,
) -> io::Result<Measured> {
    let mut connections = Vec::with_capacity(players.len());
    let mut poll = Poll::new()?;
    for number in 0..players.len() {
        let mut connection = Connection::open(address)?;
        let both = Interest::READABLE | Interest::WRITABLE;
        poll.registry()
            .register(&mut connection.stream, Token(number), both)?;
        connections.push(Lane {
            connection,
            sent: None,
        });
    }
    let mut run = Run {
        started: Instant::now(),
        limit,
        request: Vec::new(),
        under_way: 0,
        measured: Measured {
            micros: vec![Vec::new(); players.len()],
            ..Measured::default()
        },
    };
    for (number, player) in players.iter_mut().enumerate() {
        run.ask(number, player, &mut connections[number]);
    }
    let mut events = Events::with_capacity(1024);
    while run.under_way > 0 {
        poll.poll(&mut events, Some(PATIENCE))?;
        if events.is_empty() {
            let unanswered = format!("{} requests were not answered", run.under_way);
            run.measured.errors.push(unanswered);
            break;
        }
        for event in &events {
            let Token(number) = event.token();
            run.serve(number, &mut players[number], &mut connections[number]);
        }
    }
    Ok(run.measured)
}

struct Lane {
    connection: Connection,
    /// When the request that is under way was sent.
    sent: Option<Instant>,
}

struct Run {
    started: Instant,
    limit: Option<Duration>,
    request: Vec<u8>,
    under_way: usize,
    measured: Measured,
}

impl Run {
    fn is_over(&self, now: Instant) -> bool {
        self.limit.is_some_and(|limit| now - self.started > limit)
    }

    fn ask<P: Player>(&mut self, number: usize, player: &mut P, lane: &mut Lane) {
        self.request.clear();
        if !player.ask(&mut self.request) {
            return;
        }
        lane.sent = Some(Instant::now());
        self.under_way += 1;
        if let Err(fault) = lane.connection.send(&self.request) {
            self.fail(number, lane, &fault.to_string());
        }
    }

    fn serve<P: Player>(&mut self, number: usize, player: &mut P, lane: &mut Lane) {
        let Some(sent) = lane.sent else {
            return;
        };
        let heard = lane
            .connection
            .flush()
            .and_then(|()| lane.connection.receive());
        let outcome = match heard {
            Ok(None) => return,
            Ok(Some(answer)) => player.hear(answer),
            Err(fault) => Err(fault.to_string()),
        };
        let now = Instant::now();
        match outcome {
            Err(fault) => return self.fail(number, lane, &fault),
            Ok(true) if !self.is_over(now) => {
                let micros = (now - sent).as_micros();
                self.measured.micros[number].push(u32::try_from(micros).unwrap_or(u32::MAX));
                self.measured.elapsed = now - self.started;
            }
            Ok(_) => {}
        }
        lane.sent = None;
        self.under_way -= 1;
        if !self.is_over(now) {
            self.ask(number, player, lane);
        }
    }

    /// The player asks nothing further.
    fn fail(&mut self, number: usize, lane: &mut Lane, fault: &str) {
        lane.sent = None;
        self.under_way -= 1;
        self.measured
            .errors
            .push(format!("client {number}: {fault}"));
    }
}
