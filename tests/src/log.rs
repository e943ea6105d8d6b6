//! What this process logs, at the most verbose level.
//!
//! One subscriber takes the lines of all servers in the process, so a test that looks at them needs a
//! process of its own, which `cargo nextest` gives to each test.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::Value;
use tracing_subscriber::filter::LevelFilter;

/// Lines as they are written, until they are taken.
#[derive(Clone, Debug, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

static LOG: OnceLock<Log> = OnceLock::new();

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// Begins to take the lines of this process.
    pub fn capture() -> Self {
        let begin = || {
            let log = Self::default();
            let writer = log.clone();
            tracing_subscriber::fmt()
                .json()
                .with_max_level(LevelFilter::TRACE)
                .with_writer(move || writer.clone())
                .init();
            log
        };
        LOG.get_or_init(begin).clone()
    }

    /// The lines since the last time.
    pub fn take(&self) -> String {
        let lines = std::mem::take(&mut *self.0.lock().unwrap());
        String::from_utf8(lines).expect("lines are texts")
    }
}

/// Lines without what tells one moment from another: instants, request identifiers, durations.
#[derive(Debug, Default)]
pub struct Lines {
    /// Every line, in no certain order.
    pub all: BTreeSet<String>,
    /// The lines of each request in their order, the requests in theirs, and before them those of no
    /// request. Left out is what the HTTP server says of its connections between requests: when a
    /// socket wakes it up is chance.
    pub comparable: Vec<String>,
}

impl Lines {
    /// Reads lines as [`Log::take`] gives them.
    pub fn of(lines: &str) -> Self {
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut requests: Vec<Vec<String>> = vec![Vec::new()];
        let mut all = BTreeSet::new();
        for line in lines.lines() {
            let mut line: Value = serde_json::from_str(line).expect("a line is JSON");
            let request = line["span"]["request_id"].take();
            strip(&mut line);
            let text = line.to_string();
            all.insert(text.clone());
            let place = match request.as_str() {
                None if is_of_connections(&line) => continue,
                None => 0,
                Some(id) => *places.entry(id.to_owned()).or_insert_with(|| {
                    requests.push(Vec::new());
                    requests.len() - 1
                }),
            };
            requests[place].push(text);
        }
        Self {
            all,
            comparable: requests.into_iter().flatten().collect(),
        }
    }
}

fn is_of_connections(line: &Value) -> bool {
    let target = line["target"].as_str().unwrap_or_default();
    target.starts_with("actix_http::") || target.starts_with("actix_server::")
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for name in ["timestamp", "micros", "request_id"] {
                fields.remove(name);
            }
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}
