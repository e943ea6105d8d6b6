//! Idle event streams: memory of each, and how soon they hear of a move.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token};

use super::accounts::{register, token};
use super::making::{Seat, expect};
use super::moves::{make, scripts};
use super::options::Options;
use super::report::{self, Times, ratio, to_f64};
use super::target::Target;
use super::wire::{Answer, Connection};

/// How long an event may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long all streams may take to open, and how many may wait for an answer at once.
const OPENING: Duration = Duration::from_mins(2);
const AT_ONCE: usize = 256;

/// How many moves are made while the streams listen.
const MOVES: usize = 300;

/// A stream and what is known of it.
struct Stream {
    connection: Connection,
    game: usize,
    is_open: bool,
    /// How many moves it has heard of.
    heard: usize,
}

struct Audience {
    poll: Poll,
    events: Events,
    streams: Vec<Stream>,
}

/// What one look at a stream came to.
enum News {
    Nothing,
    Opened,
    /// So many moves.
    Moves(usize),
}

pub(super) fn run(options: &Options, target: &Target) -> usize {
    match listen(options, target) {
        Ok(errors) => errors,
        Err(fault) => {
            println!("error: {fault}");
            1
        }
    }
}

fn listen(options: &Options, target: &Target) -> io::Result<usize> {
    let scripts = scripts(options.seed);
    let pairs = register(&target.url, options.accounts);
    let script = |client: usize, _| Arc::clone(&scripts[client % scripts.len()]);
    let stock = make(target.address, &pairs, options.games(), script, 1);
    let mut seats: Vec<Seat> = stock.into_iter().flatten().collect();
    let before = target.memory();
    let started = Instant::now();
    let mut audience = Audience::open(options.streams, &seats, target)?;
    let opened = started.elapsed().as_secs_f64();
    println!(
        "streams={} games={} opened_in_s={opened:.1}",
        options.streams,
        seats.len()
    );
    if let (Some(before), Some(after)) = (before, target.memory()) {
        let grown = after.resident.saturating_sub(before.resident);
        let grown = usize::try_from(grown).unwrap_or(usize::MAX);
        println!(
            "{} kib_a_stream={:.1}",
            report::told(after),
            ratio(grown, to_f64(options.streams))
        );
    }
    let mut mover = Connection::open(target.address)?;
    let both = Interest::READABLE | Interest::WRITABLE;
    audience
        .poll
        .registry()
        .register(&mut mover.stream, Token(usize::MAX - 1), both)?;
    let (mut waking, mut moving) = (Vec::new(), Vec::new());
    let spent = target.spent();
    for number in 0..MOVES {
        let game = number % seats.len();
        audience.follow(&mut mover, &mut seats[game], game, &mut waking, &mut moving)?;
    }
    let cost = target.cost(spent);
    println!("moves={} {}", moving.len(), Times::of(moving).told());
    println!(
        "wake_ups={} {} (from the sending of the move)",
        waking.len(),
        Times::of(waking).told()
    );
    report::print_cost("moves", MOVES, &cost, target.memory());
    Ok(0)
}

impl Audience {
    /// Opens so many streams, spread over the games and their players.
    ///
    /// No more than [`AT_ONCE`] wait to be answered: a server refuses more than it can do soon.
    fn open(count: usize, seats: &[Seat], target: &Target) -> io::Result<Self> {
        let mut audience = Self {
            poll: Poll::new()?,
            events: Events::with_capacity(4096),
            streams: Vec::with_capacity(count),
        };
        let end = Instant::now() + OPENING;
        let mut open = 0;
        for number in 0..count {
            while number - open >= AT_ONCE {
                open += audience.answered(end, open)?;
            }
            let game = number % seats.len();
            let seat = &seats[game];
            let red = (number / seats.len()).is_multiple_of(2);
            let player = if red { &seat.pair.red } else { &seat.pair.blue };
            let mut connection = Connection::open(target.address).map_err(|fault| {
                io::Error::other(format!(
                    "stream {number}: {fault} (each takes a file: see `ulimit -n` here and of the server)"
                ))
            })?;
            audience.poll.registry().register(
                &mut connection.stream,
                Token(number),
                Interest::READABLE,
            )?;
            let request = format!(
                "GET {}/events HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
                 accept: text/event-stream\r\n\r\n",
                seat.path,
                target.address,
                token(player)
            );
            connection.send(request.as_bytes())?;
            audience.streams.push(Stream {
                connection,
                game,
                is_open: false,
                heard: 0,
            });
        }
        while open < count {
            open += audience.answered(end, open)?;
        }
        Ok(audience)
    }

    /// Waits for answers; says how many streams were opened.
    fn answered(&mut self, end: Instant, open: usize) -> io::Result<usize> {
        self.wait(end, &format!("{open} streams opened"))?;
        let mut opened = 0;
        for event in &self.events {
            let Token(number) = event.token();
            if let News::Opened = self.streams[number].look()? {
                opened += 1;
            }
        }
        Ok(opened)
    }

    /// Makes the next move of a game and waits until each of its streams has heard of it.
    fn follow(
        &mut self,
        mover: &mut Connection,
        seat: &mut Seat,
        game: usize,
        waking: &mut Vec<u32>,
        moving: &mut Vec<u32>,
    ) -> io::Result<()> {
        let mut request = Vec::new();
        if !seat.write_move(usize::MAX, &mut request) {
            return Ok(());
        }
        let mut missing = self
            .streams
            .iter()
            .filter(|stream| stream.game == game)
            .count();
        let began = Instant::now();
        let micros = || u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX);
        mover.send(&request)?;
        let mut answered = false;
        while missing > 0 || !answered {
            let doing = format!("{missing} streams have not heard of a move");
            self.wait(began + PATIENCE, &doing)?;
            for event in &self.events {
                let Token(number) = event.token();
                let Some(stream) = self.streams.get_mut(number) else {
                    if let Some(answer) = mover.receive()?
                        && !answered
                    {
                        made(answer)?;
                        answered = true;
                        seat.ply += 1;
                        moving.push(micros());
                    }
                    continue;
                };
                if let News::Moves(count) = stream.look()? {
                    stream.heard += count;
                    missing = missing.saturating_sub(count);
                    waking.extend((0..count).map(|_| micros()));
                }
            }
        }
        Ok(())
    }

    fn wait(&mut self, end: Instant, doing: &str) -> io::Result<()> {
        let left = end.saturating_duration_since(Instant::now());
        self.poll.poll(&mut self.events, Some(left))?;
        if self.events.is_empty() {
            return Err(io::Error::other(format!("{doing} after {PATIENCE:?}")));
        }
        Ok(())
    }
}

fn made(answer: Answer<'_>) -> io::Result<()> {
    expect(answer, 201).map_err(io::Error::other)
}

impl Stream {
    fn look(&mut self) -> io::Result<News> {
        self.connection.flush()?;
        let bytes = self.connection.drain()?;
        if !self.is_open {
            if bytes.is_empty() {
                return Ok(News::Nothing);
            }
            if !bytes.starts_with(b"HTTP/1.1 200") {
                let head = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
                return Err(io::Error::other(format!("no stream of events: {head}")));
            }
            self.is_open = true;
            return Ok(News::Opened);
        }
        let name = b"event: game.move";
        let compact = b"event:game.move";
        let count = bytes
            .windows(name.len())
            .filter(|part| part == name)
            .count()
            + bytes
                .windows(compact.len())
                .filter(|part| part == compact)
                .count();
        Ok(if count == 0 {
            News::Nothing
        } else {
            News::Moves(count)
        })
    }
}
