//! Games that go on whatever becomes of the server, and what must be true of them afterwards.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::client::{Client, text};
use crate::dice::Dice;
use crate::nodes::Nodes;
use crate::script::Script;
use crate::table::{Attempt, Table};

/// How long a move may be outstanding before the test gives up.
const PATIENCE: Duration = Duration::from_mins(1);

/// What happened to the requests of all tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Times that the fault was caused.
    pub rounds: usize,
    /// Moves answered 201 or, asked again, 200.
    pub acknowledged: usize,
    /// Those of them that were asked again after their answer was lost, and had been made.
    pub repeated: usize,
    /// Answers of 503.
    pub refused: usize,
    /// Requests without an answer.
    pub lost: usize,
    /// Moves that were made and whose answer nobody got.
    pub unanswered: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            rounds,
            acknowledged,
            repeated,
            refused,
            lost,
            unanswered,
        } = self;
        write!(
            f,
            "rounds={rounds} acknowledged={acknowledged} lost=0 made_twice=0 \
             retries_found_made={repeated} answered_503={refused} unanswered_requests={lost} \
             made_but_unanswered={unanswered}"
        )
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.rounds += other.rounds;
        self.acknowledged += other.acknowledged;
        self.repeated += other.repeated;
        self.refused += other.refused;
        self.lost += other.lost;
        self.unanswered += other.unanswered;
    }
}

/// What a test that causes faults sees of the games while they go on.
#[derive(Debug)]
pub struct Watch {
    news: Receiver<News>,
    tally: Tally,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum News {
    Made,
    Repeated,
    Refused,
    Lost,
}

impl Watch {
    /// Waits until so many further moves are acknowledged.
    pub fn moves(&mut self, count: usize) {
        let goal = self.tally.acknowledged + count;
        self.until(|tally| tally.acknowledged >= goal);
    }

    /// Waits until so many further requests are answered 503.
    pub fn refusals(&mut self, count: usize) {
        let goal = self.tally.refused + count;
        self.until(|tally| tally.refused >= goal);
    }

    /// Waits until some moves by chance are acknowledged, and then for a moment by chance, up to a few
    /// milliseconds, so that what follows meets requests in any state.
    pub fn moment(&mut self, dice: &mut Dice, moves: usize) {
        self.moves(dice.below(moves));
        let micros = u64::try_from(dice.below(4_000)).expect("few");
        let end = Instant::now() + Duration::from_micros(micros);
        while Instant::now() < end {
            std::hint::spin_loop();
        }
    }

    /// What happened so far.
    pub fn tally(&mut self) -> Tally {
        while let Ok(news) = self.news.try_recv() {
            self.count(news);
        }
        self.tally
    }

    fn until(&mut self, reached: impl Fn(&Tally) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !reached(&self.tally) {
            let left = end.saturating_duration_since(Instant::now());
            let news = self.news.recv_timeout(left);
            self.count(news.unwrap_or_else(|error| panic!("{error}: {}", self.tally)));
        }
    }

    fn count(&mut self, news: News) {
        match news {
            News::Made => self.tally.acknowledged += 1,
            News::Repeated => {
                self.tally.acknowledged += 1;
                self.tally.repeated += 1;
            }
            News::Refused => self.tally.refused += 1,
            News::Lost => self.tally.lost += 1,
        }
    }
}

/// So many games of random moves, each between players of its own.
pub fn seat(base: &str, count: usize, plies: usize, seed: u64) -> Vec<Table> {
    let begin = |number| Table::begin(base, Script::random(seed + number, plies));
    thread::scope(|scope| {
        let numbers = 0..u64::try_from(count).expect("few");
        let seated: Vec<_> = numbers
            .map(|number| scope.spawn(move || begin(number)))
            .collect();
        seated
            .into_iter()
            .map(|table| table.join().unwrap())
            .collect()
    })
}

/// Plays all tables at once, each move sent until it is acknowledged, while `meanwhile` does its worst;
/// when that returns, no further move is begun.
pub fn play(tables: &mut [Table], nodes: &Nodes, meanwhile: impl FnOnce(&mut Watch)) -> Tally {
    let stop = AtomicBool::new(false);
    let (sender, news) = mpsc::channel();
    let mut watch = Watch {
        news,
        tally: Tally::default(),
    };
    thread::scope(|scope| {
        let (stop, stopper) = (&stop, Stopper(&stop));
        for table in tables {
            let sender = sender.clone();
            scope.spawn(move || press(table, nodes, stop, &sender));
        }
        drop(sender);
        meanwhile(&mut watch);
        drop(stopper);
    });
    watch.tally()
}

/// Stops the players, also when the test fails.
struct Stopper<'a>(&'a AtomicBool);

impl Drop for Stopper<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn press(table: &mut Table, nodes: &Nodes, stop: &AtomicBool, sender: &Sender<News>) {
    while !stop.load(Ordering::Relaxed) && !table.is_played() {
        let news = match table.attempt(nodes) {
            Attempt::Made => News::Made,
            Attempt::Repeated => News::Repeated,
            Attempt::Refused => News::Refused,
            Attempt::Lost => News::Lost,
            Attempt::Closed => continue,
            Attempt::Unexpected(what) => panic!("{what}"),
        };
        // Whoever listens may have heard enough.
        let _ = sender.send(news);
        if matches!(news, News::Refused | News::Lost) {
            nodes.back_off();
        }
    }
}

/// Every acknowledged move is there exactly once, in order and as it was acknowledged; at most one
/// further move a game; both players' views agree with each other and with the rules. Gives the number
/// of moves that were made and not acknowledged.
pub fn verify(tables: &[Table], base: &str) -> usize {
    tables.iter().map(|table| verify_one(table, base)).sum()
}

fn verify_one(table: &Table, base: &str) -> usize {
    let (red, blue) = (table.red.at(base), table.blue.at(base));
    let logs = [&red, &blue].map(|player| log(table, player));
    let made = logs[0].len();
    assert_eq!(
        made,
        logs[1].len(),
        "{}: the players' logs differ",
        table.id
    );
    let acknowledged = table.ledger.len();
    assert!(
        made == acknowledged || made == acknowledged + 1,
        "{}: {acknowledged} moves were acknowledged and {made} are there",
        table.id
    );
    for (ply, (from, to)) in table.script.moves[..made].iter().enumerate() {
        for log in &logs {
            let step = &log[ply];
            assert_eq!(
                (
                    step["ply"].as_u64(),
                    step["from"].as_str(),
                    step["to"].as_str()
                ),
                (
                    u64::try_from(ply).ok(),
                    Some(from.as_str()),
                    Some(to.as_str())
                ),
                "{}: {step}",
                table.id
            );
        }
        // The mover's own log has the move as he was told of it.
        if let Some(told) = table.ledger.get(ply) {
            assert_eq!(told, &logs[ply % 2][ply], "{}", table.id);
        }
    }
    verify_views(table, made, &red, &blue);
    made - acknowledged
}

/// The whole log as a player sees it.
fn log(table: &Table, player: &Client) -> Vec<Value> {
    let mut moves = Vec::new();
    loop {
        let query = format!("/moves?limit=100&after_ply={}", moves.len());
        let page = player.get(&table.path(&query)).ok(200);
        let items = page["items"].as_array().expect("a list");
        moves.extend(items.iter().cloned());
        if page["next"].is_null() {
            return moves;
        }
    }
}

fn verify_views(table: &Table, made: usize, red: &Client, blue: &Client) {
    let board = table.script.board(made);
    for (viewer, own) in [(red, "red"), (blue, "blue")] {
        let view = viewer.get(&table.path("")).ok(200);
        assert_eq!(
            view["ply"].as_u64(),
            u64::try_from(made).ok(),
            "{}",
            table.id
        );
        let mut seen = BTreeMap::new();
        for piece in view["pieces"].as_array().expect("a list") {
            let shown = text(&piece["piece"]).chars().next().expect("a rank");
            seen.insert(text(&piece["square"]), (shown, text(&piece["id"])));
        }
        let squares = |board: &BTreeMap<String, (char, String)>| {
            let names = board
                .iter()
                .map(|(square, (_, id))| (square.clone(), id.clone()));
            names.collect::<Vec<_>>()
        };
        assert_eq!(
            squares(&seen),
            squares(&board),
            "{} as {own} sees it",
            table.id
        );
        for (square, (rank, id)) in &board {
            let shown = seen[square].0;
            let hidden = shown == '?' && !id.starts_with(own);
            assert!(
                hidden || shown == *rank,
                "{} as {own} sees {id}: {shown}",
                table.id
            );
        }
    }
}
