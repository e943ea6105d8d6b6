//! Setups written by square, as a reader of a test sees the board.

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Moves first, rows 1 to 4.
    Red,
    /// Rows 7 to 10.
    Blue,
}

impl Side {
    /// The value in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Blue => "blue",
        }
    }

    /// The side that plays the move of this ply.
    pub const fn of_ply(ply: u32) -> Self {
        if ply.is_multiple_of(2) {
            Self::Red
        } else {
            Self::Blue
        }
    }

    /// Where character `index` of a setup stands: the owner's front row first, from his left.
    pub fn square(self, index: usize) -> String {
        let (row, column) = (index / 10, index % 10);
        let (column, row) = match self {
            Self::Red => (column, 4 - row),
            Self::Blue => (9 - column, 7 + row),
        };
        format!("{}{row}", char::from(b"abcdefghij"[column]))
    }
}

/// The 40 characters of the setup that has these pieces, each written rank first: `"Fa1 Me4"`.
pub fn army(side: Side, pieces: &str) -> String {
    let mut setup = vec!['.'; 40];
    for piece in pieces.split_whitespace() {
        let square = &piece[1..];
        let index = (0..40)
            .find(|&index| side.square(index) == square)
            .unwrap_or_else(|| panic!("{square} is not on the side of {}", side.name()));
        assert_eq!(setup[index], '.', "{square} is taken");
        setup[index] = piece.chars().next().unwrap();
    }
    setup.into_iter().collect()
}

/// A plain original setup of 40, with free ways in front of it: the same for both sides.
pub const ORIGINAL: &str = "62542739264S37M524285B36B534822BFB2B673B";
