use crate::color::Color;
use crate::outcome::{EndReason, Outcome};

/// How a game ended, by the codes of the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ending {
    /// The kind of ending: 0 to 4 and 10 to 14; others are kept.
    pub code: u16,
    /// `None` for a draw, and for a code that names nobody.
    pub winner: Option<Color>,
}

impl Ending {
    /// As XML has it: winner 1 is Red, 2 Blue, 3 nobody.
    ///
    /// # Errors
    /// `None` for another winner.
    pub const fn of_xml(code: u16, winner: u16) -> Option<Self> {
        let winner = match winner {
            1 => Some(Color::Red),
            2 => Some(Color::Blue),
            3 => None,
            _ => return None,
        };
        Some(Self { code, winner })
    }

    /// As the text notation has it, one lower: winner 0 is Red, 1 Blue, 2 nobody.
    ///
    /// # Errors
    /// `None` for another winner.
    pub const fn of_gsn(code: u16, winner: u16) -> Option<Self> {
        if winner > 2 {
            return None;
        }
        Self::of_xml(code, winner + 1)
    }

    /// The winner as XML has it.
    pub const fn xml_winner(self) -> u16 {
        match self.winner {
            Some(Color::Red) => 1,
            Some(Color::Blue) => 2,
            None => 3,
        }
    }

    /// The code that says most of a result. What the archive has no code for gets the nearest one: a draw by
    /// `no_progress` is one that was agreed on, and a game that was called off, or ended in another way, one
    /// at which somebody was missing.
    pub const fn of_outcome(outcome: Outcome) -> Self {
        let winner = outcome.winner;
        let code = match (outcome.reason, winner) {
            (EndReason::NoMobilePieces | EndReason::NoLegalMove, _) => 0,
            (EndReason::FlagCaptured, _) => 1,
            (EndReason::BothImmobile, _) => 2,
            (EndReason::Resignation, _) => 3,
            (EndReason::DrawAgreed | EndReason::NoProgress, _) => 4,
            (EndReason::Timeout, _) => 11,
            (EndReason::SetupTimeout | EndReason::Aborted, _) | (EndReason::Other, None) => 10,
            (EndReason::Other, Some(_)) => 14,
        };
        Self { code, winner }
    }

    /// The result as this project has it. That a side cannot move has two reasons, of which the board at the
    /// end tells which it is: `on_the_board`, where the rules say that the game is over.
    pub fn outcome(self, on_the_board: Option<EndReason>) -> Outcome {
        let reason = match self.code {
            0 => on_the_board
                .filter(|reason| {
                    matches!(reason, EndReason::NoMobilePieces | EndReason::NoLegalMove)
                })
                .unwrap_or(EndReason::NoLegalMove),
            1 => EndReason::FlagCaptured,
            2 => EndReason::BothImmobile,
            3 => EndReason::Resignation,
            4 => EndReason::DrawAgreed,
            11 | 13 => EndReason::Timeout,
            _ => EndReason::Other,
        };
        Outcome {
            winner: self.winner,
            reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G05: the codes of the two notations name the same winner.
    #[test]
    fn winners_are_never_off_by_one() {
        for (xml, gsn, winner) in [
            (1, 0, Some(Color::Red)),
            (2, 1, Some(Color::Blue)),
            (3, 2, None),
        ] {
            let ending = Ending { code: 3, winner };
            assert_eq!(Ending::of_xml(3, xml), Some(ending));
            assert_eq!(Ending::of_gsn(3, gsn), Some(ending));
        }
        assert_eq!(Ending::of_xml(3, 0), None);
        assert_eq!(Ending::of_xml(3, 4), None);
        assert_eq!(Ending::of_gsn(3, 3), None);
    }

    #[test]
    fn each_code_has_its_reason() {
        for (code, reason) in [
            (0, EndReason::NoLegalMove),
            (1, EndReason::FlagCaptured),
            (2, EndReason::BothImmobile),
            (3, EndReason::Resignation),
            (4, EndReason::DrawAgreed),
            (7, EndReason::Other),
            (10, EndReason::Other),
            (11, EndReason::Timeout),
            (12, EndReason::Other),
            (13, EndReason::Timeout),
            (14, EndReason::Other),
        ] {
            let ending = Ending { code, winner: None };
            assert_eq!(ending.outcome(None).reason, reason, "{code}");
        }
        let ending = Ending {
            code: 0,
            winner: Some(Color::Blue),
        };
        let on_the_board = Some(EndReason::NoMobilePieces);
        let outcome = Outcome::win(Color::Blue, EndReason::NoMobilePieces);
        assert_eq!(ending.outcome(on_the_board), outcome);
    }

    /// What has a code of its own comes back as it was.
    #[test]
    fn a_result_reads_back_from_its_code() {
        for reason in EndReason::ALL {
            let ending = Ending::of_outcome(Outcome::no_winner(reason));
            let again = match reason {
                EndReason::NoProgress => EndReason::DrawAgreed,
                EndReason::SetupTimeout | EndReason::Aborted => EndReason::Other,
                reason => reason,
            };
            assert_eq!(ending.outcome(Some(reason)).reason, again);
        }
        for winner in [None, Some(Color::Red), Some(Color::Blue)] {
            let ending = Ending { code: 3, winner };
            assert_eq!(Ending::of_xml(3, ending.xml_winner()), Some(ending));
        }
    }
}
