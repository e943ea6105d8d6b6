//! What one query may ask for, checked before anything is done for it.
//!
//! Fragments count as if they were written inline, at every place that spreads them. What a query
//! costs is counted in objects: one for each object that may come back, a fraction for each value in
//! it, and something besides for each field that asks the database, so that renaming a field many
//! times is never cheap.

mod exceeded;
mod nesting;
mod types;
mod walk;

use async_graphql::parser::types::ExecutableDocument;
use async_graphql::parser::{self, parse_query};
use async_graphql::{ServerError, Variables};

pub use exceeded::{Exceeded, Limit};
use nesting::nesting;
use types::TypeTable;
use walk::Walk;

use crate::config::GraphqlLimits;

/// How deep brackets and selections nest at most. The engine below is built for no more.
const MAX_NESTING: usize = 32;
/// How many operations a document has at most; one is executed, all are validated.
const MAX_OPERATIONS: usize = 10;

/// Why a query is refused before it is looked at more closely.
#[derive(Debug)]
pub(super) enum Refusal {
    /// It asks for too much.
    Exceeded(Exceeded),
    /// A fragment spreads itself.
    Cycle(String),
    /// It is not GraphQL.
    Syntax(ServerError),
}

impl From<Exceeded> for Refusal {
    fn from(exceeded: Exceeded) -> Self {
        Self::Exceeded(exceeded)
    }
}

/// Who asks, as far as limits depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    /// Anybody.
    Public,
    /// Whose token allows costly statistics.
    Analysts,
}

/// The limits, and what there is to be measured.
#[derive(Debug)]
pub(super) struct Limits {
    config: GraphqlLimits,
    types: TypeTable,
}

impl Limits {
    /// The limits of a schema.
    ///
    /// # Errors
    /// When `sdl` is not a schema.
    pub(super) fn new(config: GraphqlLimits, sdl: &str) -> Result<Self, parser::Error> {
        let types = TypeTable::read(sdl)?;
        Ok(Self { config, types })
    }

    /// The greatest complexity of a query.
    fn max_complexity(&self, audience: Audience) -> usize {
        let most = self.config.max_complexity;
        match audience {
            Audience::Public => most,
            Audience::Analysts => most.max(self.config.max_complexity_analysis),
        }
    }

    /// Reads a query that stays within all limits.
    pub(super) fn read(
        &self,
        query: &str,
        variables: &Variables,
        audience: Audience,
    ) -> Result<ExecutableDocument, Refusal> {
        Exceeded::check(Limit::QueryBytes, query.len(), self.config.max_query_bytes)?;
        Exceeded::check(Limit::Nesting, nesting(query), MAX_NESTING)?;
        let document = parse_query(query).map_err(|error| Refusal::Syntax(error.into()))?;
        let operations = document.operations.iter().count();
        Exceeded::check(Limit::Operations, operations, MAX_OPERATIONS)?;
        for (_, operation) in document.operations.iter() {
            Walk::new(self, &document, operation, variables, audience).check()?;
        }
        Ok(document)
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::assert_taken;
