//! What the server does, whichever way it is asked: REST and GraphQL share these. They block, so
//! callers run them off the async threads.

pub mod accounts;
pub mod challenges;
pub mod games;
pub mod inbox;
pub mod notes;
pub mod once;
pub mod players;
pub mod ratings;
pub mod rematches;
pub mod setups;
pub mod subscriptions;
pub mod tickets;
pub mod usernames;
pub mod vacations;
