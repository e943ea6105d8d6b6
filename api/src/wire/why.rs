//! Why a viewpoint knows what it knows of a piece.

use domain::{Evidence, Observation, PieceId, RankSet, View};
use serde::Serialize;
use utoipa::ToSchema;

use super::names::{Color, Piece, PieceName, RankChar, Viewpoint, rank_chars};

/// What proves what is known of a piece.
#[derive(Debug, Serialize, ToSchema)]
pub struct WhyResponse {
    /// The piece.
    pub piece_id: PieceName,
    /// Whose it is.
    pub owner: Color,
    /// Whose eyes it is seen with.
    pub viewpoint: Viewpoint,
    /// The number of moves after which this was known.
    pub ply: u32,
    /// Its rank, or `?`.
    pub piece: Piece,
    /// The observations, in order; each left fewer ranks than the one before.
    pub observations: Vec<ObservationResponse>,
}

/// Something that was seen of a piece.
#[derive(Debug, Serialize, ToSchema)]
pub struct ObservationResponse {
    /// The number of moves after which it was seen.
    pub ply: u32,
    /// What was seen: `own`, `army`, `moved`, `scout_move`, `attacked`, `was_attacked`, `withstood`,
    /// `fell_to`, `rescuer`, `rescued`, `returned`, `elimination` or `game_over`.
    pub kind: &'static str,
    /// The same in words.
    pub text: String,
    /// What the piece could still be then.
    pub leaves: Vec<RankChar>,
}

impl WhyResponse {
    /// What a view knew of a piece after `ply` moves; `None` if there was no such piece then.
    pub fn of(view: &View<'_>, piece: PieceId, ply: u32) -> Option<Self> {
        let observations = view.why(&view.chronicle(), piece, ply)?;
        Some(Self {
            piece_id: PieceName(piece),
            owner: piece.owner().into(),
            viewpoint: view.viewpoint().into(),
            ply,
            piece: Piece(view.rank_of(piece, ply)),
            observations: observations.into_iter().map(Into::into).collect(),
        })
    }
}

impl From<Observation> for ObservationResponse {
    fn from(seen: Observation) -> Self {
        Self {
            ply: seen.ply,
            kind: seen.evidence.name(),
            text: in_words(seen.evidence),
            leaves: rank_chars(seen.leaves),
        }
    }
}

/// An observation as a sentence.
pub fn in_words(evidence: Evidence) -> String {
    match evidence {
        Evidence::Own => "It is the viewer's own.".to_owned(),
        Evidence::Army => "These are the ranks of the army.".to_owned(),
        Evidence::Moved => "It moved: it is neither a bomb nor the flag.".to_owned(),
        Evidence::ScoutMove => "It moved more than one square: it is a scout.".to_owned(),
        Evidence::Attacked => "It attacked and declared its rank.".to_owned(),
        Evidence::WasAttacked => {
            "It was attacked, and its rank was declared or was the attacker's own.".to_owned()
        }
        Evidence::Withstood(attacker) => format!("It stayed when a {attacker} attacked it."),
        Evidence::FellTo(attacker) => format!("A {attacker} removed it."),
        Evidence::Rescuer => "It rescued a piece, which a scout cannot.".to_owned(),
        Evidence::Rescued => "It was rescued in open play, known to both.".to_owned(),
        Evidence::Returned => {
            "It was rescued unseen: any piece that its owner had lost, but for bombs.".to_owned()
        }
        Evidence::Elimination(ranks) => {
            format!("Other pieces account for every {}.", list(ranks))
        }
        Evidence::GameOver => "The game ended, and all was disclosed.".to_owned(),
    }
}

fn list(ranks: RankSet) -> String {
    let names: Vec<&str> = ranks.iter().map(domain::Rank::name).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use domain::Rank;

    use super::*;

    #[test]
    fn evidence_reads_as_a_sentence() {
        let ranks = [Rank::Bomb, Rank::Scout, Rank::Marshal];
        for (evidence, text) in [
            (
                Evidence::Elimination(ranks.into_iter().collect()),
                "Other pieces account for every bomb, scout and marshal.",
            ),
            (
                Evidence::Elimination(RankSet::of(Rank::Spy)),
                "Other pieces account for every spy.",
            ),
            (
                Evidence::Withstood(Rank::Major),
                "It stayed when a major attacked it.",
            ),
            (
                Evidence::Returned,
                "It was rescued unseen: any piece that its owner had lost, but for bombs.",
            ),
        ] {
            assert_eq!(in_words(evidence), text);
        }
    }
}
