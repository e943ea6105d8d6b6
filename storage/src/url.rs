use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Which database, and where. Only the scheme of the URL decides which.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL server; the URL as libpq reads it.
    Postgres(String),
}

/// The URL names no database that this program can use.
///
/// The text of the URL is not repeated: it may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseUrlError {
    /// Neither `sqlite://` nor `postgres://`.
    #[error("a database URL begins with `sqlite://` or `postgres://`")]
    UnknownScheme,
    /// `sqlite://` alone.
    #[error(
        "`sqlite://` is followed by the path of a file, for example `sqlite://data/reveille.db`"
    )]
    NoPath,
    /// A database in memory would be another one on each connection.
    #[error("SQLite needs a file: a database in memory is not kept")]
    InMemory,
    /// SQLite's own options in the path.
    #[error("the path of a SQLite file has no `?` and no `#`")]
    Options,
}

impl FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, DatabaseUrlError> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        let path = text
            .strip_prefix("sqlite://")
            .ok_or(DatabaseUrlError::UnknownScheme)?;
        if path.is_empty() {
            return Err(DatabaseUrlError::NoPath);
        }
        if path.contains(":memory:") {
            return Err(DatabaseUrlError::InMemory);
        }
        if path.contains(['?', '#']) {
            return Err(DatabaseUrlError::Options);
        }
        Ok(Self::Sqlite(Path::new(path).to_path_buf()))
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => f.debug_tuple("Sqlite").field(path).finish(),
            // The URL may hold a password.
            Self::Postgres(_) => f.debug_tuple("Postgres").finish_non_exhaustive(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_decides() {
        assert_eq!(
            "sqlite://data/reveille.db".parse(),
            Ok(DatabaseUrl::Sqlite("data/reveille.db".into()))
        );
        assert_eq!(
            "sqlite:///var/r.db".parse(),
            Ok(DatabaseUrl::Sqlite("/var/r.db".into()))
        );
        for url in ["postgres://reveille@db/reveille", "postgresql://db"] {
            assert_eq!(url.parse(), Ok(DatabaseUrl::Postgres(url.to_owned())));
        }
    }

    #[test]
    fn anything_else_is_refused() {
        use DatabaseUrlError::{InMemory, NoPath, Options, UnknownScheme};
        for (url, error) in [
            ("", UnknownScheme),
            ("reveille.db", UnknownScheme),
            ("postgre://db/reveille", UnknownScheme),
            ("host=db dbname=reveille", UnknownScheme),
            ("mysql://db/reveille", UnknownScheme),
            ("sqlite:reveille.db", UnknownScheme),
            ("sqlite://", NoPath),
            ("sqlite://:memory:", InMemory),
            ("sqlite://file::memory:?cache=shared", InMemory),
            ("sqlite://reveille.db?mode=ro", Options),
        ] {
            assert_eq!(url.parse::<DatabaseUrl>(), Err(error), "{url}");
        }
    }

    #[test]
    fn a_password_is_not_printed() {
        let url: DatabaseUrl = "postgres://reveille:secret@db/reveille".parse().unwrap();
        assert!(!format!("{url:?}").contains("secret"));
    }
}
