//! How a recorded game ended.

use domain::gravon::Ending;
use domain::{Color, EndReason, Outcome, RecordEnd};

use super::rejection::{Code, Fault};

/// A result in words, and where they stand.
pub(super) struct Written<'a> {
    /// What the winner and the reason are called.
    pub(super) keys: [&'static str; 2],
    /// What stands for nobody.
    pub(super) nobody: &'static str,
    /// Who won, unless nobody did.
    pub(super) winner: Option<&'a str>,
    /// Why.
    pub(super) reason: &'a str,
    /// The code that an archive gives it.
    pub(super) code: Option<u16>,
}

impl Written<'_> {
    /// Reads it; the code of an archive says as much as the reason, and must say the same.
    pub(super) fn read(&self) -> Result<RecordEnd, Fault> {
        let bad = |key, what: &str, came| Fault::expected(Code::BadResult, key, what, came);
        let [winner_key, reason_key] = self.keys;
        let winner = self.winner.map(|name| {
            let what = format!("red, blue or {}", self.nobody);
            let winner = name.parse::<Color>();
            winner.map_err(|_| bad(winner_key, &what, name))
        });
        let winner = winner.transpose()?;
        let Some(reason) = EndReason::from_name(self.reason) else {
            let names: Vec<&str> = EndReason::ALL.iter().map(|reason| reason.name()).collect();
            return Err(bad(reason_key, &names.join(", "), self.reason));
        };
        let Some(code) = self.code else {
            return Ok(RecordEnd::Outcome(Outcome { winner, reason }));
        };
        let ending = Ending { code, winner };
        if ending.outcome(Some(reason)).reason == reason {
            return Ok(RecordEnd::Gravon(ending));
        }
        let said = ending.outcome(None).reason.name();
        let detail = format!(
            "expected the reason `{said}` of the ending {code}, got `{}`",
            reason.name()
        );
        Err(Fault::new(Code::BadResult, detail))
    }
}

/// Refuses a result of which the reason excludes the winner, or that there is none, and one of a game that
/// was not played.
pub(super) fn check(end: RecordEnd) -> Result<(), Fault> {
    let outcome = match end {
        RecordEnd::Outcome(outcome) => outcome,
        RecordEnd::Gravon(ending) => ending.outcome(None),
    };
    let is_named = matches!(end, RecordEnd::Outcome(_));
    let expected = match (outcome.reason, outcome.winner) {
        (EndReason::Aborted | EndReason::SetupTimeout, _) => "a game that was played",
        // An archive has clocks of its own, by which nobody may have won.
        (EndReason::Timeout, None) if is_named => "a winner",
        (
            EndReason::FlagCaptured
            | EndReason::NoMobilePieces
            | EndReason::NoLegalMove
            | EndReason::Resignation,
            None,
        ) => "a winner",
        (EndReason::DrawAgreed | EndReason::BothImmobile | EndReason::NoProgress, Some(_)) => {
            "no winner"
        }
        _ => return Ok(()),
    };
    let reason = outcome.reason.name();
    let detail = format!("expected {expected}, and the reason is `{reason}`");
    Err(Fault::new(Code::BadResult, detail))
}
