//! Figures about the running server, in the text form of Prometheus.

use std::fs;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use actix_web::http::{Method, StatusCode};
use prometheus::{
    Encoder, Error, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts,
    Registry, TextEncoder,
};
use storage::WriterFigures;

/// The content type of [`Metrics::render`].
pub const CONTENT_TYPE: &str = prometheus::TEXT_FORMAT;

/// Upper bounds of the latency buckets, in seconds.
const LATENCY_BUCKETS: [f64; 12] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
];
/// The route of a request that matched none. Raw paths are never a label: anyone can invent them.
const NO_ROUTE: &str = "none";

/// How the names of the writer's figures begin.
const OF_WRITER: &str = "reveille_database_";

/// All figures of one server.
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    latency: HistogramVec,
    in_flight: IntGauge,
    resident_memory: IntGauge,
    writes: IntCounter,
    syncs: IntCounter,
    deliveries: IntCounterVec,
}

/// What became of something that the server told somebody by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// The receiver has it.
    Taken,
    /// It is tried again, or was for long enough.
    Failed,
    /// The receiver will never take it, or is no more.
    Refused,
}

/// One request under way. Dropped without [`end`](Self::end) when the caller went away.
pub struct Measured<'a> {
    metrics: &'a Metrics,
    method: &'static str,
    started: Instant,
}

impl Metrics {
    /// Figures that all stand at zero.
    ///
    /// # Errors
    /// When a name is not one that Prometheus takes or is taken twice: a fault of this file.
    pub fn new() -> Result<Self, Error> {
        let registry = Registry::new();
        let requests = IntCounterVec::new(
            Opts::new("reveille_http_requests_total", "Requests answered."),
            &["method", "route", "status"],
        )?;
        let latency = HistogramVec::new(
            HistogramOpts::new(
                "reveille_http_request_duration_seconds",
                "Time to an answer.",
            )
            .buckets(LATENCY_BUCKETS.to_vec()),
            &["method", "route"],
        )?;
        let in_flight = IntGauge::new("reveille_http_requests_in_flight", "Requests under way.")?;
        let resident_memory =
            IntGauge::new("process_resident_memory_bytes", "Resident memory in bytes.")?;
        let start = IntGauge::new(
            "process_start_time_seconds",
            "Start of the process, in Unix time.",
        )?;
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        start.set(i64::try_from(now.as_secs()).unwrap_or(i64::MAX));
        registry.register(Box::new(requests.clone()))?;
        registry.register(Box::new(latency.clone()))?;
        registry.register(Box::new(in_flight.clone()))?;
        registry.register(Box::new(resident_memory.clone()))?;
        registry.register(Box::new(start))?;
        let writes = IntCounter::new(
            "reveille_database_writes_total",
            "Writes that the one writer of an embedded database has decided.",
        )?;
        let syncs = IntCounter::new(
            "reveille_database_syncs_total",
            "Commits of that writer that changed anything, each synced to the disk.",
        )?;
        let deliveries = IntCounterVec::new(
            Opts::new(
                "reveille_deliveries_total",
                "Attempts to tell somebody: by webhook, Web Push or mail.",
            ),
            &["channel", "outcome"],
        )?;
        registry.register(Box::new(deliveries.clone()))?;
        registry.register(Box::new(writes.clone()))?;
        registry.register(Box::new(syncs.clone()))?;
        Ok(Self {
            registry,
            requests,
            latency,
            in_flight,
            resident_memory,
            writes,
            syncs,
            deliveries,
        })
    }

    /// Where other parts of the server register figures of their own.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// A request begins.
    pub fn begin(&self, method: &Method) -> Measured<'_> {
        self.in_flight.inc();
        Measured {
            metrics: self,
            method: known(method),
            started: Instant::now(),
        }
    }

    /// Somebody was told something by a channel, or was not.
    pub fn delivered(&self, channel: &str, delivery: Delivery) {
        let outcome = match delivery {
            Delivery::Taken => "taken",
            Delivery::Failed => "failed",
            Delivery::Refused => "refused",
        };
        self.deliveries.with_label_values(&[channel, outcome]).inc();
    }

    /// All figures as text, with those of the writer where there is one.
    ///
    /// # Errors
    /// When two figures contradict each other: a fault of this program.
    pub fn render(&self, writer: Option<WriterFigures>) -> Result<Vec<u8>, Error> {
        if let Some(writer) = writer {
            self.writes
                .inc_by(writer.writes.saturating_sub(self.writes.get()));
            self.syncs
                .inc_by(writer.commits.saturating_sub(self.syncs.get()));
        }
        if let Some(bytes) = resident_memory() {
            self.resident_memory.set(bytes);
        }
        let mut families = self.registry.gather();
        // Where there is no such writer, nothing would be said of it by zeros.
        families.retain(|family| writer.is_some() || !family.name().starts_with(OF_WRITER));
        let mut text = Vec::new();
        TextEncoder::new().encode(&families, &mut text)?;
        Ok(text)
    }
}

impl Measured<'_> {
    /// The request was answered. `pattern` is the pattern of its route, none when it matched none.
    pub fn end(self, pattern: Option<&str>, status: StatusCode) {
        let route = pattern.unwrap_or(NO_ROUTE);
        let seconds = self.started.elapsed().as_secs_f64();
        self.metrics
            .requests
            .with_label_values(&[self.method, route, status.as_str()])
            .inc();
        self.metrics
            .latency
            .with_label_values(&[self.method, route])
            .observe(seconds);
    }
}

impl Drop for Measured<'_> {
    fn drop(&mut self) {
        self.metrics.in_flight.dec();
    }
}

/// The method, or one name for all that are not HTTP's own: callers can invent those too.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// The resident memory in bytes, where the system tells it in the manner of Linux.
fn resident_memory() -> Option<i64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: i64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1_024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_pattern_and_given_back() {
        let metrics = Metrics::new().unwrap();
        metrics
            .begin(&Method::GET)
            .end(Some("/v1/games/{id}"), StatusCode::OK);
        metrics
            .begin(&Method::from_bytes(b"BREW").unwrap())
            .end(None, StatusCode::NOT_FOUND);
        drop(metrics.begin(&Method::POST));
        metrics.delivered("mail", Delivery::Failed);
        let open = metrics.begin(&Method::GET);
        let text = String::from_utf8(metrics.render(None).unwrap()).unwrap();
        for line in [
            r#"reveille_http_requests_total{method="GET",route="/v1/games/{id}",status="200"} 1"#,
            r#"reveille_http_requests_total{method="other",route="none",status="404"} 1"#,
            r#"reveille_http_request_duration_seconds_count{method="GET",route="/v1/games/{id}"} 1"#,
            "reveille_http_requests_in_flight 1",
            r#"reveille_deliveries_total{channel="mail",outcome="failed"} 1"#,
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
        }
        assert!(!text.contains("POST") && !text.contains("BREW"));
        drop(open);
    }
}
