//! What a finished game adds to statistics (`graphql.md`, Meaning): counts, and nothing but counts, so
//! that those of many games are those of each added up.

mod battles;
mod bluffs;
mod counts;
mod deployment;
mod information;
mod lengths;
mod openings;
mod results;
mod reveals;
mod spread;
mod survival;

use std::time::Duration;

pub use battles::{BattleCell, Exchange};
pub use bluffs::Bluffs;
pub use counts::Counts;
pub use deployment::{Placed, armies};
pub use information::MeanInformation;
pub use openings::Opening;
pub use results::Results;
pub use reveals::RevealCounts;
pub use spread::{Bucket, Histogram, Interval, Spread, histogram, rate, spread, wilson};
pub use survival::Alive;

use crate::game::{Entry, Game, Status};
use crate::view::View;

/// A part of the statistics, which is kept and read apart from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Section {
    /// Who won, and why.
    Results,
    /// How many plies the games had.
    Lengths,
    /// Which rank attacked which, and what came of it.
    Battles,
    /// When and how ranks became known.
    Reveals,
    /// When pieces were removed.
    Survival,
    /// Where the ranks stood at the start.
    Deployment,
    /// Red's first moves.
    Openings,
    /// What winners and losers kept hidden, ply by ply.
    Information,
    /// Bluffs, disguises and mimicry.
    Bluffs,
}

impl Section {
    /// How many there are.
    pub const COUNT: usize = 9;

    /// Every one.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Results,
        Self::Lengths,
        Self::Battles,
        Self::Reveals,
        Self::Survival,
        Self::Deployment,
        Self::Openings,
        Self::Information,
        Self::Bluffs,
    ];

    /// The `snake_case` name in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Results => "results",
            Self::Lengths => "lengths",
            Self::Battles => "battles",
            Self::Reveals => "reveals",
            Self::Survival => "survival",
            Self::Deployment => "deployment",
            Self::Openings => "openings",
            Self::Information => "information",
            Self::Bluffs => "bluffs",
        }
    }
}

/// The counts of one game, or of many.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts([Counts; Section::COUNT]);

impl Facts {
    /// Those of a finished game; `None` of one that runs, or that was aborted.
    pub fn of(game: &Game) -> Option<Self> {
        if game.status() != Status::Finished {
            return None;
        }
        let view = game.view_for(None);
        let mut facts = Self::default();
        for section in Section::ALL {
            let counts = facts.section_mut(section);
            match section {
                Section::Results => results::count(game, counts),
                Section::Lengths => lengths::count(game, counts),
                Section::Battles => battles::count(game, counts),
                Section::Survival => survival::count(game, counts),
                Section::Openings => openings::count(game, counts),
                Section::Bluffs => bluffs::count(game, counts),
                // Those come below: two of one timeline.
                Section::Reveals | Section::Information | Section::Deployment => {}
            }
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        facts.add_armies(&armies(game), winner, 1);
        facts.count_timeline(&view);
        Some(facts)
    }

    fn count_timeline(&mut self, view: &View<'_>) {
        let timeline = view.timeline();
        let game = view.game();
        reveals::count(game, &timeline, self.section_mut(Section::Reveals));
        information::count(game, &timeline, self.section_mut(Section::Information));
    }

    /// The counts of a section.
    pub const fn section(&self, section: Section) -> &Counts {
        &self.0[section as usize]
    }

    /// The counts of a section, to add to.
    pub const fn section_mut(&mut self, section: Section) -> &mut Counts {
        &mut self.0[section as usize]
    }
}

impl Game {
    /// How long the sides thought over each move of which that was recorded, in the order of moves; `None`
    /// where it was of none.
    pub fn think_times(&self) -> Option<Vec<Duration>> {
        let times = (0..).zip(self.log.iter());
        let times = times.filter_map(|(ply, entry)| self.known_think_time(ply, entry));
        (!self.unknown.moves).then(|| times.collect())
    }

    /// How long its side thought over the move of a ply, where that was recorded: who does not know when a
    /// game began does not know what its first move took.
    pub(crate) fn known_think_time(&self, ply: u32, entry: &Entry) -> Option<Duration> {
        let begins_unknown = ply == 0 && self.unknown.start;
        (!self.unknown.moves && !begins_unknown).then_some(entry.think_time)
    }
}
