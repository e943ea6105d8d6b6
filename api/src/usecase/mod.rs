//! What the server does, whichever way it is asked: REST and GraphQL share these. They block, so
//! callers run them off the async threads.

pub mod accounts;
pub mod admin;
pub mod blocks;
pub mod challenges;
pub mod export;
pub mod games;
pub mod imports;
pub mod inbox;
pub mod notes;
pub mod once;
pub mod personal_tokens;
pub mod players;
pub mod ratings;
pub mod rematches;
pub mod selection;
pub mod sessions;
pub mod setups;
pub mod subscriptions;
pub mod tickets;
pub mod usernames;
pub mod vacations;
