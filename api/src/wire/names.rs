//! Names on the wire that stand for values of the domain: enums, squares, pieces.

use std::sync::{LazyLock, OnceLock};

use domain::{PieceId, Rank, RankSet, Square};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::value::RawValue;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::object::word;

/// An enum of the wire for an enum of the domain: the same variants, read and written by the name
/// that the domain gives them, checked against each other by the compiler.
macro_rules! mirror {
    ($(#[$doc:meta])* $name:ident of $original:ty { $($variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        #[expect(missing_docs, reason = "the variants are the domain's, documented there")]
        pub enum $name { $($variant),* }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(Deserialize)]
                #[serde(rename_all = "snake_case")]
                enum Name { $($variant),* }

                match word(deserializer)? { $(Name::$variant => Ok(Self::$variant)),* }
            }
        }

        impl From<$original> for $name {
            fn from(value: $original) -> Self {
                match value { $(<$original>::$variant => Self::$variant),* }
            }
        }

        impl From<$name> for $original {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => Self::$variant),* }
            }
        }
    };
}

mirror! {
    /// One of the two sides; Red moves first.
    Color of domain::Color { Red, Blue }
}
mirror! {
    /// A rule sheet.
    Ruleset of domain::Ruleset { Original, Duel, Classic, OriginalForfeit, Barrage }
}
mirror! {
    /// What a breach of the two squares rule does.
    TwoSquares of domain::TwoSquares { Illegal, ForfeitTurn }
}
mirror! {
    /// How far a game is.
    Status of domain::Status { Setup, Active, Finished, Aborted }
}
mirror! {
    /// Why a game ended.
    EndReason of domain::EndReason {
        FlagCaptured, NoMobilePieces, NoLegalMove, Resignation, Timeout, SetupTimeout, DrawAgreed,
        BothImmobile, NoProgress, Aborted, Other,
    }
}
mirror! {
    /// Whose eyes a game is seen with.
    Viewpoint of domain::Viewpoint { Red, Blue, Public, Omniscient }
}
mirror! {
    /// How an attack ended.
    BattleOutcome of domain::BattleOutcome {
        AttackerWins, DefenderWins, BothRemoved, FlagCaptured,
    }
}
mirror! {
    /// How a piece became known to the other side.
    Cause of domain::Cause { Attacked, WasAttacked, ScoutMove, Deduced, Rescue, GameOver }
}

mirror! {
    /// One of the tables that games are exported as.
    Table of crate::tables::Table { Games, Plies, Pieces, Battles, Reveals }
}

/// Who learnt a disclosed rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RevealedTo {
    /// Red learnt of a piece of Blue's.
    Red,
    /// Blue learnt of a piece of Red's.
    Blue,
    /// Everyone, with the end of the game.
    Both,
}

impl From<domain::RevealedTo> for RevealedTo {
    fn from(to: domain::RevealedTo) -> Self {
        match to {
            domain::RevealedTo::Side(domain::Color::Red) => Self::Red,
            domain::RevealedTo::Side(domain::Color::Blue) => Self::Blue,
            domain::RevealedTo::Both => Self::Both,
        }
    }
}

/// A rank as one character, `?` when it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece(pub Option<Rank>);

impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.0.map_or('?', Rank::to_char))
    }
}

impl PartialSchema for Piece {
    fn schema() -> RefOr<Schema> {
        let ranks = Rank::ALL.iter().map(|rank| rank.to_char().to_string());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(ranks.chain(["?".to_owned()]).collect::<Vec<_>>()))
            .description(Some("A rank; `?` when the viewer does not know it."))
            .into()
    }
}

impl ToSchema for Piece {}

/// A rank as one character, always known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankChar(pub Rank);

/// The ranks of a set, in the order of the army table: a list of [`RankChar`] that is written out once,
/// for a game shows forty of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankList(pub RankSet);

impl Serialize for RankList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        static LISTS: LazyLock<Vec<OnceLock<Box<RawValue>>>> =
            LazyLock::new(|| vec![OnceLock::new(); usize::from(RankSet::ALL.bits()) + 1]);
        let list = &LISTS[usize::from(self.0.bits())];
        if let Some(written) = list.get() {
            return written.serialize(serializer);
        }
        let written = serde_json::value::to_raw_value(&rank_chars(self.0));
        let written = written.map_err(serde::ser::Error::custom)?;
        list.get_or_init(|| written).serialize(serializer)
    }
}

/// The ranks of a set, in the order of the army table.
pub fn rank_chars(ranks: RankSet) -> Vec<RankChar> {
    ranks.iter().map(RankChar).collect()
}

impl Serialize for RankChar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.0.to_char())
    }
}

impl<'de> Deserialize<'de> for RankChar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mut chars = text.chars();
        match (chars.next().and_then(Rank::from_char), chars.next()) {
            (Some(rank), None) => Ok(Self(rank)),
            _ => Err(de::Error::custom(
                "expected a rank: one of F B S 2 3 4 5 6 7 8 9 M",
            )),
        }
    }
}

impl PartialSchema for RankChar {
    fn schema() -> RefOr<Schema> {
        let ranks = Rank::ALL.iter().map(|rank| rank.to_char().to_string());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(ranks.collect::<Vec<_>>()))
            .description(Some("A rank."))
            .into()
    }
}

impl ToSchema for RankChar {}

/// A square, `a1` to `j10`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SquareName(pub Square);

impl Serialize for SquareName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
            (0..100)
                .filter_map(Square::new)
                .map(|it| it.to_string())
                .collect()
        });
        serializer.serialize_str(&NAMES[usize::from(self.0.index())])
    }
}

impl PartialSchema for SquareName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^[a-j]([1-9]|10)$"))
            .description(Some("A square; the same for every viewer."))
            .examples(["e4"])
            .into()
    }
}

impl ToSchema for SquareName {}

/// A piece's identity: its owner and home square, or which rescue it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceName(pub PieceId);

impl Serialize for PieceName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        static NAMES: LazyLock<Vec<String>> =
            LazyLock::new(|| PieceId::all().map(|piece| piece.to_string()).collect());
        serializer.serialize_str(&NAMES[self.0.index()])
    }
}

impl PartialSchema for PieceName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^(red|blue):([a-j]([1-9]|10)|rescue[12])$"))
            .description(Some(
                "The owner and the square it was deployed on, or `rescue1`, `rescue2`.",
            ))
            .examples(["blue:j7"])
            .into()
    }
}

impl ToSchema for PieceName {}

#[cfg(test)]
mod tests {
    use super::*;

    fn name<T: Serialize>(value: &T) -> String {
        match serde_json::to_value(value).expect("a name") {
            serde_json::Value::String(name) => name,
            other => panic!("{other} is no name"),
        }
    }

    #[test]
    fn wire_names_are_the_domains_own() {
        for ruleset in domain::Ruleset::ALL {
            assert_eq!(name(&Ruleset::from(ruleset)), ruleset.id());
        }
        for reason in domain::EndReason::ALL {
            assert_eq!(name(&EndReason::from(reason)), reason.name());
        }
        for status in domain::Status::ALL {
            assert_eq!(name(&Status::from(status)), status.name());
        }
        for viewpoint in domain::Viewpoint::ALL {
            assert_eq!(name(&Viewpoint::from(viewpoint)), viewpoint.name());
        }
    }

    #[test]
    fn a_rank_is_one_character() {
        for rank in Rank::ALL {
            let text = name(&Piece(Some(rank)));
            assert_eq!(text, rank.to_char().to_string());
            let read: RankChar = serde_json::from_value(text.into()).expect("a rank");
            assert_eq!(read.0, rank);
        }
        assert_eq!(name(&Piece(None)), "?");
        for wrong in ["\"\"", "\"MM\"", "\"?\"", "\"m\"", "8"] {
            assert!(serde_json::from_str::<RankChar>(wrong).is_err(), "{wrong}");
        }
    }
}
