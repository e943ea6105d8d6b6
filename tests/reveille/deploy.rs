//! The files for operators fit the program: what they name is there, and their checks work.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use api::config::{Config, Flags};
use serde_json::Value;
use tests::{Backend, TestServer};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

fn unit() -> String {
    read("api/deploy/reveille.service")
}

/// The instructions of the Containerfile, each on one line.
fn instructions() -> Vec<String> {
    let text = read("api/deploy/Containerfile").replace("\\\n", " ");
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// What follows a word in the instructions that begin with it.
fn after<'a>(lines: &'a [String], word: &str) -> Vec<&'a str> {
    let prefix = format!("{word} ");
    lines
        .iter()
        .filter_map(|line| line.strip_prefix(&prefix))
        .collect()
}

fn value_of<'a>(unit: &'a str, key: &str) -> &'a str {
    let prefix = format!("{key}=");
    unit.lines()
        .find_map(|line| line.strip_prefix(&prefix))
        .unwrap()
}

/// The settings that a text gives, as `NAME=VALUE` between blanks.
fn settings(text: &str) -> Vec<(String, String)> {
    let words = text
        .split_whitespace()
        .map(|word| word.trim_start_matches("Environment="));
    words
        .filter(|word| word.starts_with("REVEILLE_"))
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn every_setting_in_them_is_one_of_the_program() {
    for (text, count) in [(unit(), 1), (instructions().join("\n"), 3)] {
        let settings = settings(&text);
        assert_eq!(settings.len(), count, "{settings:?}");
        let environment = settings
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()));
        let config = Config::from_sources(None, environment, Flags::default()).unwrap();
        assert!(config.warnings.is_empty(), "{:?}", config.warnings);
    }
}

#[test]
fn the_unit_waits_for_longer_than_the_server() {
    let unit = unit();
    let seconds: u64 = value_of(&unit, "TimeoutStopSec").parse().unwrap();
    let config = Config::from_sources(None, Vec::new(), Flags::default()).unwrap();
    assert!(seconds > config.shutdown_timeout.as_secs() + 5);
    assert_eq!(value_of(&unit, "KillSignal"), "SIGTERM");
}

/// Only what is there is copied, all that a build needs is let through, and of one Rust.
#[test]
fn the_image_is_built_from_what_is_there() {
    let lines = instructions();
    let ignored = read(".dockerignore");
    let mut copied = Vec::new();
    for copy in after(&lines, "COPY") {
        let words: Vec<_> = copy.split_whitespace().collect();
        if let [sources @ .., _] = &*words
            && !copy.starts_with("--from")
        {
            copied.extend(sources.iter().map(|source| (*source).to_owned()));
        }
    }
    for source in &copied {
        assert!(root().join(source).exists(), "{source}");
        assert!(
            ignored.lines().any(|line| line == format!("!{source}")),
            "{source}"
        );
    }
    for member in [
        "domain",
        "storage",
        "api",
        "tests",
        "migrations",
        "Cargo.lock",
        ".cargo",
    ] {
        assert!(copied.iter().any(|source| source == member), "{member}");
    }
    let toolchain = read("rust-toolchain.toml");
    let version = toolchain.split('"').nth(1).unwrap();
    assert!(
        after(&lines, "FROM")[0].contains(&format!("rust:{version}-")),
        "{version}"
    );
}

/// A shell in between would keep SIGTERM for itself; root would own what the server writes.
#[test]
fn the_image_runs_the_program_itself_and_not_as_root() {
    let lines = instructions();
    let entry: Value = serde_json::from_str(after(&lines, "ENTRYPOINT")[0]).unwrap();
    let program = entry[0].as_str().unwrap();
    assert!(
        after(&lines, "COPY")
            .iter()
            .any(|copy| copy.ends_with(program))
    );
    assert!(value_of(&unit(), "ExecStart").starts_with(program));
    let user = after(&lines, "USER")[0];
    assert!(
        user.split(':')
            .all(|id| id.parse::<u32>().is_ok_and(|id| id > 0)),
        "{user}"
    );
    assert_eq!(after(&lines, "STOPSIGNAL"), ["SIGTERM"]);
}

#[test]
fn the_health_check_of_the_image_tells_a_server_that_is_ready() {
    let lines = instructions();
    let (_, check) = after(&lines, "HEALTHCHECK")[0].split_once(" CMD ").unwrap();
    let words: Vec<String> = serde_json::from_str(check).unwrap();
    let mut server = TestServer::start(Backend::Sqlite);
    let port = server.address().rsplit_once(':').unwrap().1.to_owned();
    let is_healthy = || {
        let command = words.iter().map(|word| word.replace("8080", &port));
        let command: Vec<_> = command.collect();
        let status = Command::new(&command[0])
            .args(&command[1..])
            .output()
            .unwrap();
        status.status.success()
    };
    assert!(is_healthy());
    server.stop();
    assert!(!is_healthy());
}
