//! What happens, told as it happens: to streams of Server-Sent Events and to subscriptions.
//!
//! The tables are the truth. A stream gives out what they hold after the last event that its reader
//! has; that something is new is only a hint to look, and a hint that is lost is made up for by looking
//! now and then.

mod channel;
mod follower;
mod frame;
mod hub;
mod listeners;
mod page;
pub mod stream;

pub use channel::Channel;
pub use follower::{Closing, Follower, LastEvent};
pub use frame::{Frame, Kind, Written};
pub use hub::{Hub, run};
pub use listeners::{Listener, Listeners, Presence, look_for_ended};
pub use page::read;
pub use storage::Topic;
