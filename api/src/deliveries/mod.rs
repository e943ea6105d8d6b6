//! What is told to receivers by the server itself: webhooks, and browsers by Web Push.
//!
//! A receiver is a cursor in its owner's stream (`storage::subscriptions`), which goes on once it has
//! answered. What is new is hinted at after the commit and costs whoever moves nothing but that; the
//! [`dispatcher`](run) looks for receivers of those who were hinted at, claims them so that no other node
//! tells them too, and tells each in order what its owner's stream would give him.

mod client;
mod dispatcher;
mod networks;
mod pause;
mod places;
pub mod push;
mod service;
mod target;
mod webhook;

pub use client::{Client, Outgoing, SendFault};
pub use dispatcher::{Deliveries, run};
pub use networks::Networks;
pub use target::TargetFault;
pub use webhook::signature;
