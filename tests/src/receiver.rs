//! What listens where a server sends something by itself: webhooks, and push services.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver as Queue, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::sse::PATIENCE;

/// How it answers a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// With a status.
    Status(u16),
    /// With a redirect to there.
    Redirect(String),
    /// By closing the connection.
    Close,
    /// Not at all, or not before [`let_go`](Receiver::let_go).
    Hang,
}

/// A request that came.
#[derive(Debug, Clone)]
pub struct Received {
    /// Its path.
    pub path: String,
    /// Its headers, by their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// Its body.
    pub body: Vec<u8>,
    /// How it was answered.
    pub reply: Reply,
}

/// A listener that answers as it is told, and tells what came.
pub struct Receiver {
    address: SocketAddr,
    received: Queue<Received>,
    replies: Arc<Mutex<Replies>>,
}

struct Replies {
    /// To the next requests.
    next: Vec<Reply>,
    /// To all others.
    then: Reply,
    /// The connections that hang.
    held: Vec<TcpStream>,
}

impl Receiver {
    /// One that takes everything.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, received) = channel();
        let replies = Arc::new(Mutex::new(Replies {
            next: Vec::new(),
            then: Reply::Status(204),
            held: Vec::new(),
        }));
        let shared = Arc::clone(&replies);
        // It ends with the process of the test.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (tell, shared) = (tell.clone(), Arc::clone(&shared));
                thread::spawn(move || answer(stream, &tell, &shared));
            }
        });
        Self {
            address,
            received,
            replies,
        }
    }

    /// Where it is.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// How it answers the next requests, and all after them.
    pub fn reply(&self, next: &[Reply], then: Reply) {
        let mut replies = self.replies.lock().unwrap();
        replies.next = next.to_vec();
        replies.then = then;
    }

    /// Answers all requests that hang with a status. Those that came are surely among them: a request is
    /// told of while it is put there.
    pub fn let_go(&self, status: u16) {
        for stream in self.replies.lock().unwrap().held.drain(..) {
            // The server may have given it up.
            let _over = say(stream, &format!("{status} Said"));
        }
    }

    /// The next request, which is waited for.
    pub fn next(&self) -> Received {
        let received = self.received.recv_timeout(PATIENCE);
        received.expect("nothing came")
    }

    /// The next requests.
    pub fn take(&self, count: usize) -> Vec<Received> {
        (0..count).map(|_| self.next()).collect()
    }

    /// How many requests came and were not asked for yet.
    pub fn count(&self) -> usize {
        self.received.try_iter().count()
    }

    /// Whether nothing comes for a moment.
    pub fn is_quiet(&self, moment: Duration) -> bool {
        self.received.recv_timeout(moment).is_err()
    }
}

impl Received {
    /// A header.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The number of the event.
    pub fn number(&self) -> u64 {
        self.json()["id"].as_u64().unwrap()
    }
}

fn say(mut stream: TcpStream, head: &str) -> Option<()> {
    let text = format!("HTTP/1.1 {head}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    stream.write_all(text.as_bytes()).ok()
}

fn answer(stream: TcpStream, tell: &Sender<Received>, replies: &Mutex<Replies>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let length = headers.get("content-length")?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let stream = reader.into_inner();
    let mut replies = replies.lock().unwrap();
    let reply = if replies.next.is_empty() {
        replies.then.clone()
    } else {
        replies.next.remove(0)
    };
    // Nobody may listen any more.
    let _over = tell.send(Received {
        path,
        headers,
        body,
        reply: reply.clone(),
    });
    let head = match reply {
        Reply::Status(status) => format!("{status} Said"),
        Reply::Redirect(to) => format!("307 Elsewhere\r\nlocation: {to}"),
        Reply::Close => return None,
        Reply::Hang => {
            replies.held.push(stream);
            return None;
        }
    };
    drop(replies);
    say(stream, &head)
}
