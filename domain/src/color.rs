use std::fmt;
use std::ops::{Index, IndexMut, Not};
use std::str::FromStr;

/// One of the two sides. Red moves first (`rules.md` 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Deploys on rows 1 to 4 and moves first.
    Red,
    /// Deploys on rows 7 to 10.
    Blue,
}

impl Color {
    /// Both sides, Red first.
    pub const ALL: [Self; 2] = [Self::Red, Self::Blue];

    /// The lower-case English name, as it stands on the wire and in piece identifiers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Blue => "blue",
        }
    }
}

impl Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Red => Self::Blue,
            Self::Blue => Self::Red,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is neither `red` nor `blue`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a side is `red` or `blue`")]
pub struct ParseColorError;

impl FromStr for Color {
    type Err = ParseColorError;

    fn from_str(text: &str) -> Result<Self, ParseColorError> {
        Self::ALL
            .into_iter()
            .find(|color| color.name() == text)
            .ok_or(ParseColorError)
    }
}

/// A value for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByColor<T> {
    /// Red's value.
    pub red: T,
    /// Blue's value.
    pub blue: T,
}

impl<T> ByColor<T> {
    /// Computes the value of each side, Red's first.
    pub fn from_fn(mut value: impl FnMut(Color) -> T) -> Self {
        Self {
            red: value(Color::Red),
            blue: value(Color::Blue),
        }
    }

    /// Both values by reference.
    pub const fn as_ref(&self) -> ByColor<&T> {
        ByColor {
            red: &self.red,
            blue: &self.blue,
        }
    }

    /// Turns each value into another.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> ByColor<U> {
        ByColor {
            red: f(self.red),
            blue: f(self.blue),
        }
    }
}

impl<T> ByColor<Option<T>> {
    /// Both values, if neither is missing.
    pub fn both(self) -> Option<ByColor<T>> {
        Some(ByColor {
            red: self.red?,
            blue: self.blue?,
        })
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        match color {
            Color::Red => &self.red,
            Color::Blue => &self.blue,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::Red => &mut self.red,
            Color::Blue => &mut self.blue,
        }
    }
}
