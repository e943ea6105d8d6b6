//! Who plays.

use std::process;
use std::sync::Arc;
use std::thread;

use crate::client::Client;

/// Two accounts that play each other.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) red: Client,
    pub(super) blue: Client,
}

/// Registers so many accounts, and pairs them. Two at a time: passwords are dear.
pub(super) fn register(base: &str, accounts: usize) -> Vec<Arc<Pair>> {
    let name =
        |number: usize| Client::register_as(base, &format!("load{}_{number}", process::id()));
    let pairs: Vec<usize> = (0..accounts.div_ceil(2).max(1)).collect();
    let pair = |number: &usize| {
        thread::scope(|scope| {
            let red = scope.spawn(|| name(2 * number));
            let blue = name(2 * number + 1);
            let red = red.join().unwrap();
            Arc::new(Pair { red, blue })
        })
    };
    pairs.iter().map(pair).collect()
}

/// The account's access token.
pub(super) fn token(client: &Client) -> &str {
    client.token.as_deref().unwrap_or_default()
}
