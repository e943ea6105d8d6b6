//! How long tests of many random games or of many faults go on.

/// The number of games of a test: `short`, six times as many in the long rounds of `tests/run --long`,
/// or what `REVEILLE_GAMES` says.
pub fn games(short: usize) -> usize {
    number("REVEILLE_GAMES").map_or(if is_long() { 6 * short } else { short }, |games| {
        usize::try_from(games).expect("a number of games")
    })
}

/// How often a test of faults repeats its fault: `short`, or `long` in the long rounds of
/// `tests/run --long`.
pub fn faults(short: usize, long: usize) -> usize {
    if is_long() { long } else { short }
}

fn is_long() -> bool {
    std::env::var_os("REVEILLE_LONG").is_some()
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
