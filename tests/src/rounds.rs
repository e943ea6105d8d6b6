//! How long tests of many random games go on.

/// The number of games of a test: `short`, six times as many in the long rounds of `tests/run --long`,
/// or what `REVEILLE_GAMES` says.
pub fn games(short: usize) -> usize {
    let long = std::env::var_os("REVEILLE_LONG").is_some();
    number("REVEILLE_GAMES").map_or(if long { 6 * short } else { short }, |games| {
        usize::try_from(games).expect("a number of games")
    })
}

/// The seed of the first game: `usual`, or what `REVEILLE_SEED` says.
pub fn first_seed(usual: u64) -> u64 {
    number("REVEILLE_SEED").unwrap_or(usual)
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is no number: {text:?}")),
    )
}
