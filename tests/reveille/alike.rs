//! The two databases answer every read alike, nulls, orders and times included.
//!
//! The same story is told to a server on each, by the same requests at the same instants. Then everything
//! is read that can be read: every route that the server's document lists, with every value of every
//! parameter, and every field, order and filter of the GraphQL schema. What is drawn by chance, as
//! identifiers are, gets names in the order in which it appears; all else must be equal to the byte. D06.

mod names;
mod queries;
mod routes;
mod story;

use std::thread;

use tests::{Backend, Client, Timed};

use names::Names;
use story::Story;

/// What was asked, and the status and the body of the answer.
type Answer = (String, u16, String);

/// Collects answers.
struct Reader {
    names: Names,
    answers: Vec<Answer>,
}

impl Reader {
    /// Asks for a path and keeps what is answered; gives the place to go on from, if there is more.
    fn get(&mut self, who: &Client, path: &str) -> Option<String> {
        let answer = who.get(path);
        let kind = answer.header("content-type").unwrap_or_default();
        let asked = format!("{} GET {path}", who.name);
        self.keep(&asked, answer.status, &format!("{kind}\n{}", answer.text()));
        let is_json = kind == "application/json";
        let body = is_json.then(|| answer.json())?;
        body.get("next")?.as_str().map(str::to_owned)
    }

    fn keep(&mut self, asked: &str, status: u16, body: &str) {
        let answer = (self.names.apply(asked), status, self.names.apply(body));
        self.answers.push(answer);
    }
}

fn read_all(backend: Backend) -> Vec<Answer> {
    let settings = [
        ("REVEILLE_GRAPHQL_MAX_DEPTH", "100"),
        ("REVEILLE_GRAPHQL_MAX_COMPLEXITY", "100000000"),
        ("REVEILLE_GRAPHQL_MAX_QUERY_BYTES", "200000"),
    ];
    let timed = Timed::start_with(backend, &settings);
    let story = Story::tell(&timed);
    let mut reader = Reader {
        names: Names::default(),
        answers: Vec::new(),
    };
    routes::read(&mut reader, &story);
    queries::read(&mut reader, &story);
    reader.answers
}

#[test]
fn both_databases_answer_every_read_alike() {
    let [sqlite, postgres] = thread::scope(|scope| {
        let both = Backend::ALL.map(|backend| scope.spawn(move || read_all(backend)));
        both.map(|one| one.join().unwrap())
    });
    for (one, other) in sqlite.iter().zip(&postgres) {
        assert_eq!(one, other);
    }
    assert_eq!(sqlite.len(), postgres.len());
    println!("{} answers", sqlite.len());
}
