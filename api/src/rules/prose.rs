//! The rules of a ruleset in words, put together from a language's sentences and the ruleset's data.

use domain::{Options, Rank, Ruleset, TwoSquares};

use super::text::{el, en, es, fr, ro};
use super::{Language, rank_name};

/// The home squares of a side.
const HOME_SQUARES: u8 = 40;

/// What a language must have. Sentences may hold `{army}`, `{army_size}`, `{empty}`, `{order}`,
/// `{limit}`, `{min_plies}` and `{max_plies}`, which are filled from the ruleset.
pub(super) struct Prose {
    pub(super) sheets: Sheets,
    pub(super) titles: Titles,
    pub(super) aim: &'static [&'static str],
    pub(super) board: &'static [&'static str],
    pub(super) setup: SetUp,
    pub(super) moving: &'static [&'static str],
    pub(super) battles: &'static [&'static str],
    pub(super) repetition: Repetition,
    pub(super) options: &'static [&'static str],
    pub(super) end: &'static [&'static str],
    pub(super) advice: Advice,
}

/// Where each ruleset comes from.
pub(super) struct Sheets {
    pub(super) original: &'static str,
    pub(super) duel: &'static str,
    pub(super) classic: &'static str,
    pub(super) original_forfeit: &'static str,
    pub(super) barrage: &'static str,
}

/// The headings.
pub(super) struct Titles {
    pub(super) aim: &'static str,
    pub(super) board: &'static str,
    pub(super) setup: &'static str,
    pub(super) moving: &'static str,
    pub(super) battles: &'static str,
    pub(super) repetition: &'static str,
    pub(super) options: &'static str,
    pub(super) end: &'static str,
}

/// How an army is set up: one of `full`, `one_empty` and `many_empty`, by its size.
pub(super) struct SetUp {
    pub(super) army: &'static str,
    pub(super) full: &'static str,
    pub(super) one_empty: &'static str,
    pub(super) many_empty: &'static str,
    pub(super) ready: &'static str,
}

/// The rules on repeated moves, of which a ruleset's options choose.
pub(super) struct Repetition {
    pub(super) two_squares: &'static str,
    pub(super) illegal: &'static str,
    pub(super) forfeit_turn: &'static str,
    pub(super) more_squares: &'static str,
    pub(super) no_more_squares: &'static str,
}

/// Advice on arranging an army that fills its rows, and one that leaves most squares empty.
pub(super) struct Advice {
    pub(super) full: &'static [&'static str],
    pub(super) small: &'static [&'static str],
}

/// What a section of the rules is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// What wins.
    Aim,
    /// Squares, lakes and home rows.
    Board,
    /// The army and how it is placed.
    Setup,
    /// Who moves what, and how.
    Moving,
    /// What attacks lead to.
    Battles,
    /// Two squares and more squares.
    Repetition,
    /// What a challenge may switch on.
    Options,
    /// How a game ends.
    End,
}

impl Topic {
    /// Every topic, in the order of the text.
    pub const ALL: [Self; 8] = [
        Self::Aim,
        Self::Board,
        Self::Setup,
        Self::Moving,
        Self::Battles,
        Self::Repetition,
        Self::Options,
        Self::End,
    ];

    /// The `snake_case` name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aim => "aim",
            Self::Board => "board",
            Self::Setup => "setup",
            Self::Moving => "moving",
            Self::Battles => "battles",
            Self::Repetition => "repetition",
            Self::Options => "options",
            Self::End => "end",
        }
    }
}

/// A section of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is about.
    pub topic: Topic,
    /// Its heading.
    pub title: &'static str,
    /// Its paragraphs.
    pub paragraphs: Vec<String>,
}

/// Which rule sheet a ruleset follows, in a few words.
pub fn sheet(language: Language, ruleset: Ruleset) -> &'static str {
    let sheets = &prose(language).sheets;
    match ruleset {
        Ruleset::Original => sheets.original,
        Ruleset::Duel => sheets.duel,
        Ruleset::Classic => sheets.classic,
        Ruleset::OriginalForfeit => sheets.original_forfeit,
        Ruleset::Barrage => sheets.barrage,
    }
}

/// The rules of a ruleset, with its default options.
pub fn text(language: Language, ruleset: Ruleset) -> Vec<Section> {
    let prose = prose(language);
    let section = |topic| {
        let (title, paragraphs) = match topic {
            Topic::Aim => (prose.titles.aim, prose.aim.to_vec()),
            Topic::Board => (prose.titles.board, prose.board.to_vec()),
            Topic::Setup => (prose.titles.setup, prose.setup.paragraphs(ruleset)),
            Topic::Moving => (prose.titles.moving, prose.moving.to_vec()),
            Topic::Battles => (prose.titles.battles, prose.battles.to_vec()),
            Topic::Repetition => (
                prose.titles.repetition,
                prose.repetition.paragraphs(ruleset.default_options()),
            ),
            Topic::Options => (prose.titles.options, prose.options.to_vec()),
            Topic::End => (prose.titles.end, prose.end.to_vec()),
        };
        Section {
            topic,
            title,
            paragraphs: filled(language, ruleset, &paragraphs),
        }
    };
    Topic::ALL.into_iter().map(section).collect()
}

/// The rules on repeated moves of a ruleset, with its default options: the paragraphs of that section.
pub fn repetition(language: Language, ruleset: Ruleset) -> Vec<String> {
    let paragraphs = prose(language)
        .repetition
        .paragraphs(ruleset.default_options());
    filled(language, ruleset, &paragraphs)
}

/// Advice on arranging the army of a ruleset.
pub fn advice(language: Language, ruleset: Ruleset) -> &'static [&'static str] {
    let advice = &prose(language).advice;
    if ruleset.army_size() > HOME_SQUARES / 2 {
        advice.full
    } else {
        advice.small
    }
}

/// English where a language has rank names alone.
fn prose(language: Language) -> &'static Prose {
    match language {
        Language::English | Language::German | Language::Dutch => &en::PROSE,
        Language::French => &fr::PROSE,
        Language::Spanish => &es::PROSE,
        Language::Greek => &el::PROSE,
        Language::Romanian => &ro::PROSE,
    }
}

impl SetUp {
    fn paragraphs(&self, ruleset: Ruleset) -> Vec<&'static str> {
        let placed = match HOME_SQUARES - ruleset.army_size() {
            0 => self.full,
            1 => self.one_empty,
            _ => self.many_empty,
        };
        vec![self.army, placed, self.ready]
    }
}

impl Repetition {
    fn paragraphs(&self, options: Options) -> Vec<&'static str> {
        let breach = match options.two_squares {
            TwoSquares::Illegal => self.illegal,
            TwoSquares::ForfeitTurn => self.forfeit_turn,
        };
        let chase = if options.more_squares {
            self.more_squares
        } else {
            self.no_more_squares
        };
        vec![self.two_squares, breach, chase]
    }
}

fn filled(language: Language, ruleset: Ruleset, paragraphs: &[&str]) -> Vec<String> {
    let army_size = ruleset.army_size();
    let values = [
        ("{army}", army(language, ruleset)),
        ("{army_size}", army_size.to_string()),
        ("{empty}", (HOME_SQUARES - army_size).to_string()),
        ("{order}", order(language, ruleset)),
        (
            "{limit}",
            ruleset.default_options().two_squares_limit.to_string(),
        ),
        (
            "{min_plies}",
            Options::NO_PROGRESS_PLIES.start().to_string(),
        ),
        ("{max_plies}", Options::NO_PROGRESS_PLIES.end().to_string()),
    ];
    let fill = |paragraph: &&str| {
        values
            .iter()
            .fold((*paragraph).to_owned(), |text, (name, value)| {
                text.replace(name, value)
            })
    };
    paragraphs.iter().map(fill).collect()
}

/// Every rank of the army with its number, highest first: `Marshal × 1, General × 1, …`.
fn army(language: Language, ruleset: Ruleset) -> String {
    let ranks = ranks_of(ruleset).map(|(rank, count)| {
        let name = rank_name(language_of_text(language), rank);
        format!("{name} × {count}")
    });
    ranks.collect::<Vec<_>>().join(", ")
}

/// Every movable rank of the army with what it counts in battle, highest first: `Marshal (10), …`.
fn order(language: Language, ruleset: Ruleset) -> String {
    let movable = ranks_of(ruleset)
        .filter(|(rank, _)| rank.is_movable())
        .map(|(rank, _)| {
            let name = rank_name(language_of_text(language), rank);
            format!("{name} ({})", strength(rank))
        });
    movable.collect::<Vec<_>>().join(", ")
}

fn ranks_of(ruleset: Ruleset) -> impl Iterator<Item = (Rank, u8)> {
    let army = ruleset.army();
    let ranks = Rank::ALL
        .into_iter()
        .rev()
        .map(move |rank| (rank, army[rank]));
    ranks.filter(|(_, count)| *count > 0)
}

/// The number that the sheets print on a movable piece: 1 for the spy to 10 for the marshal.
fn strength(rank: Rank) -> usize {
    Rank::ALL
        .into_iter()
        .filter(|other| other.is_movable() && *other <= rank)
        .count()
}

fn language_of_text(language: Language) -> Language {
    if Language::WITH_TEXT.contains(&language) {
        language
    } else {
        Language::English
    }
}

#[cfg(test)]
mod tests;
