//! Who waits for what, on this node.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::web;
use storage::{Heard, Topic};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

use super::frame::Frame;
use super::page;
use crate::state::AppState;

/// How many events of a topic are kept at hand. A reader that is further behind reads the tables.
const RECENT: usize = 32;
/// How often a topic is looked at without a hint, for one that was lost on its way from another node.
const LOOK_ANYWAY: Duration = Duration::from_secs(20);

/// Who waits for what, on this node.
pub struct Hub {
    topics: Mutex<HashMap<Topic, Arc<Entry>>>,
    woken: UnboundedSender<Topic>,
    /// Taken by the task that serves the hub.
    to_look_at: Mutex<Option<UnboundedReceiver<Topic>>>,
}

/// A topic that somebody waits for.
#[derive(Default)]
struct Entry {
    /// How many wait for it. Changed with the topics locked.
    readers: AtomicUsize,
    told: Mutex<Recent>,
    /// Counts what was told.
    news: watch::Sender<u64>,
    /// Something may be new that was not looked at yet.
    hinted: AtomicBool,
    /// Somebody is looking.
    looking: AtomicBool,
}

#[derive(Default)]
struct Recent {
    /// The last position that was read; `None` until somebody has said where to begin.
    position: Option<u64>,
    frames: VecDeque<Arc<Frame>>,
}

/// What there is for a reader at a position.
pub(super) enum Next {
    /// These events come next.
    Frames(Vec<Arc<Frame>>),
    /// He has all there is.
    Nothing,
    /// What comes next is to be read from the tables; how many events of the topic he lacks at least.
    Behind(u64),
}

/// A place among those who wait for a topic; it is given up when dropped.
pub(super) struct Subscription {
    hub: Arc<Hub>,
    topic: Topic,
    entry: Arc<Entry>,
    news: watch::Receiver<u64>,
}

impl Default for Hub {
    fn default() -> Self {
        let (woken, to_look_at) = unbounded_channel();
        Self {
            topics: Mutex::default(),
            woken,
            to_look_at: Mutex::new(Some(to_look_at)),
        }
    }
}

impl Hub {
    /// Hints that something may be new of these topics. To be called once it is committed; from any
    /// thread.
    pub fn wake(&self, topics: &[Topic]) {
        let entries = lock(&self.topics);
        for topic in topics {
            if let Some(entry) = entries.get(topic)
                && !entry.hinted.swap(true, Ordering::SeqCst)
            {
                // Fails when the server goes down, and then nobody waits any more.
                let _down = self.woken.send(*topic);
            }
        }
    }

    /// Hints at what another node has told.
    pub fn hear(&self, heard: &Heard) {
        match heard {
            Heard::Topics(topics) => self.wake(topics),
            Heard::Anything => self.wake_all(),
        }
    }

    /// Hints that anything may be new.
    pub fn wake_all(&self) {
        let topics: Vec<Topic> = lock(&self.topics).keys().copied().collect();
        self.wake(&topics);
    }

    /// How many topics are waited for.
    pub fn topics(&self) -> usize {
        lock(&self.topics).len()
    }

    /// Takes a place among those who wait for a topic. What happens from now on is not missed.
    pub(super) fn subscribe(self: &Arc<Self>, topic: Topic) -> Subscription {
        let mut topics = lock(&self.topics);
        let entry = topics.entry(topic).or_default();
        entry.readers.fetch_add(1, Ordering::SeqCst);
        Subscription {
            hub: Arc::clone(self),
            topic,
            news: entry.news.subscribe(),
            entry: Arc::clone(entry),
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut topics = lock(&self.hub.topics);
        // Counted under the lock: its receiver outlives this, and two that go at once would each take
        // the other for one that stays.
        let readers = self.entry.readers.fetch_sub(1, Ordering::SeqCst) - 1;
        if readers == 0 {
            topics.remove(&self.topic);
        }
    }
}

impl Subscription {
    /// What there is for a reader at a position.
    pub(super) fn next(&self, position: u64) -> Next {
        let told = lock(&self.entry.told);
        match told.position {
            None => Next::Behind(0),
            Some(last) if last <= position => Next::Nothing,
            Some(last) => match told.frames.front() {
                Some(first) if first.position <= position + 1 => {
                    let frames = told.frames.iter();
                    let next = frames.filter(|frame| frame.position > position);
                    Next::Frames(next.cloned().collect())
                }
                _ => Next::Behind(last - position),
            },
        }
    }

    /// Says that a reader has all that the tables hold up to a position, so that what is told begins
    /// there at the latest.
    pub(super) fn begin(&self, position: u64) {
        let begun = {
            let mut told = lock(&self.entry.told);
            let begun = told.position.is_none();
            told.position.get_or_insert(position);
            begun
        };
        if begun {
            // What came in between was not looked at: nobody had said where to begin.
            self.hub.wake(&[self.topic]);
        }
    }

    /// Waits until more is told.
    pub(super) async fn changed(&mut self) {
        // The entry holds the sender, and this holds the entry.
        let _told = self.news.changed().await;
    }

    /// What was told by now is known.
    pub(super) fn look(&mut self) {
        self.news.mark_unchanged();
    }
}

/// Serves the hub: looks at topics when they are hinted at, and now and then at all.
pub async fn run(state: web::Data<AppState>) {
    let Some(mut to_look_at) = lock(&state.hub.to_look_at).take() else {
        return;
    };
    let mut anyway = tokio::time::interval(LOOK_ANYWAY);
    loop {
        tokio::select! {
            topic = to_look_at.recv() => match topic {
                Some(topic) => begin_look(&state, topic),
                None => return,
            },
            _ = anyway.tick() => state.hub.wake_all(),
        }
    }
}

fn begin_look(state: &web::Data<AppState>, topic: Topic) {
    let entry = lock(&state.hub.topics).get(&topic).cloned();
    if let Some(entry) = entry
        && !entry.looking.swap(true, Ordering::SeqCst)
    {
        actix_web::rt::spawn(look(state.clone(), topic, entry));
    }
}

/// Tells what is new of a topic until nothing is.
async fn look(state: web::Data<AppState>, topic: Topic, entry: Arc<Entry>) {
    loop {
        entry.hinted.store(false, Ordering::SeqCst);
        let mut position = lock(&entry.told).position;
        while let Some(after) = position {
            let work = Arc::clone(&state);
            let read = state
                .database_work
                .try_run(move || page::read(&work, topic, after));
            position = match read.await {
                Ok(frames) if !frames.is_empty() => {
                    let last = frames.last().map(|frame| frame.position);
                    entry.tell(frames);
                    last
                }
                Ok(_) => None,
                Err(fault) => {
                    tracing::debug!(%fault, "cannot look for events; looking again later");
                    None
                }
            };
        }
        entry.looking.store(false, Ordering::SeqCst);
        // A hint that came meanwhile found somebody looking.
        let again = entry.hinted.load(Ordering::SeqCst);
        if !again || entry.looking.swap(true, Ordering::SeqCst) {
            return;
        }
    }
}

impl Entry {
    fn tell(&self, frames: Vec<Arc<Frame>>) {
        {
            let mut told = lock(&self.told);
            for frame in frames {
                told.position = Some(frame.position);
                told.frames.push_back(frame);
            }
            let surplus = told.frames.len().saturating_sub(RECENT);
            told.frames.drain(..surplus);
        }
        self.news.send_modify(|count| *count += 1);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What it guards is whole between any two of its uses.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
