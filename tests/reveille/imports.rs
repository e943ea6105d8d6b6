//! Games that were recorded elsewhere, brought in by the command and over HTTP.

mod again;
mod archive;
mod command;
mod damaged;
mod endings;
mod http;
mod killed;
mod names;
mod pages;
mod samples;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::json;
use tests::{Client, TestServer};

/// What an import printed.
struct Report {
    /// A line for each game.
    lines: Vec<String>,
    /// Imported, duplicates, rejected.
    totals: [usize; 3],
}

/// Imports a path, which must be taken.
#[track_caller]
fn import(server: &TestServer, arguments: &[&str]) -> Report {
    let output = server
        .command(&[&["import"], arguments].concat())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {said}");
    Report::of(&String::from_utf8(output.stdout).unwrap())
}

impl Report {
    fn of(printed: &str) -> Self {
        let mut lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        let last = lines.pop().expect("the totals");
        let mut numbers = last
            .split(' ')
            .zip(["imported", "duplicates", "rejected"])
            .map(|(part, name)| {
                let (key, number) = part.split_once('=').unwrap();
                assert_eq!(key, name, "{last}");
                number.parse().unwrap()
            });
        let totals = [(); 3].map(|()| numbers.next().unwrap());
        assert_eq!(totals.iter().sum::<usize>(), lines.len(), "{last}");
        Self { lines, totals }
    }

    /// What is said of each file, by its name without folders.
    fn by_name(&self) -> BTreeMap<&str, &str> {
        let said = self.lines.iter().map(|line| {
            let (file, said) = line.split_once(": ").unwrap();
            (file.rsplit('/').next().unwrap(), said)
        });
        let said: BTreeMap<_, _> = said.collect();
        assert_eq!(said.len(), self.lines.len());
        said
    }

    /// The games that were imported, in order.
    fn ids(&self) -> Vec<&str> {
        let imported = |line: &String| line.contains(": imported ");
        let ids = self.lines.iter().filter(|line| imported(line));
        ids.map(|line| line.rsplit(' ').next().unwrap()).collect()
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// How many games of the archive there are, as statistics and as the list tell, each once.
fn counted(client: &Client) -> (u64, usize) {
    let mut after = serde_json::Value::Null;
    let mut listed = BTreeSet::new();
    let query = "query($after: String) { stats(filter: {sources: [\"gravon\"]}) { games }
        games(filter: {sources: [\"gravon\"]}, first: 100, after: $after) {
            edges { node { uuid } } pageInfo { hasNextPage endCursor } } }";
    loop {
        let seen = client.query(query, &json!({"after": after}));
        for edge in seen["games"]["edges"].as_array().unwrap() {
            let id = edge["node"]["uuid"].to_string();
            assert!(listed.insert(id), "{edge} is there twice");
        }
        let page = &seen["games"]["pageInfo"];
        if page["hasNextPage"] == false {
            return (seen["stats"]["games"].as_u64().unwrap(), listed.len());
        }
        after = page["endCursor"].clone();
    }
}
