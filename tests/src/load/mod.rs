//! The load tool: many games at once over keep-alive HTTP, each waiting for the answer to its move before
//! it sends the next. One thread and one loop, since the machine is the server's too.

mod accounts;
mod driver;
mod long;
mod making;
mod memory;
mod moves;
mod moving;
mod options;
mod postgres;
mod process;
mod reads;
mod report;
mod streams;
mod syncs;
mod target;
mod wire;

pub use options::{Mode, Options};

use target::Target;

/// Runs one mode, prints what was measured, and gives the number of errors.
pub fn run(options: &Options) -> usize {
    let mut target = Target::start(options);
    match options.mode {
        Mode::Moves => moves::run(options, &target),
        Mode::Reads => reads::run(options, &target),
        Mode::Streams => streams::run(options, &target),
        Mode::Long => long::run(options, &target),
        Mode::Memory => memory::run(options, &mut target),
    }
}
