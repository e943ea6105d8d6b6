//! A bot: a client of the public API, and nothing else of the server. It asks by HTTP, follows its own
//! event stream, and goes by what those tell it.
//!
//! [`mind`] chooses moves and does no input or output. [`Bot`] plays: one thread follows the events and
//! notes what is to be looked at (`agenda`, `events`), another looks and answers (`player`, `table`). What
//! it knows it reads from the server each time, so it may end and begin anew at any moment: a move is made
//! once, by its ply. [`house`] is the bot that a server runs itself.

mod agenda;
mod client;
mod events;
pub mod house;
pub mod mind;
mod player;
mod reply;
mod table;
mod voice;

pub use agenda::Agenda;
pub use client::{Address, AddressError, Credential, Fault};
pub use player::{Bot, Settings};
pub use voice::Voice;
