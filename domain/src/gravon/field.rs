use crate::color::{ByColor, Color};
use crate::rank::Rank;
use crate::ruleset::Ruleset;
use crate::setup::{Setup, SetupErrors};
use crate::square::Square;

/// The ranks in the order of the letters: `B` to `M` of Red, `N` to `Y` of Blue.
const RANKS: [Rank; 12] = [
    Rank::Bomb,
    Rank::Spy,
    Rank::Scout,
    Rank::Miner,
    Rank::Sergeant,
    Rank::Lieutenant,
    Rank::Captain,
    Rank::Major,
    Rank::Colonel,
    Rank::General,
    Rank::Marshal,
    Rank::Flag,
];

/// Why a field cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldFault {
    /// Not a letter for each square.
    #[error("expected a field of 100 letters, got {found}")]
    Length {
        /// How many came.
        found: usize,
    },
    /// A letter that stands for nothing, or not on this square.
    #[error("expected {expected} on {square}, got `{found}`")]
    Letter {
        /// Where.
        square: Square,
        /// What may stand there.
        expected: &'static str,
        /// What came.
        found: char,
    },
    /// An army that is not the one of the rule sheet.
    #[error("the army of {}: {errors}", side.name())]
    Army {
        /// Whose.
        side: Color,
        /// What is wrong with it.
        errors: SetupErrors,
    },
}

/// Reads both armies from the hundred letters of a field, row by row from Red's back row.
///
/// # Errors
/// The first fault.
pub fn read_field(ruleset: Ruleset, field: &str) -> Result<ByColor<Setup>, FieldFault> {
    let found = field.chars().count();
    if found != Square::COUNT {
        return Err(FieldFault::Length { found });
    }
    let mut pieces = Vec::new();
    for (square, letter) in Square::all().zip(field.chars()) {
        if let Some(rank) = piece_on(square, letter)? {
            pieces.push((square, Some(rank)));
        }
    }
    let army = |side: Color| {
        let own = pieces
            .iter()
            .copied()
            .filter(|(square, _)| home_of(*square) == Some(side));
        let text = Setup::text(side, own);
        Setup::parse(ruleset, &text).map_err(|errors| FieldFault::Army { side, errors })
    };
    Ok(ByColor {
        red: army(Color::Red)?,
        blue: army(Color::Blue)?,
    })
}

/// The hundred letters of a field with both armies.
pub fn write_field(setups: &ByColor<Setup>) -> String {
    let mut letters: [char; Square::COUNT] = std::array::from_fn(|_| 'A');
    for square in Square::all().filter(|square| square.is_lake()) {
        letters[usize::from(square.index())] = '_';
    }
    for (side, first) in [(Color::Red, b'B'), (Color::Blue, b'N')] {
        for (square, rank) in setups[side].pieces(side) {
            let letter = (first..).zip(RANKS).find(|(_, other)| *other == rank);
            if let Some((letter, _)) = letter {
                letters[usize::from(square.index())] = char::from(letter);
            }
        }
    }
    letters.iter().collect()
}

/// Who deploys on a square.
fn home_of(square: Square) -> Option<Color> {
    match square.row().index() {
        0..4 => Some(Color::Red),
        6.. => Some(Color::Blue),
        _ => None,
    }
}

/// What a letter says of a square: a piece that belongs there, or nothing.
fn piece_on(square: Square, letter: char) -> Result<Option<Rank>, FieldFault> {
    let fault = |expected| FieldFault::Letter {
        square,
        expected,
        found: letter,
    };
    let rank = |first: u8| {
        let place = u8::try_from(letter).ok()?.checked_sub(first)?;
        RANKS.get(usize::from(place)).copied()
    };
    if square.is_lake() {
        return if letter == '_' {
            Ok(None)
        } else {
            Err(fault("a lake (`_`)"))
        };
    }
    if letter == 'A' {
        return Ok(None);
    }
    let (expected, of_side) = match home_of(square) {
        Some(Color::Red) => ("`A` or a piece of Red (`B` to `M`)", rank(b'B')),
        Some(Color::Blue) => ("`A` or a piece of Blue (`N` to `Y`)", rank(b'N')),
        None => ("nothing (`A`)", None),
    };
    of_side.map(Some).ok_or_else(|| fault(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of barrage: the letters of each rank at least once.
    const BARRAGE: &str = "MBAAAAAAAKLAAACAAAAAEAADADAAAAAAAAAAAAAAAA__AA__AAAA__AA__AAAAWAAAAAAQAAAAAXAAAAAAAPAAAPANAAAAAAAAOY";

    #[test]
    fn both_armies_are_read_from_their_own_side() {
        let setups = read_field(Ruleset::Barrage, BARRAGE).unwrap();
        let at = |side: Color, name: &str| {
            let square: Square = name.parse().unwrap();
            let mut pieces = setups[side].pieces(side);
            pieces.find(|(on, _)| *on == square).map(|(_, rank)| rank)
        };
        assert_eq!(at(Color::Red, "a1"), Some(Rank::Flag));
        assert_eq!(at(Color::Red, "b1"), Some(Rank::Bomb));
        assert_eq!(at(Color::Red, "a2"), Some(Rank::Marshal));
        assert_eq!(at(Color::Red, "e2"), Some(Rank::Spy));
        assert_eq!(at(Color::Blue, "c7"), Some(Rank::General));
        assert_eq!(at(Color::Blue, "j10"), Some(Rank::Flag));
    }

    #[test]
    fn a_field_is_written_as_it_was_read() {
        let setups = read_field(Ruleset::Barrage, BARRAGE).unwrap();
        assert_eq!(write_field(&setups), BARRAGE);
    }

    #[test]
    fn what_does_not_stand_there_is_named() {
        let mut short = BARRAGE.to_owned();
        short.pop();
        let fault = read_field(Ruleset::Barrage, &short).unwrap_err();
        assert_eq!(fault, FieldFault::Length { found: 99 });
        let replaced = |place: usize, letter: &str| {
            let mut field = BARRAGE.to_owned();
            field.replace_range(place..=place, letter);
            read_field(Ruleset::Barrage, &field)
                .unwrap_err()
                .to_string()
        };
        // Red's piece on Blue's side, a lake that is none and one elsewhere, lower case, a piece between.
        assert!(replaced(99, "B").contains("`A` or a piece of Blue (`N` to `Y`) on j10, got `B`"));
        assert!(
            replaced(42, "A").contains("a lake (`_`) on c5"),
            "{}",
            replaced(42, "A")
        );
        assert!(replaced(0, "_").contains("on a1, got `_`"));
        assert!(replaced(1, "b").contains("on b1, got `b`"));
        assert!(replaced(40, "B").contains("nothing (`A`) on a5"));
        let fault = replaced(1, "A");
        assert!(fault.starts_with("the army of red: "), "{fault}");
        assert!(read_field(Ruleset::Original, BARRAGE).is_err());
    }
}
