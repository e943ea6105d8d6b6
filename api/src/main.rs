//! The program `reveille`.

use std::process::ExitCode;

fn main() -> ExitCode {
    api::cli::run()
}
