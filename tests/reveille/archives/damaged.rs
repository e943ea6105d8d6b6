//! Whatever is wrong with an archive, its place is named, none of its values is, and nothing is left.

use std::fs::{self, File};
use std::process::Stdio;

use tempfile::TempDir;
use tests::{Backend, TestServer, on_both};

use super::{body, export, live, migrated, refused};
use crate::lines::EVEN;

/// An archive of a server on SQLite, and an empty database to import it into.
struct Bench {
    folder: TempDir,
    lines: Vec<String>,
    target: TestServer,
}

/// An archive with something wrong in a line, counted from 0.
struct Damage {
    lines: Vec<String>,
    at: usize,
    table: Option<&'static str>,
    says: &'static str,
}

impl Bench {
    fn new(backend: Backend) -> Self {
        let folder = TempDir::new().unwrap();
        let source = TestServer::start(Backend::Sqlite);
        live(&source);
        let (_, archive) = export(&source, &folder, "whole");
        Self {
            folder,
            lines: archive.lines().map(str::to_owned).collect(),
            target: migrated(backend, &[]),
        }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Where the first line stands that begins so.
    fn place(&self, start: &str) -> usize {
        let starts = |line: &String| line.starts_with(start);
        self.lines.iter().position(starts).unwrap()
    }

    /// All lines, with one of them replaced.
    fn with(&self, at: usize, line: &str) -> Vec<String> {
        let mut lines = self.lines.clone();
        assert_ne!(lines[at], line);
        line.clone_into(&mut lines[at]);
        lines
    }

    /// What the import of these lines says, which fails.
    #[track_caller]
    fn import(&self, lines: &[String]) -> String {
        let path = self.path("changed");
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        let said = refused(&self.target, &["import", "--all", &path]);
        assert!(said.contains("nothing was imported"), "{said}");
        for secret in [&EVEN.setups().1, "third_", "$argon2"] {
            assert!(self.lines.iter().any(|line| line.contains(secret)));
            assert!(!said.contains(secret), "{said}");
        }
        said
    }

    /// One line replaced by what becomes of it when one text in it is replaced.
    fn damage(
        &self,
        (at, from, to): (usize, &str, &str),
        table: Option<&'static str>,
        says: &'static str,
    ) -> Damage {
        let lines = self.with(at, &self.lines[at].replacen(from, to, 1));
        Damage {
            lines,
            at,
            table,
            says,
        }
    }

    fn damages(&self) -> Vec<Damage> {
        let (players, moves) = (
            self.place("{\"table\":\"players\""),
            self.place("{\"table\":\"moves\""),
        );
        let moves_end = self.place("{\"table\":\"moves\",\"rows\"");
        let last = self.lines.len() - 1;
        let (of_players, of_moves) = (Some("players"), Some("moves"));
        let (rows, sha256) = ("\"rows\":", "\"sha256\":\"");
        let more = ("\"rows\":1", "\"sha256\":\"0");
        let not_taken = "does not take the row";
        let mut damages = vec![
            self.damage((0, "\"format\":1", "\"format\":2"), None, "of format 2"),
            self.damage(
                (0, "20261129000001", "20261129000000"),
                None,
                "another schema",
            ),
            self.damage((0, "{", "["), None, "no archive of Reveille"),
            self.damage((players, "email", "mail"), of_players, "with its columns"),
            self.damage((players + 1, ",", ", "), of_players, "no row"),
            self.damage((moves + 1, "null,null", "null,7"), of_moves, not_taken),
            self.damage(
                (moves + 1, "null,null", "7,null"),
                of_moves,
                "`rescue_rank`",
            ),
            self.damage(
                (moves_end, rows, more.0),
                of_moves,
                "rows should have come before",
            ),
            self.damage((moves_end, sha256, more.1), of_moves, "SHA-256"),
            self.damage((last, rows, more.0), None, "rows should have come before"),
            self.damage((last, sha256, more.1), None, "SHA-256"),
        ];
        let twice = self.with(players + 2, &self.lines[players + 1]);
        let longer = [self.lines.as_slice(), &[String::new()]].concat();
        for (lines, at, table, says) in [
            (twice, players + 2, of_players, not_taken),
            (self.lines[..last].to_vec(), last, None, "cut short"),
            (
                self.lines[..=moves].to_vec(),
                moves + 1,
                of_moves,
                "cut short",
            ),
            (longer, last + 1, None, "follows the end"),
        ] {
            damages.push(Damage {
                lines,
                at,
                table,
                says,
            });
        }
        damages
    }
}

fn a_damaged_archive_leaves_nothing(backend: Backend) {
    let bench = Bench::new(backend);
    for damage in bench.damages() {
        let said = bench.import(&damage.lines);
        let table = damage.table.map(|table| format!(", table `{table}`"));
        let place = format!(
            "error: line {}{}: ",
            damage.at + 1,
            table.unwrap_or_default()
        );
        assert!(said.starts_with(&place), "{place}{}: {said}", damage.says);
        assert!(said.contains(damage.says), "{}: {said}", damage.says);
    }
    // A row is missing, and the count was made to fit; then a move is another one.
    let (moves, end) = (
        bench.place("{\"table\":\"moves\""),
        bench.place("{\"table\":\"moves\",\"rows\""),
    );
    let rows = |count: usize| format!("\"rows\":{count}");
    let fitting = bench.lines[end].replace(&rows(end - moves - 1), &rows(end - moves - 2));
    let mut without = bench.with(end, &fitting);
    without.remove(moves + 2);
    assert!(bench.import(&without).contains("SHA-256"));
    let mut columns: Vec<_> = bench.lines[moves + 1].split(',').collect();
    columns[3] = "2";
    assert!(
        bench
            .import(&bench.with(moves + 1, &columns.join(",")))
            .contains("SHA-256")
    );

    let (_, empty) = export(&bench.target, &bench.folder, "empty");
    assert!(!empty.lines().any(|line| line.starts_with('[')), "{empty}");
}

/// What comes through a pipe is read as well, and goes through one; never into what is there.
fn an_archive_goes_through_pipes_into_an_empty_database(backend: Backend) {
    let bench = Bench::new(backend);
    let target = &bench.target;
    let whole = File::open(bench.path("whole")).unwrap();
    let import = target
        .command(&["import", "--all", "-"])
        .stdin(whole)
        .output()
        .unwrap();
    assert!(import.status.success(), "{import:?}");
    assert!(import.stdout.is_empty());
    let mut export = target.command(&["export", "--all", "-"]);
    let export = export.stderr(Stdio::null()).output().unwrap();
    assert!(export.status.success());
    let lines = bench.lines.join("\n");
    assert_eq!(
        body(&String::from_utf8(export.stdout).unwrap()),
        body(&lines)
    );
    let said = refused(target, &["import", "--all", &bench.path("whole")]);
    assert!(
        said.contains("the database is not empty, it has players"),
        "{said}"
    );
}

on_both! {
    a_damaged_archive_leaves_nothing,
    an_archive_goes_through_pipes_into_an_empty_database,
}
