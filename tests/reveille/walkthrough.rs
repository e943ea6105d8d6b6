//! The README's walk-through works as it is printed.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tests::server::binary;
use tests::walkthrough::{missing, steps};
use tests::{Backend, TestServer, on_both};

/// Stands between the outputs of two blocks.
const SEPARATOR: &str = "--- next block ---";

fn the_walk_through_of_the_readme_works_as_printed(backend: Backend) {
    let server = TestServer::start_with(backend, &[("REVEILLE_HOUSE_BOT", "1")]);
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let steps = steps(&fs::read_to_string(file).unwrap());
    assert!(steps.len() >= 3, "the README has no walk-through");
    assert!(
        steps.iter().any(|step| !step.expected.is_empty()),
        "the walk-through prints nothing"
    );
    let separated: Vec<&str> = steps.iter().map(|step| &*step.commands).collect();
    let script = separated.join(&format!("\necho '\n{SEPARATOR}'\n"));
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .env("REVEILLE", server.url())
        .env("PROGRAM", binary())
        .env("REVEILLE_DATABASE_URL", server.database().url())
        .output()
        .unwrap();
    let (printed, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{printed}\n{errors}");
    let outputs: Vec<&str> = printed.split(SEPARATOR).collect();
    assert_eq!(outputs.len(), steps.len());
    for (step, output) in steps.iter().zip(outputs) {
        let lacking = missing(&step.expected, output);
        assert_eq!(
            lacking, None,
            "README.md, line {}: printed {output}",
            step.line
        );
    }
}

on_both! {
    the_walk_through_of_the_readme_works_as_printed,
}
