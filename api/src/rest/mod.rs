//! The REST handlers, one noun a file. They read a request, call a use case and write the answer.

pub mod documents;
pub mod health;
pub mod jwks;
pub mod problems;
