use super::{Counts, Facts, Section};
use crate::color::Color;
use crate::game::Game;
use crate::outcome::EndReason;

/// Kinds: a reason and who won.
const WINNERS: usize = 3;

/// How games ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Results {
    /// All of them.
    pub games: u64,
    /// Won by Red.
    pub red_wins: u64,
    /// Won by Blue.
    pub blue_wins: u64,
    /// Won by nobody.
    pub draws: u64,
}

pub(super) fn count(game: &Game, counts: &mut Counts) {
    if let Some(outcome) = game.outcome() {
        counts.add(key(outcome.reason, outcome.winner), 1);
    }
}

const fn key(reason: EndReason, winner: Option<Color>) -> usize {
    let winner = match winner {
        Some(Color::Red) => 0,
        Some(Color::Blue) => 1,
        None => 2,
    };
    reason as usize * WINNERS + winner
}

impl Facts {
    /// How the games ended that ended for a reason.
    pub fn results_by(&self, reason: EndReason) -> Results {
        let counts = self.section(Section::Results);
        let number = |winner| counts.number(key(reason, winner));
        let (red_wins, blue_wins) = (number(Some(Color::Red)), number(Some(Color::Blue)));
        let draws = number(None);
        Results {
            games: red_wins + blue_wins + draws,
            red_wins,
            blue_wins,
            draws,
        }
    }

    /// How all games ended.
    pub fn results(&self) -> Results {
        let mut all = Results::default();
        for reason in EndReason::ALL {
            let these = self.results_by(reason);
            all.games += these.games;
            all.red_wins += these.red_wins;
            all.blue_wins += these.blue_wins;
            all.draws += these.draws;
        }
        all
    }
}
