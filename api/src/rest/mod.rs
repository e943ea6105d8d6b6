//! The REST handlers, one noun a file. They read a request, call a use case and write the answer.

pub mod admin;
pub mod auth;
pub mod blocks;
pub mod challenges;
pub mod credentials;
pub mod documents;
pub mod events;
pub mod export;
pub mod exports;
pub mod games;
pub mod health;
pub mod imports;
pub mod jwks;
pub mod mail;
pub mod me;
pub mod players;
pub mod problems;
pub mod push;
pub mod ratings;
pub mod rules;
pub mod setups;
pub mod statistics;
pub mod vacation;
mod wanted;
pub mod webhooks;
