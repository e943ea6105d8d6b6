use std::fmt::Arguments;
use std::io::{self, Write};

/// Where a bot says what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// A line each on the standard output: the program `reveille bot`.
    Print,
    /// The server's log: the house bot. What happens with every move is said at the level `debug`.
    Log,
}

impl Voice {
    /// Says what happens now and then.
    pub(crate) fn say(self, words: Arguments<'_>) {
        match self {
            Self::Print => print(words),
            Self::Log => tracing::info!("house bot: {words}"),
        }
    }

    /// Says what happens with every move.
    pub(super) fn mutter(self, words: Arguments<'_>) {
        match self {
            Self::Print => print(words),
            Self::Log => tracing::debug!("house bot: {words}"),
        }
    }

    /// Says what went wrong.
    pub(super) fn warn(self, words: Arguments<'_>) {
        match self {
            Self::Print => print(words),
            Self::Log => tracing::warn!("house bot: {words}"),
        }
    }
}

/// Nobody may be there to read it, which is no reason to play no more.
fn print(words: Arguments<'_>) {
    let _unread = writeln!(io::stdout(), "{words}");
}
