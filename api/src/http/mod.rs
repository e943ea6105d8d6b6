//! The HTTP side that all routes share: the route table, extractors, middleware and the document.

pub mod accept;
pub mod client_address;
pub mod default;
pub mod etag;
pub mod extract;
pub mod idempotency;
pub(crate) mod json;
pub mod middleware;
pub mod openapi;
mod pairs;
pub mod rate_limit;
pub mod routes;
pub mod validate;

#[cfg(test)]
mod tests;
