use std::fmt;

use domain::{Ruleset, Setup, SetupErrors, Style};

/// How a side of a simulation deploys: by chance, or as one of some given setups.
#[derive(Clone, Default)]
pub struct Deployments {
    /// None, where they are made up.
    given: Vec<Setup>,
}

/// A text has no list of setups.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeploymentsError {
    /// No line has a setup.
    #[error("expected setups, one a line, got none")]
    Empty,
    /// A line has none that fits the army.
    #[error("line {line}: {errors}")]
    Setup {
        /// Which, from 1.
        line: usize,
        /// What is wrong with it.
        errors: SetupErrors,
    },
}

impl Deployments {
    /// Made up for each game by the advice of the rule sheets, as the house bot deploys.
    pub const fn random() -> Self {
        Self { given: Vec::new() }
    }

    /// Reads setups, one a line, as their owner sees them; lines that are empty or begin with `#` count for
    /// nothing. Each game takes one by chance.
    ///
    /// # Errors
    /// There is none, or the first line that does not fit the army.
    pub fn parse(ruleset: Ruleset, text: &str) -> Result<Self, DeploymentsError> {
        let lines = (1..).zip(text.lines().map(str::trim));
        let setups = lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#'));
        let read = setups.map(|(line, text)| {
            let setup = Setup::parse(ruleset, text);
            setup.map_err(|errors| DeploymentsError::Setup { line, errors })
        });
        let given = read.collect::<Result<Vec<Setup>, DeploymentsError>>()?;
        if given.is_empty() {
            return Err(DeploymentsError::Empty);
        }
        Ok(Self { given })
    }

    /// The setup for a game.
    pub(super) fn draw(&self, ruleset: Ruleset, below: &mut impl FnMut(usize) -> usize) -> Setup {
        match self.given.as_slice() {
            [] => Setup::random(ruleset, Style::Advised, below),
            given => given[below(given.len())],
        }
    }
}

impl fmt::Debug for Deployments {
    /// Without any rank, as a setup itself.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = self.given.len();
        f.debug_struct("Deployments")
            .field("given", &given)
            .finish()
    }
}
