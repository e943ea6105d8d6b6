//! Readers that lose their streams at random and go on at any node miss nothing and see nothing twice.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};
use tests::client::text;
use tests::dice::Dice;
use tests::game::{accept, challenge, move_body};
use tests::{Backend, Client, EventStream, Side, TestServer, rounds};

use crate::lines::{BLUE_TAKES_THE_FLAG, ENDINGS, EVEN, Line, RED_TAKES_THE_FLAG};

/// How many games go on at once, each with its own pair of players.
const TABLES: usize = 4;
const SEED: u64 = 7;

/// Several nodes on one database, the first of which owns it.
struct Nodes {
    nodes: Vec<TestServer>,
}

/// Who reads what, and what he got.
struct Reader<'n> {
    nodes: &'n Nodes,
    client: Client,
    path: String,
    dice: Dice,
    /// The last number that he has, and what came under each.
    told: BTreeMap<u64, (String, String)>,
    drops: usize,
}

impl Nodes {
    fn any(&self, dice: &mut Dice) -> &str {
        dice.pick(&self.nodes).url()
    }
}

impl Reader<'_> {
    /// Reads until the last event of a game, or of so many games, has come; drops the connection now
    /// and then and goes on elsewhere.
    fn read(&mut self, finished: usize) {
        let mut left = finished;
        while left > 0 {
            let node = self.nodes.any(&mut self.dice).to_owned();
            let last = self.told.keys().next_back().copied().unwrap_or_default();
            let client = self.client.at(&node);
            let mut stream = EventStream::open(&client, &self.path, Some(&last.to_string()));
            let patience = self.dice.below(8);
            for _ in 0..=patience {
                let event = stream.event_or_closing();
                if event.name == "closing" {
                    assert_eq!(event.json()["reason"], "too_slow", "{event:?}");
                    break;
                }
                let expected = self.told.len() as u64 + 1;
                assert_eq!(event.number(), expected, "{}: {event:?}", self.path);
                left -= usize::from(event.name == "game.finished");
                let told = (event.name, event.data);
                self.told.insert(expected, told);
                if left == 0 {
                    break;
                }
            }
            self.drops += 1;
        }
    }
}

/// Plays a game to its end, each request at another node.
fn play(nodes: &Nodes, line: &Line, players: [&Client; 2], game: &str, dice: &mut Dice) {
    let setups = line.setups();
    for (player, setup) in players.iter().zip([&setups.0, &setups.1]) {
        let body = json!({"setup": setup});
        player
            .at(nodes.any(dice))
            .put(&format!("/v1/games/{game}/setup"), &body)
            .ok(200);
    }
    for (ply, notation) in (0..).zip(line.moves.split_whitespace()) {
        if dice.one_in(6) {
            let side = Side::of_ply(u32::from(dice.below(2) == 1));
            let player = players[usize::from(side == Side::Blue)].at(nodes.any(dice));
            let path = format!("/v1/games/{game}/offers");
            // The other side may have an open one, which this would take up.
            let open = player.get(&format!("/v1/games/{game}")).ok(200)["offers"].clone();
            if open == json!([]) {
                player.post(&path, &json!({"kind": "draw"})).ok(201);
            }
        }
        let player = players[usize::from(ply % 2 == 1)].at(nodes.any(dice));
        let path = format!("/v1/games/{game}/moves");
        player.post(&path, &move_body(ply, notation)).ok(201);
    }
}

/// Some games of one pair one after the other, watched by both, by both players' own streams and by
/// somebody else. Gives how often a connection was dropped, and how many events were read.
fn table(nodes: &Nodes, games: usize, seed: u64) -> (usize, usize) {
    let mut dice = Dice::new(seed);
    let red = Client::register(nodes.any(&mut dice), &format!("red{seed}"));
    let blue = Client::register(nodes.any(&mut dice), &format!("blue{seed}"));
    let lines = [RED_TAKES_THE_FLAG, EVEN, BLUE_TAKES_THE_FLAG, ENDINGS[2]];
    let reader = |client: &Client, path: String, dice: &mut Dice| Reader {
        nodes,
        client: client.clone(),
        path,
        dice: Dice::new(dice.below(usize::MAX) as u64),
        told: BTreeMap::new(),
        drops: 0,
    };
    let me = || "/v1/me/events".to_owned();
    let mut own = [
        reader(&red, me(), &mut dice),
        reader(&blue, me(), &mut dice),
    ];
    let (mut drops, mut heard) = (0, 0);
    thread::scope(|scope| {
        let feeds: Vec<_> = own
            .iter_mut()
            .map(|reader| scope.spawn(move || reader.read(games)))
            .collect();
        for _ in 0..games {
            let line = *dice.pick(&lines);
            let offered = challenge(
                &red.at(nodes.any(&mut dice)),
                Some(&blue),
                line.ruleset,
                &Value::Null,
            );
            let accepted = accept(&blue.at(nodes.any(&mut dice)), &offered.ok(201)).ok(201);
            let game = text(&accepted["id"]);
            let path = format!("/v1/games/{game}/events");
            let nobody = red.with_token(None);
            let mut readers =
                [&red, &blue, &nobody].map(|viewer| reader(viewer, path.clone(), &mut dice));
            thread::scope(|scope| {
                for reader in &mut readers {
                    scope.spawn(|| reader.read(1));
                }
                play(nodes, &line, [&red, &blue], &game, &mut dice);
            });
            let moves = |reader: &Reader| {
                let told = reader.told.values();
                told.filter(|(name, _)| name == "game.move").count()
            };
            for reader in &readers {
                assert_eq!(moves(reader), line.plies(), "{}", reader.path);
                drops += reader.drops;
                heard += reader.told.len();
            }
        }
        for feed in feeds {
            feed.join().unwrap();
        }
    });
    for reader in &own {
        drops += reader.drops;
        heard += reader.told.len();
        // Both players heard of the same events of games, each once.
        let of_games = |reader: &Reader| {
            let mut told: Vec<(String, Value)> = Vec::new();
            for (name, data) in reader.told.values() {
                let data: Value = serde_json::from_str(data).unwrap();
                let what = json!([
                    data["game_id"],
                    data["move"]["ply"],
                    data["side"],
                    data["offer"]["id"],
                    data["offer"]["status"],
                    data["challenge_id"]
                ]);
                told.push((name.clone(), what));
            }
            told.sort_by_key(|(name, what)| (name.clone(), what.to_string()));
            told
        };
        let (one, other) = (of_games(reader), of_games(&own[0]));
        assert_eq!(one, other);
        let mut distinct = one.clone();
        distinct.dedup();
        assert_eq!(distinct.len(), one.len(), "twice: {one:?}");
    }
    (drops, heard)
}

fn roam(nodes: &Nodes, games: usize) {
    let seed = rounds::first_seed(SEED);
    let next = AtomicUsize::new(0);
    let mut counts = (0, 0);
    thread::scope(|scope| {
        let tables: Vec<_> = (0..TABLES)
            .map(|_| {
                scope.spawn(|| {
                    let nth = next.fetch_add(1, Ordering::Relaxed);
                    let own = games / TABLES + usize::from(nth < games % TABLES);
                    // No token lasts longer than a quarter of an hour: new players every few games.
                    let mut counts = (0, 0);
                    for round in 0..own.div_ceil(PER_PAIR) {
                        let left = (own - round * PER_PAIR).min(PER_PAIR);
                        let (drops, read) =
                            table(nodes, left, seed + (nth * 10_000 + round) as u64);
                        counts = (counts.0 + drops, counts.1 + read);
                    }
                    counts
                })
            })
            .collect();
        for table in tables {
            let (drops, read) = table.join().unwrap();
            counts = (counts.0 + drops, counts.1 + read);
        }
    });
    let (drops, read) = counts;
    println!("{games} games, {read} events read, {drops} connections, 0 missed, 0 twice");
    assert!(drops > 4 * games, "{drops} connections in {games} games");
}

/// How many games a pair of players plays.
const PER_PAIR: usize = 5;

/// 20 games, or 1,000 in the long rounds.
fn games() -> usize {
    if std::env::var_os("REVEILLE_LONG").is_some() {
        rounds::games(167).max(1_000)
    } else {
        rounds::games(20)
    }
}

#[test]
fn a_reader_that_comes_and_goes_misses_nothing_sqlite() {
    let nodes = vec![TestServer::start(Backend::Sqlite)];
    roam(&Nodes { nodes }, games());
}

#[test]
fn a_reader_that_goes_from_node_to_node_misses_nothing_postgres() {
    let first = TestServer::start(Backend::Postgres);
    let mut nodes = vec![first];
    for _ in 0..2 {
        let node = nodes[0].another_node();
        nodes.push(node);
    }
    // Those that share the database end before the one that owns it.
    nodes.reverse();
    roam(&Nodes { nodes }, games());
}
