//! Pictures of statistics: of many games, nothing of any one.

mod battles;
mod deployment;
mod information;
mod reveals;

use domain::facts::Facts;

use super::sheet::{Headings, Sheet, text};

pub use battles::battles;
pub use deployment::deployment;
pub use information::information;
pub use reveals::reveals;

const STYLE: &str = include_str!("statistics/style.css");
const WIDTH: u32 = 440;
/// Below the head lines.
const TOP: f64 = 84.0;

/// What a picture says of the games that it is about.
#[derive(Debug, Clone, Copy)]
pub struct Games<'a> {
    /// What was counted of them.
    pub facts: &'a Facts,
    /// Which they are, in a few words: `barrage, rated`.
    pub which: &'a str,
    /// What the identifiers in the picture begin with.
    pub stem: &'a str,
}

/// What a picture is called, and what it shows.
struct Titles<'a> {
    head: &'a str,
    /// Under the head.
    line: &'a str,
    /// For those who do not see it.
    description: &'a str,
}

impl Games<'_> {
    /// A sheet with its head lines.
    fn sheet(&self, height: u32, titles: &Titles<'_>) -> Sheet {
        let games = self.words();
        let mut sheet = Sheet::new(
            WIDTH,
            height,
            &Headings {
                kind: "statistics",
                stem: self.stem,
                title: &format!("{} ({games})", titles.head),
                description: titles.description,
                style: STYLE,
            },
        );
        sheet.add(text("head", (12.0, 22.0), titles.head));
        sheet.add(text("word", (12.0, 41.0), titles.line));
        sheet.add(text("word", (12.0, 60.0), games));
        sheet
    }

    /// How many games, and which.
    fn words(&self) -> String {
        let games = self.facts.results().games;
        let number = number(games);
        let noun = if games == 1 { "game" } else { "games" };
        let which = printable(&shortened(self.which));
        format!("{number} {noun}: {which}")
    }
}

/// What fits on a line.
fn shortened(words: &str) -> String {
    const LONGEST: usize = 48;
    if words.chars().count() <= LONGEST {
        return words.to_owned();
    }
    words.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// Words without characters that no XML may hold.
fn printable(words: &str) -> String {
    let is_printable =
        |letter: char| !letter.is_control() && !('\u{fffe}'..='\u{ffff}').contains(&letter);
    let printed = words.chars().map(|letter| {
        if is_printable(letter) {
            letter
        } else {
            char::REPLACEMENT_CHARACTER
        }
    });
    printed.collect()
}

/// A number with its thousands apart.
fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut words = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            words.push(',');
        }
        words.push(digit);
    }
    words
}

/// A share in per cent, as short as it can be read.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 9.95 || percent == 0.0 {
        format!("{percent:.0}")
    } else if percent < 0.05 {
        "<0.1".to_owned()
    } else {
        format!("{percent:.1}")
    }
}

/// How dark something is, of how much of the most there is: little is told from nothing.
fn darkness(share: f64) -> f64 {
    super::sheet::units(0.06 + 0.84 * share.clamp(0.0, 1.0).sqrt())
}

/// Whether a text on something so dark is light.
fn is_dark(share: f64) -> bool {
    darkness(share) > 0.55
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_at_a_glance() {
        for (given, words) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(number(given), words);
        }
        for (share, words) in [
            (0.0, "0"),
            (0.001, "0.1"),
            (0.0994, "9.9"),
            (0.0996, "10"),
            (1.0, "100"),
        ] {
            assert_eq!(percent(share), words);
        }
    }
}
