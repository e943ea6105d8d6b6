//! Hints from node to node that something is new, by `LISTEN` and `NOTIFY` of PostgreSQL.
//!
//! They are sent after the commit, by a connection of their own: within a transaction they would make
//! all commits wait for each other. So one may be lost when a node dies, and who waits for events looks
//! at the tables now and then without one.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::io;
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_postgres::{AsyncMessage, Client, Config, NoTls};
use uuid::Uuid;

use crate::topic::Topic;

const CHANNEL: &str = "reveille";
/// How many topics one notification names: it may have less than 8,000 bytes.
const TOPICS: usize = 200;
/// How long hints are gathered after some were sent: each notification is a transaction of its own, and
/// takes as long as a move.
const GATHERED: Duration = Duration::from_millis(5);
/// How long after a lost connection the next one is tried.
const PAUSE: Duration = Duration::from_secs(1);

/// What was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// Something may be new of these.
    Topics(Vec<Topic>),
    /// Hints may have been lost: anything may be new.
    Anything,
}

/// Tells the other nodes. The thread that does it ends with this.
pub struct Notifier {
    queue: UnboundedSender<Topic>,
}

impl Notifier {
    /// Begins to listen, and to tell. `heard` is called for what other nodes tell.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn start(
        url: &str,
        heard: impl Fn(Heard) + Send + 'static,
    ) -> io::Result<Option<Self>> {
        // The words of libpq are not all known here.
        let config: Config = match url.parse() {
            Ok(config) => config,
            Err(fault) => {
                tracing::warn!(%fault, "no hints between nodes: the URL of the database is not understood");
                return Ok(None);
            }
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (queue, told) = unbounded_channel();
        let node = Node {
            config,
            name: Uuid::now_v7().simple().to_string(),
            heard,
        };
        thread::Builder::new()
            .name("notices".to_owned())
            .spawn(move || runtime.block_on(node.serve(told)))?;
        Ok(Some(Self { queue }))
    }

    /// Tells the other nodes that something may be new of these topics. Once it is committed.
    pub fn tell(&self, topics: &[Topic]) {
        for topic in topics {
            // Fails when the thread is gone, and then the others look by themselves.
            let _gone = self.queue.send(*topic);
        }
    }
}

struct Node<F> {
    config: Config,
    /// Tells the notices of this node from those of others.
    name: String,
    heard: F,
}

/// Why a connection was given up.
enum Ended {
    /// Nobody has anything more to tell.
    Stopped,
    Lost(tokio_postgres::Error),
}

impl From<tokio_postgres::Error> for Ended {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Lost(error)
    }
}

impl<F: Fn(Heard)> Node<F> {
    async fn serve(self, mut told: UnboundedReceiver<Topic>) {
        while let Ended::Lost(fault) = self.connected(&mut told).await {
            tracing::debug!(%fault, "no hints between nodes for a moment");
            tokio::time::sleep(PAUSE).await;
            if told.is_closed() {
                return;
            }
        }
    }

    /// Listens and tells until the connection is lost.
    async fn connected(&self, told: &mut UnboundedReceiver<Topic>) -> Ended {
        let (client, mut connection) = match self.config.connect(NoTls).await {
            Ok(connected) => connected,
            Err(fault) => return fault.into(),
        };
        let listen = async {
            while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
                if let AsyncMessage::Notification(notification) = message? {
                    self.hear(notification.payload());
                }
            }
            Ok(())
        };
        tokio::select! {
            outcome = listen => match outcome {
                // It ends by itself only when the client is gone.
                Ok(()) => Ended::Stopped,
                Err(fault) => Ended::Lost(fault),
            },
            ended = self.tell(&client, told) => ended,
        }
    }

    async fn tell(&self, client: &Client, told: &mut UnboundedReceiver<Topic>) -> Ended {
        match self.gather_and_tell(client, told).await {
            Ok(()) => Ended::Stopped,
            Err(fault) => fault.into(),
        }
    }

    async fn gather_and_tell(
        &self,
        client: &Client,
        told: &mut UnboundedReceiver<Topic>,
    ) -> Result<(), tokio_postgres::Error> {
        // A hint need not outlive the database: nothing waits for the disk.
        let begin = format!("SET synchronous_commit = off; LISTEN {CHANNEL}");
        client.batch_execute(&begin).await?;
        let notify = client.prepare("SELECT pg_notify($1, $2)").await?;
        (self.heard)(Heard::Anything);
        let mut topics = Vec::new();
        while told.recv_many(&mut topics, TOPICS).await > 0 {
            let words: BTreeSet<String> = topics.drain(..).map(Topic::to_word).collect();
            let notice = words
                .iter()
                .fold(self.name.clone(), |notice, word| notice + " " + word);
            client.execute(&notify, &[&CHANNEL, &notice]).await?;
            tokio::time::sleep(GATHERED).await;
        }
        Ok(())
    }

    fn hear(&self, notice: &str) {
        let mut words = notice.split(' ');
        if words.next() == Some(&self.name) {
            return;
        }
        let topics: Vec<Topic> = words.filter_map(Topic::from_word).collect();
        (self.heard)(Heard::Topics(topics));
    }
}
