//! How many statements a query costs. Alone in its program, for it counts those of all connections.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "what fails here fails the test"
)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use api::clock::SystemClock;
use api::config::{Config, Flags};
use api::server::Server;
use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};
use domain::{
    ByColor, Color, Command, MoveBuffer, MoveRequest, Ruleset, Setup, Style, Terms, TimeControl,
    Timestamp,
};
use serde_json::{Value, json};
use storage::games::{self, NewGame};
use storage::players::{self, NewPlayer};
use storage::{Connection, Database, GameId, PlayerId, PoolOptions, StorageError};
use tracing_subscriber::util::SubscriberInitExt;

static STATEMENTS: AtomicUsize = AtomicUsize::new(0);

#[expect(clippy::unnecessary_wraps, reason = "as diesel wants it")]
fn count() -> Option<Box<dyn Instrumentation>> {
    Some(Box::new(|event: InstrumentationEvent<'_>| {
        // Those of requests, which have a span: the server looks of its own accord each second what is due.
        // Beginning and ending a transaction is no question.
        if let InstrumentationEvent::StartQuery { query, .. } = event
            && query.to_string().starts_with("SELECT")
            && !tracing::Span::current().is_none()
        {
            STATEMENTS.fetch_add(1, Ordering::SeqCst);
        }
    }))
}

const START: Timestamp = Timestamp::from_micros(1_774_605_600_000_000);

fn player(connection: &mut Connection, number: u64) -> Result<PlayerId, StorageError> {
    let id = PlayerId::generate(START);
    let name = format!("player{number}");
    let new = NewPlayer {
        id,
        username: &name,
        username_key: &name,
        password_hash: "",
        email: None,
        preferences: "{}",
        created_at: START,
    };
    players::create(connection, &new)?;
    Ok(id)
}

/// A finished game between two new players, with a few moves in it.
fn game(connection: &mut Connection, number: u64) -> Result<(), StorageError> {
    let players = ByColor {
        red: player(connection, 2 * number)?,
        blue: player(connection, 2 * number + 1)?,
    };
    let new = NewGame {
        id: GameId::generate(START),
        players,
        terms: Terms {
            ruleset: Ruleset::Duel,
            options: Ruleset::Duel.default_options(),
            time_control: TimeControl::Unlimited,
            vacation: true,
            weekends: false,
        },
        rated: false,
        private: false,
        created_at: START,
    };
    let mut stored = games::create(connection, &new)?;
    let setup = Setup::random(Ruleset::Duel, Style::Advised, |below| below / 2);
    let mut second = 0;
    let mut act = |by: Color, command: &Command| {
        second += 1;
        let now = START + Duration::from_secs(second);
        let events = stored.game.play(by, command, now).expect("a legal command");
        let mut after = stored.game.clone();
        for event in &events {
            after.apply(event)?;
        }
        stored = games::append(connection, &stored, after, &events, None)?;
        Ok::<_, StorageError>(stored.game.clone())
    };
    act(Color::Red, &Command::PlaceSetup(setup))?;
    let mut game = act(Color::Blue, &Command::PlaceSetup(setup))?;
    for _ in 0..6 {
        let mut moves = MoveBuffer::new();
        game.legal_moves(&mut moves);
        let (turn, mv) = (game.turn().expect("a game that goes on"), moves[0]);
        let request = MoveRequest {
            ply: game.ply(),
            from: Some(mv.from),
            to: Some(mv.to),
            rescue: None,
        };
        game = act(turn, &Command::Move(request))?;
    }
    act(Color::Red, &Command::Resign).map(drop)
}

/// The answer to a query, and how many statements it took.
fn ask(address: SocketAddr, query: &str) -> (Value, usize) {
    let body = json!({"query": query}).to_string();
    let head = format!(
        "POST /graphql HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let before = STATEMENTS.load(Ordering::SeqCst);
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all((head + &body).as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let statements = STATEMENTS.load(Ordering::SeqCst) - before;
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let answer: Value = serde_json::from_str(body).unwrap();
    assert_eq!(answer.get("errors"), None, "{query}");
    (answer, statements)
}

#[test]
fn a_page_of_games_costs_the_same_statements_however_long_it_is() {
    tracing_subscriber::registry().init();
    set_default_instrumentation(count).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/reveille.db", folder.path().display());
    let database = Database::open(&url, &PoolOptions::default()).unwrap();
    database.migrate().unwrap();
    for number in 0..20 {
        database
            .write(|connection| game(connection, number))
            .unwrap();
    }
    let values = [
        ("listen", "127.0.0.1:0".to_owned()),
        ("metrics_listen", "off".to_owned()),
        ("rate_limits", "off".to_owned()),
        // A connection that opens meanwhile has statements of its own.
        ("database_pool_size", "1".to_owned()),
        ("graphql_max_complexity", "20000".to_owned()),
        ("data_dir", folder.path().display().to_string()),
    ];
    let flags = Flags {
        config: None,
        values: values.to_vec(),
    };
    let config = Config::from_sources(None, Vec::new(), flags).unwrap();
    let server = Server::bind(config, Arc::new(SystemClock))
        .unwrap()
        .spawn()
        .unwrap();
    let player = "player { username games(first: 0) { pageInfo { hasNextPage } } }";
    let parts = [
        ("", 0),
        (
            "red { player { username } } blue { player { username } }",
            0,
        ),
        (
            "moves { edges { node { ply rank battle { attacker } } } }",
            1,
        ),
        ("replay { reveals { rank } battles { attacker } }", 1),
        (
            "replay { frame(ply: 3) { pieces { rank } } frames(first: 2) { edges { node { ply } } } }",
            1,
        ),
        (
            "red { player { id } } moves { edges { cursor } } replay { reveals { ply } battles { ply } }",
            1,
        ),
    ];
    let rated =
        "red { rating player { ratings { rating } } } blue { player { ratings { games } } }";
    ask(server.address(), "{ games(first: 1) { edges { cursor } } }");
    let mut costs = Vec::new();
    for (fields, _) in parts {
        let page = |first: usize| {
            let query =
                format!("{{ games(first: {first}) {{ edges {{ node {{ uuid {fields} }} }} }} }}");
            let (answer, statements) = ask(server.address(), &query);
            let edges = answer["data"]["games"]["edges"].as_array().unwrap();
            assert_eq!(edges.len(), first);
            statements
        };
        let (few, many) = (page(2), page(20));
        assert_eq!(few, many, "{fields}");
        assert!(few > 0, "nothing was counted");
        costs.push(few);
    }
    // One statement more for the ratings of all players.
    let page = |first: usize| {
        let query = format!("{{ games(first: {first}) {{ edges {{ node {{ {rated} }} }} }} }}");
        ask(server.address(), &query).1
    };
    assert_eq!((page(2), page(20)), (costs[0] + 1, costs[0] + 1));
    // The list alone, and the list with its games, whatever is asked of them.
    for (cost, (fields, whole)) in costs.iter().zip(parts) {
        assert_eq!(
            *cost,
            if whole == 0 { costs[0] } else { costs[2] },
            "{fields}"
        );
    }
    assert!(costs[2] > costs[0]);
    // The games of each player are a list of their own: that is what their base cost is for.
    let query = format!("{{ games(first: 2) {{ edges {{ node {{ red {{ {player} }} }} }} }} }}");
    let (_, statements) = ask(server.address(), &query);
    assert!(statements > costs[0]);
    server.stop().unwrap();
}
