//! What a token allows.

use std::fmt;

/// One permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// To challenge, place setups, move, and keep one's own account; and all that `read` allows.
    Play,
    /// To read what only the account itself may see.
    Read,
    /// To ask for costly statistics.
    Analysis,
    /// To import recorded games.
    Import,
    /// To administer the server.
    Admin,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 5] = [
        Self::Play,
        Self::Read,
        Self::Analysis,
        Self::Import,
        Self::Admin,
    ];

    /// The scope as it stands in tokens.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Play => "play",
            Self::Read => "read",
            Self::Analysis => "analysis",
            Self::Import => "import",
            Self::Admin => "admin",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// What a login gives: everything an account does for itself.
    pub const LOGIN: Self =
        Self(Scope::Play.bit() | Scope::Read.bit() | Scope::Analysis.bit() | Scope::Import.bit());

    /// What an account may do at all.
    pub const fn of(is_admin: bool) -> Self {
        if is_admin {
            Self(Self::LOGIN.0 | Scope::Admin.bit())
        } else {
            Self::LOGIN
        }
    }

    /// Those that are in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those that are here and not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that are in it.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL
            .into_iter()
            .filter(move |scope| self.contains(*scope))
    }

    /// Whether `scope` is among them.
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether they allow what `scope` stands for.
    pub const fn allow(self, scope: Scope) -> bool {
        let and_more = match scope {
            // Nobody plays who may not look.
            Scope::Read => Scope::Play.bit(),
            _ => 0,
        };
        self.0 & (scope.bit() | and_more) != 0
    }

    /// Reads scopes between spaces, as tokens carry them. Words this version does not know are
    /// passed over: they allow nothing.
    pub fn parse(text: &str) -> Self {
        let known = |word: &str| Scope::ALL.into_iter().find(|scope| scope.as_str() == word);
        text.split(' ').filter_map(known).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |set, scope| set | scope.bit()))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.iter().map(Scope::as_str).collect();
        formatter.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn print_and_parse() {
        assert_eq!(Scopes::LOGIN.to_string(), "play read analysis import");
        assert_eq!(Scopes::parse("read play import analysis"), Scopes::LOGIN);
        assert_eq!(Scopes::parse("read everything"), Scopes::parse("read"));
        assert!(!Scopes::parse("").contains(Scope::Play));
        for (scopes, may_read) in [("play", true), ("read", true), ("analysis import", false)] {
            assert_eq!(Scopes::parse(scopes).allow(Scope::Read), may_read);
        }
        for scope in Scope::ALL {
            assert!(Scopes::parse(scope.as_str()).contains(scope));
            assert_eq!(Scopes::parse(scope.as_str()).to_string(), scope.as_str());
        }
    }

    #[test]
    fn nobody_but_an_admin_may_administer() {
        let all: Scopes = Scope::ALL.into_iter().collect();
        assert_eq!(Scopes::of(true), all);
        assert_eq!(all.and(Scopes::of(false)), Scopes::LOGIN);
        assert_eq!(all.without(Scopes::LOGIN), Scopes::parse("admin"));
        assert!(Scopes::LOGIN.without(all).is_empty());
    }
}
