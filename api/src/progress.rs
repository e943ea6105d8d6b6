//! How far long work is, on the terminal.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

const ROWS: &str = "{msg} {wide_bar} {human_pos}/{human_len} rows, {eta} left";
const GAMES: &str = "{msg} {wide_bar} {human_pos}/{human_len} games, {per_sec}, {eta} left";
const BYTES: &str = "{msg} {wide_bar} {bytes}/{total_bytes}, {eta} left";
const COUNTED: &str = "{msg} {spinner} {human_pos} games, {per_sec}, {elapsed}";
const UNKNOWN: &str = "{msg} {spinner} {bytes}, {elapsed}";

/// A bar on the terminal, and nothing where there is none. It goes when it is dropped.
pub struct Progress(ProgressBar);

impl Progress {
    /// Counts rows.
    pub fn rows(doing: &'static str, total: u64) -> Self {
        Self::new(ProgressBar::new(total), ROWS, doing)
    }

    /// Counts games.
    pub fn games(doing: &'static str, total: u64) -> Self {
        Self::new(ProgressBar::new(total), GAMES, doing)
    }

    /// Counts games, of which nobody knows how many there are.
    pub fn counting(doing: &'static str) -> Self {
        Self::new(ProgressBar::no_length(), COUNTED, doing)
    }

    /// Counts bytes, of so many if that is known.
    pub fn bytes(doing: &'static str, total: Option<u64>) -> Self {
        match total {
            Some(total) => Self::new(ProgressBar::new(total), BYTES, doing),
            None => Self::new(ProgressBar::no_length(), UNKNOWN, doing),
        }
    }

    fn new(bar: ProgressBar, template: &str, doing: &'static str) -> Self {
        let plain = ProgressStyle::default_bar();
        let style = plain.clone().template(template).unwrap_or(plain);
        let bar = bar.with_style(style).with_message(doing);
        Self(bar.with_finish(ProgressFinish::AndClear))
    }

    /// One more.
    pub fn advance(&self) {
        self.0.inc(1);
    }

    /// So many bytes in all.
    pub fn set(&self, bytes: u64) {
        self.0.set_position(bytes);
    }
}
