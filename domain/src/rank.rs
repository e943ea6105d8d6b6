use std::fmt;
use std::ops::{Index, IndexMut};

/// The military rank of a piece (`rules.md` 1), weakest first; flag and bomb never move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Rank {
    /// `F`: its capture ends the game.
    Flag,
    /// `B`: beats every attacker but the miner.
    Bomb,
    /// `S`: beats the marshal when it attacks it.
    Spy,
    /// `2`: moves any number of empty squares in a straight line.
    Scout,
    /// `3`: removes bombs.
    Miner,
    /// `4`.
    Sergeant,
    /// `5`.
    Lieutenant,
    /// `6`.
    Captain,
    /// `7`.
    Major,
    /// `8`.
    Colonel,
    /// `9`.
    General,
    /// `M`.
    Marshal,
}

impl Rank {
    /// Every rank, in the order of the army table.
    pub const ALL: [Self; 12] = [
        Self::Flag,
        Self::Bomb,
        Self::Spy,
        Self::Scout,
        Self::Miner,
        Self::Sergeant,
        Self::Lieutenant,
        Self::Captain,
        Self::Major,
        Self::Colonel,
        Self::General,
        Self::Marshal,
    ];

    const CHARS: [char; 12] = ['F', 'B', 'S', '2', '3', '4', '5', '6', '7', '8', '9', 'M'];

    const NAMES: [&str; 12] = [
        "flag",
        "bomb",
        "spy",
        "scout",
        "miner",
        "sergeant",
        "lieutenant",
        "captain",
        "major",
        "colonel",
        "general",
        "marshal",
    ];

    /// The character that stands for the rank in setups and on the wire.
    pub const fn to_char(self) -> char {
        Self::CHARS[self as usize]
    }

    /// The rank that a character stands for.
    pub const fn from_char(ch: char) -> Option<Self> {
        const BY_CHAR: [Option<Rank>; 128] = {
            let mut ranks = [None; 128];
            let mut index = 0;
            while index < Rank::ALL.len() {
                ranks[Rank::CHARS[index] as usize] = Some(Rank::ALL[index]);
                index += 1;
            }
            ranks
        };
        if ch.is_ascii() {
            BY_CHAR[ch as usize]
        } else {
            None
        }
    }

    /// The lower-case English name.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether a piece of this rank may ever move (`rules.md` 3).
    pub const fn is_movable(self) -> bool {
        !matches!(self, Self::Flag | Self::Bomb)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A value for each rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByRank<T>([T; 12]);

impl<T> ByRank<T> {
    /// The values in the order of [`Rank::ALL`].
    pub const fn new(values: [T; 12]) -> Self {
        Self(values)
    }

    /// Every rank with its value.
    pub fn iter(&self) -> impl Iterator<Item = (Rank, &T)> {
        Rank::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Rank> for ByRank<T> {
    type Output = T;

    fn index(&self, rank: Rank) -> &T {
        &self.0[rank as usize]
    }
}

impl<T> IndexMut<Rank> for ByRank<T> {
    fn index_mut(&mut self, rank: Rank) -> &mut T {
        &mut self.0[rank as usize]
    }
}
