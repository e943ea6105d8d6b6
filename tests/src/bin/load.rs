//! Presses a server with many games at once and tells what came of it: see the README, "Load tool".

use std::process::ExitCode;

use clap::Parser;
use tests::load::{self, Options};

fn main() -> ExitCode {
    let errors = load::run(&Options::parse());
    if errors == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
