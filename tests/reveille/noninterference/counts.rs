//! How much was compared, so that the test cannot pass by comparing nothing.

use std::collections::BTreeMap;

use super::ask::{Ask, Seen};

/// What was compared, by what could have been left out.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Answers that were compared with those of another world.
    pub(super) pairs: usize,
    by_ruleset: BTreeMap<&'static str, usize>,
    by_status: BTreeMap<u16, usize>,
    by_method: BTreeMap<String, usize>,
    /// Worlds: all, with silent defence, with a piece that came back, with a hidden loss of the
    /// secret side, with the armies not placed yet.
    pub(super) worlds: usize,
    pub(super) silent: usize,
    pub(super) rescued: usize,
    pub(super) hidden_losses: usize,
    pub(super) setups: usize,
    /// Worlds that an attack on the back row would tell apart, were a rescue refused by its outcome.
    pub(super) probes: usize,
    /// Moves that were taken in both worlds, and those of them that were attacks.
    pub(super) taken: usize,
    pub(super) attacks: usize,
    /// Times that the secret side had prepared replies in the other world: that wait, and that were
    /// dropped.
    pub(super) prepared: usize,
    pub(super) dropped: usize,
    /// Answers to queries that showed pieces.
    pub(super) queries: usize,
    /// Answers that named the tag of the other world and were not sent again.
    pub(super) unchanged: usize,
    /// Parts of what was followed: events, and what came before them.
    pub(super) followed: usize,
    /// Lines of the log, and series of figures that had grown.
    pub(super) lines: usize,
    pub(super) series: usize,
    /// Times that no other world was found.
    pub(super) alone: usize,
}

impl Counts {
    pub(super) fn pair(&mut self, ruleset: &'static str, ask: &Ask, seen: &Seen) {
        self.pairs += 1;
        *self.by_ruleset.entry(ruleset).or_default() += 1;
        *self.by_status.entry(seen.status).or_default() += 1;
        *self.by_method.entry(ask.method.clone()).or_default() += 1;
        let shows_pieces = ask.path == "/graphql" && seen.body.contains("\"pieceId\"");
        self.queries += usize::from(shows_pieces);
    }

    /// Fails unless at least this much was compared.
    pub(super) fn assert_enough(&self, games: usize) {
        println!("{games} games: {self:#?}");
        let least = |what: &str, count: usize, least: usize| {
            assert!(count >= least, "{what}: only {count} of {least}: {self:#?}");
        };
        least("pairs", self.pairs, 250 * games);
        least("rulesets", self.by_ruleset.len(), games.min(5));
        for (ruleset, pairs) in &self.by_ruleset {
            least(ruleset, *pairs, 150);
        }
        for status in [200, 304, 400, 401, 403, 404, 405, 409, 422] {
            let seen = self.by_status.get(&status).copied().unwrap_or_default();
            least(&format!("status {status}"), seen, games);
        }
        least("worlds", self.worlds, games + games / 2);
        least("worlds in setup", self.setups, games);
        // One in twelve games at the least, and one in the shortest round.
        let rare = (games + 7) / 12;
        least("worlds under silent defence", self.silent, games / 5);
        least("worlds after a rescue", self.rescued, rare);
        least("worlds with a hidden loss", self.hidden_losses, rare);
        least("worlds to probe with a rescue", self.probes, rare);
        least("moves that were taken", self.taken, games / 2);
        least("attacks that were taken", self.attacks, games / 5);
        least("prepared replies", self.prepared, games);
        least("dropped replies", self.dropped, games / 5);
        least("queries that showed pieces", self.queries, 3 * games);
        least("answers not sent again", self.unchanged, 5 * games);
        least("parts of streams", self.followed, 100 * games);
        least("lines of the log", self.lines, self.pairs);
        least("figures", self.series, 5 * games);
    }
}
