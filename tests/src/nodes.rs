//! Where clients find a server while its processes come and go.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// How long a client waits before it tries again what failed.
const BACK_OFF: Duration = Duration::from_millis(25);

/// The nodes of one server: `http://ADDRESS` of each that runs.
#[derive(Debug)]
pub struct Nodes {
    urls: Mutex<Vec<Option<String>>>,
    changed: Condvar,
}

impl Nodes {
    /// Nodes that all run.
    pub fn new<'a>(urls: impl IntoIterator<Item = &'a str>) -> Self {
        let urls = urls.into_iter().map(|url| Some(url.to_owned())).collect();
        Self {
            urls: Mutex::new(urls),
            changed: Condvar::new(),
        }
    }

    /// Nobody asks this node any further; what was asked is under way still.
    pub fn leave(&self, node: usize) {
        self.urls.lock().unwrap()[node] = None;
    }

    /// The node runs, here.
    pub fn join(&self, node: usize, url: &str) {
        self.urls.lock().unwrap()[node] = Some(url.to_owned());
        self.changed.notify_all();
    }

    /// A node that runs, counted from `turn` on so that whoever counts comes by all of them; waits for
    /// one, but not for ever.
    pub fn one(&self, turn: usize) -> Option<String> {
        let urls = self.urls.lock().unwrap();
        let gone = |urls: &mut Vec<Option<String>>| urls.iter().all(Option::is_none);
        let (urls, _) = self
            .changed
            .wait_timeout_while(urls, 4 * BACK_OFF, gone)
            .unwrap();
        let running: Vec<&String> = urls.iter().flatten().collect();
        (!running.is_empty()).then(|| running[turn % running.len()].clone())
    }

    /// Waits as a client does who was told to come back later, or until a node has joined.
    pub fn back_off(&self) {
        let urls = self.urls.lock().unwrap();
        drop(self.changed.wait_timeout(urls, BACK_OFF).unwrap());
    }
}
