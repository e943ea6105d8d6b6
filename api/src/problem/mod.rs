//! Everything a refused request is told, as problem documents of RFC 9457.
//!
//! [`Code`] is the closed list of what can go wrong, [`ApiError`] one such refusal on its way out,
//! and [`Problem`] the document a caller gets.

mod code;
mod document;
mod error;
mod storage;

pub use code::Code;
pub use document::{FieldFault, PROBLEM_JSON, Problem};
pub use error::ApiError;
pub use storage::RETRY_SOON;
