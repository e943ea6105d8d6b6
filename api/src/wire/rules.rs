//! Rulesets and the rules in words.

use domain::{Color, PieceId, Rank, Square};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::names::{Ruleset, SquareName, TwoSquares};
use super::terms::OptionsResponse;
use crate::rules::{self, Language};

/// All rulesets.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulesetsResponse {
    /// Each ruleset without its text.
    pub items: Vec<RulesetResponse>,
}

/// A ruleset in facts and names.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulesetResponse {
    /// Its identifier.
    pub ruleset: Ruleset,
    /// The rule sheet it follows.
    pub sheet: &'static str,
    /// How many pieces of each rank a side has; ranks that it has none of are left out.
    pub army: ArmyResponse,
    /// How many pieces a side has.
    #[schema(example = 40, minimum = 1, maximum = 40)]
    pub army_size: u8,
    /// The board.
    pub board: BoardResponse,
    /// The options that hold when a challenge names none.
    pub options: OptionsResponse,
    /// What the options may be; those not named are true or false.
    pub option_ranges: OptionRangesResponse,
    /// The names of all ranks.
    pub rank_names: RankNamesResponse,
    /// The language of the rank names.
    #[schema(example = "fr")]
    pub language: &'static str,
    /// The language of all other words: another one where there is no text in that of the names.
    #[schema(example = "fr")]
    pub text_language: &'static str,
}

/// A ruleset in facts, names and words.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulesResponse {
    /// The facts and names.
    #[serde(flatten)]
    pub facts: RulesetResponse,
    /// The rules on repeated moves in words, as the ruleset's own options have them.
    pub repetition: Vec<String>,
    /// The rules in words, as the ruleset's own options have them.
    pub text: Vec<SectionResponse>,
    /// Advice on arranging the army.
    pub advice: &'static [&'static str],
}

/// A section of the rules.
#[derive(Debug, Serialize, ToSchema)]
pub struct SectionResponse {
    /// What it is about: `aim`, `board`, `setup`, `moving`, `battles`, `repetition`, `options`, `end`.
    #[schema(example = "battles")]
    pub topic: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// Its paragraphs.
    pub paragraphs: Vec<String>,
}

/// The board, the same in all rulesets.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoardResponse {
    /// How many rows there are; row 1 is Red's back row.
    #[schema(example = 10)]
    pub rows: u8,
    /// How many columns there are, `a` at Red's left.
    #[schema(example = 10)]
    pub columns: u8,
    /// The squares where no piece may stand.
    pub lakes: Vec<SquareName>,
    /// The rows where each side deploys.
    pub home_rows: HomeRowsResponse,
}

/// The rows where each side deploys.
#[derive(Debug, Serialize, ToSchema)]
pub struct HomeRowsResponse {
    /// Red's.
    #[schema(example = json!([1, 2, 3, 4]))]
    pub red: Vec<u8>,
    /// Blue's.
    #[schema(example = json!([7, 8, 9, 10]))]
    pub blue: Vec<u8>,
}

/// What the options of a game may be, beside those that are true or false.
#[derive(Debug, Serialize, ToSchema)]
pub struct OptionRangesResponse {
    /// What a breach of the two squares rule may do.
    pub two_squares: Vec<TwoSquares>,
    /// How many moves in a row may cross one border.
    pub two_squares_limit: RangeResponse,
    /// How many plies without an attack may be a draw, when it is not `null`.
    pub no_progress_plies: RangeResponse,
}

/// The least and the greatest that a number may be.
#[derive(Debug, Serialize, ToSchema)]
pub struct RangeResponse {
    /// The least.
    pub min: u16,
    /// The greatest.
    pub max: u16,
}

/// How many pieces of each rank an army has, by the rank's character.
#[derive(Debug)]
pub struct ArmyResponse(pub domain::Ruleset);

/// The name of each rank, by its character.
#[derive(Debug)]
pub struct RankNamesResponse(pub Language);

impl RulesResponse {
    /// A ruleset with names and words in the languages that suit a caller best.
    pub fn new(ruleset: domain::Ruleset, names: Language, text: Language) -> Self {
        Self {
            facts: RulesetResponse::new(ruleset, names, text),
            repetition: rules::repetition(text, ruleset),
            text: rules::text(text, ruleset)
                .into_iter()
                .map(Into::into)
                .collect(),
            advice: rules::advice(text, ruleset),
        }
    }
}

impl RulesetResponse {
    /// A ruleset with names and words in the languages that suit a caller best.
    pub fn new(ruleset: domain::Ruleset, names: Language, text: Language) -> Self {
        Self {
            ruleset: ruleset.into(),
            sheet: rules::sheet(text, ruleset),
            army: ArmyResponse(ruleset),
            army_size: ruleset.army_size(),
            board: BoardResponse::new(),
            options: ruleset.default_options().into(),
            option_ranges: OptionRangesResponse::new(),
            rank_names: RankNamesResponse(names),
            language: names.tag(),
            text_language: text.tag(),
        }
    }
}

impl From<rules::Section> for SectionResponse {
    fn from(section: rules::Section) -> Self {
        Self {
            topic: section.topic.name(),
            title: section.title,
            paragraphs: section.paragraphs,
        }
    }
}

impl BoardResponse {
    fn new() -> Self {
        let last = |index: fn(Square) -> u8| Square::all().map(index).max().map_or(0, |n| n + 1);
        Self {
            rows: last(|square| square.row().index()),
            columns: last(|square| square.column().index()),
            lakes: Square::all()
                .filter(|square| square.is_lake())
                .map(SquareName)
                .collect(),
            home_rows: HomeRowsResponse {
                red: home_rows(Color::Red),
                blue: home_rows(Color::Blue),
            },
        }
    }
}

fn home_rows(side: Color) -> Vec<u8> {
    let is_home =
        |square: &Square| PieceId::deployed_on(*square).is_some_and(|piece| piece.owner() == side);
    let mut rows: Vec<u8> = Square::all()
        .filter(is_home)
        .map(|square| square.row().index() + 1)
        .collect();
    rows.dedup();
    rows
}

impl OptionRangesResponse {
    fn new() -> Self {
        let (limit, plies) = (
            domain::Options::TWO_SQUARES_LIMIT,
            domain::Options::NO_PROGRESS_PLIES,
        );
        Self {
            two_squares: vec![TwoSquares::Illegal, TwoSquares::ForfeitTurn],
            two_squares_limit: RangeResponse {
                min: u16::from(*limit.start()),
                max: u16::from(*limit.end()),
            },
            no_progress_plies: RangeResponse {
                min: *plies.start(),
                max: *plies.end(),
            },
        }
    }
}

impl Serialize for ArmyResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let army = self.0.army();
        let mut map = serializer.serialize_map(None)?;
        for (rank, count) in army.iter().filter(|(_, count)| **count > 0) {
            map.serialize_entry(&rank.to_char(), count)?;
        }
        map.end()
    }
}

impl Serialize for RankNamesResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Rank::ALL.len()))?;
        for rank in Rank::ALL {
            map.serialize_entry(&rank.to_char(), rules::rank_name(self.0, rank))?;
        }
        map.end()
    }
}

impl PartialSchema for ArmyResponse {
    fn schema() -> RefOr<Schema> {
        let count = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(1))
            .build();
        let ranks = Rank::ALL
            .into_iter()
            .fold(ObjectBuilder::new(), |object, rank| {
                object.property(rank.to_char().to_string(), count.clone())
            });
        ranks
            .description(Some(
                "How many pieces of each rank a side has, by the rank's character.",
            ))
            .into()
    }
}

impl ToSchema for ArmyResponse {}

impl PartialSchema for RankNamesResponse {
    fn schema() -> RefOr<Schema> {
        let name = ObjectBuilder::new().schema_type(Type::String).build();
        let ranks = Rank::ALL
            .into_iter()
            .fold(ObjectBuilder::new(), |object, rank| {
                let key = rank.to_char().to_string();
                object.property(key.clone(), name.clone()).required(key)
            });
        ranks
            .description(Some("The name of each rank, by its character."))
            .into()
    }
}

impl ToSchema for RankNamesResponse {}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn rules(ruleset: domain::Ruleset, names: Language, text: Language) -> Value {
        serde_json::to_value(RulesResponse::new(ruleset, names, text)).expect("rules")
    }

    #[test]
    fn the_facts_of_a_ruleset() {
        let duel = rules(domain::Ruleset::Duel, Language::Dutch, Language::English);
        assert_eq!(duel["ruleset"], "duel");
        assert_eq!(
            duel["army"],
            json!({"F": 1, "B": 2, "S": 1, "2": 2, "3": 2, "9": 1, "M": 1})
        );
        assert_eq!(duel["army_size"], 10);
        assert_eq!(
            duel["board"],
            json!({
                "rows": 10, "columns": 10,
                "lakes": ["c5", "d5", "g5", "h5", "c6", "d6", "g6", "h6"],
                "home_rows": {"red": [1, 2, 3, 4], "blue": [7, 8, 9, 10]},
            })
        );
        assert_eq!(duel["options"]["two_squares_limit"], 3);
        assert_eq!(
            duel["option_ranges"]["two_squares"],
            json!(["illegal", "forfeit_turn"])
        );
        assert_eq!(
            duel["option_ranges"]["no_progress_plies"],
            json!({"min": 50, "max": 1000})
        );
        assert_eq!(duel["rank_names"]["M"], "Maarschalk");
        assert_eq!(
            (&duel["language"], &duel["text_language"]),
            (&json!("nl"), &json!("en"))
        );
    }

    #[test]
    fn the_words_of_a_ruleset() {
        let greek = rules(
            domain::Ruleset::OriginalForfeit,
            Language::Greek,
            Language::Greek,
        );
        let topics: Vec<_> = greek["text"]
            .as_array()
            .expect("sections")
            .iter()
            .map(|section| &section["topic"])
            .collect();
        let expected = [
            "aim",
            "board",
            "setup",
            "moving",
            "battles",
            "repetition",
            "options",
            "end",
        ];
        assert_eq!(topics, expected);
        assert_eq!(greek["text"][5]["paragraphs"], greek["repetition"]);
        assert!(greek["advice"].as_array().expect("advice").len() >= 5);
    }
}
