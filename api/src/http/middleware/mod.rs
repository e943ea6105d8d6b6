//! What every request passes through, from the outside in: log, metrics, response headers, problem
//! documents, CORS, authentication, rate limits, media types, HEAD.

mod cors;
mod head;
mod limits;
mod log;
mod metrics;
mod negotiation;
mod problems;
mod response_headers;

pub use cors::{cors, order_cors_lists};
pub use head::answer_head_as_get;
pub use limits::limit_rate;
pub use log::{RequestLog, request_log};
pub use metrics::record_metrics;
pub use negotiation::refuse_unacceptable;
pub use problems::write_problems;
pub use response_headers::add_response_headers;
