//! What is printed.

use std::time::Duration;

use super::driver::Measured;
use super::process::Memory;
use super::target::Cost;

/// How many errors are told one by one.
const TOLD: usize = 8;

/// Microseconds, sorted.
pub(super) struct Times(Vec<u32>);

impl Times {
    pub(super) fn of(micros: impl IntoIterator<Item = u32>) -> Self {
        let mut micros: Vec<u32> = micros.into_iter().collect();
        micros.sort_unstable();
        Self(micros)
    }

    /// The time below which so many of a hundred are, in milliseconds; 0 of none.
    pub(super) fn millis(&self, percent: usize) -> f64 {
        let last = self.0.len().saturating_sub(1);
        let index = (self.0.len() * percent / 100).min(last);
        self.0
            .get(index)
            .map_or(0.0, |micros| f64::from(*micros) / 1e3)
    }

    /// Half, nearly all, and the longest.
    pub(super) fn told(&self) -> String {
        let [half, most, longest] = [50, 99, 100].map(|percent| self.millis(percent));
        format!("p50_ms={half:.2} p99_ms={most:.2} max_ms={longest:.2}")
    }
}

/// Prints what requests of one kind came to: how many and how fast, how evenly, and what they cost.
pub(super) fn print(what: &str, measured: &Measured, cost: &Cost, memory: Option<Memory>) {
    let (count, seconds) = (measured.count(), measured.elapsed.as_secs_f64());
    let times = Times::of(measured.micros.iter().flatten().copied());
    let mut clients: Vec<usize> = measured.micros.iter().map(Vec::len).collect();
    clients.sort_unstable();
    let median = clients.get(clients.len() / 2).copied().unwrap_or_default();
    let slowest = clients.first().copied().unwrap_or_default();
    println!(
        "{what}={count} seconds={seconds:.1} {what}_per_s={:.0} {} errors={}",
        ratio(count, seconds),
        times.told(),
        measured.errors.len()
    );
    println!(
        "clients={} slowest_client={slowest} median_client={median} slowest_to_median={:.2}",
        clients.len(),
        ratio(slowest, to_f64(median))
    );
    print_cost(what, count, cost, memory);
}

/// Prints what so many requests cost.
pub(super) fn print_cost(what: &str, count: usize, cost: &Cost, memory: Option<Memory>) {
    let each = |spent: Duration| spent.as_secs_f64() * 1e6 / to_f64(count.max(1));
    let spent = [
        cost.server.map(|server| ("server", server)),
        cost.postgres.map(|postgres| ("database", postgres)),
        Some(("generator", cost.own)),
    ];
    let spent: Vec<String> = spent
        .into_iter()
        .flatten()
        .map(|(who, spent)| format!("{who}_cpu_us={:.1}", each(spent)))
        .collect();
    println!("{} (each of {what})", spent.join(" "));
    if let Some(memory) = memory {
        println!("{}", told(memory));
    }
    match cost.syncs {
        Some((syncs, by)) => println!("syncs={syncs} (counted by {by})"),
        None => println!("syncs=unknown (--trace counts them)"),
    }
}

/// Memory now and at its peak.
pub(super) fn told(Memory { resident, peak }: Memory) -> String {
    let (resident, peak) = (mebibytes(resident), mebibytes(peak));
    format!("rss_mib={resident:.1} peak_mib={peak:.1}")
}

/// Prints the first errors.
pub(super) fn print_errors(errors: &[String]) {
    for error in errors.iter().take(TOLD) {
        println!("error: {error}");
    }
    if errors.len() > TOLD {
        println!("and {} further errors", errors.len() - TOLD);
    }
}

fn mebibytes(kibibytes: u64) -> f64 {
    to_f64(usize::try_from(kibibytes).unwrap_or(usize::MAX)) / 1024.0
}

pub(super) fn ratio(count: usize, of: f64) -> f64 {
    if of > 0.0 { to_f64(count) / of } else { 0.0 }
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub(super) fn to_f64(count: usize) -> f64 {
    count as f64
}
