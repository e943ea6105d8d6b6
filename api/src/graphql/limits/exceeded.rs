use thiserror::Error;

/// What a query may have only so much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Bytes of the query's text.
    QueryBytes,
    /// Brackets within brackets, and selections within selections, fragments included.
    Nesting,
    /// Operations in a document.
    Operations,
    /// Fields within fields.
    Depth,
    /// The sum of the costs of all fields.
    Complexity,
    /// Renamed fields.
    Aliases,
    /// Fields of the query itself.
    RootFields,
    /// Fields within fields of `__schema` and `__type`.
    IntrospectionDepth,
    /// Fields of `__schema` and `__type`.
    IntrospectionFields,
    /// Lists within lists of `__schema` and `__type`.
    IntrospectionLists,
}

impl Limit {
    /// The name that a refusal gives.
    pub const fn name(self) -> &'static str {
        match self {
            Self::QueryBytes => "query_bytes",
            Self::Nesting => "nesting",
            Self::Operations => "operations",
            Self::Depth => "depth",
            Self::Complexity => "complexity",
            Self::Aliases => "aliases",
            Self::RootFields => "root_fields",
            Self::IntrospectionDepth => "introspection_depth",
            Self::IntrospectionFields => "introspection_fields",
            Self::IntrospectionLists => "introspection_lists",
        }
    }

    const fn unit(self) -> &'static str {
        match self {
            Self::QueryBytes => "bytes of query",
            Self::Nesting => "levels of brackets and selections",
            Self::Operations => "operations in a document",
            Self::Depth => "levels of fields",
            Self::Complexity => "as the complexity",
            Self::Aliases => "aliases",
            Self::RootFields => "root fields",
            Self::IntrospectionDepth => "levels of introspection",
            Self::IntrospectionFields => "fields of introspection",
            Self::IntrospectionLists => "lists within lists of introspection",
        }
    }
}

/// A query that asks for too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the limit {} is exceeded: at most {maximum} {}", .limit.name(), .limit.unit())]
pub struct Exceeded {
    /// Which limit.
    pub limit: Limit,
    /// The most there may be.
    pub maximum: usize,
}

impl Exceeded {
    /// Refuses more than `maximum`.
    pub(super) fn check(limit: Limit, found: usize, maximum: usize) -> Result<(), Self> {
        if found > maximum {
            Err(Self { limit, maximum })
        } else {
            Ok(())
        }
    }
}
