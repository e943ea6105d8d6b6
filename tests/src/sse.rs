//! A client of Server-Sent Events on a bare socket, so that nothing is smoothed over on the way.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use socket2::{Domain, Type};

use crate::client::Client;
use crate::response::Response;

/// How long nothing may come before a test has failed: a guard against hanging, and less than what a
/// server that lost a hint takes to look by itself.
pub const PATIENCE: Duration = Duration::from_secs(18);

/// An event as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its `id`, if it has one of its own.
    pub id: Option<String>,
    /// Its kind.
    pub name: String,
    /// Its data, as it was written.
    pub data: String,
}

/// A part of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// An event.
    Event(Event),
    /// How long to wait before asking again, in milliseconds.
    Retry(u64),
    /// A comment.
    Comment(String),
    /// The answer is whole.
    End,
    /// The connection broke before the answer was whole.
    Broken,
}

/// An open stream.
#[derive(Debug)]
pub struct EventStream {
    socket: BufReader<TcpStream>,
    /// The status and the headers; the body is empty.
    pub head: Response,
    /// What was decoded and not yet read.
    text: Vec<u8>,
    ready: VecDeque<Part>,
    /// Set once nothing more comes.
    over: Option<Part>,
}

impl Event {
    /// Its number.
    #[track_caller]
    pub fn number(&self) -> u64 {
        let id = self.id.as_deref().and_then(|id| id.parse().ok());
        id.unwrap_or_else(|| panic!("no number: {self:?}"))
    }

    /// Its data.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl EventStream {
    /// Follows `path` as `client`, after the event of an `id` if one is given.
    #[track_caller]
    pub fn open(client: &Client, path: &str, after: Option<&str>) -> Self {
        let after = after.map(|id| ("Last-Event-ID", id));
        let opened = Self::send(client, "GET", path, after.as_slice());
        assert_eq!(opened.head.status, 200, "{:?}", opened.head);
        opened
    }

    /// Follows `path` on a connection that takes little at a time: what is not read soon waits in the
    /// server, and not in the system.
    #[track_caller]
    pub fn open_narrow(client: &Client, path: &str) -> Self {
        let address: SocketAddr = address(client).parse().unwrap();
        let socket = socket2::Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.set_recv_buffer_size(2_048).unwrap();
        socket.set_tcp_mss(536).unwrap();
        socket.connect(&address.into()).unwrap();
        let opened = Self::send_over(socket.into(), client, "GET", path, &[]);
        assert_eq!(opened.head.status, 200, "{:?}", opened.head);
        opened
    }

    /// Asks for a stream and reads the head of whatever is answered.
    pub fn send(client: &Client, method: &str, path: &str, headers: &[(&str, &str)]) -> Self {
        let socket = TcpStream::connect(address(client)).unwrap();
        Self::send_over(socket, client, method, path, headers)
    }

    fn send_over(
        mut socket: TcpStream,
        client: &Client,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Self {
        let address = address(client);
        socket.set_read_timeout(Some(PATIENCE)).unwrap();
        let token = client.token.iter();
        let token = token.map(|token| format!("authorization: Bearer {token}"));
        let more = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}"));
        let first = [
            format!("{method} {path} HTTP/1.1"),
            format!("host: {address}"),
            "accept: text/event-stream".to_owned(),
            "accept-encoding: gzip, br".to_owned(),
        ];
        let lines: Vec<String> = first.into_iter().chain(token).chain(more).collect();
        let request = lines.join("\r\n") + "\r\n\r\n";
        socket.write_all(request.as_bytes()).unwrap();
        let mut socket = BufReader::new(socket);
        let status = line(&mut socket);
        let mut headers = Vec::new();
        loop {
            let header = line(&mut socket);
            if header.is_empty() {
                break;
            }
            let (name, value) = header.split_once(": ").expect("a header");
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let status = status.split(' ').nth(1).and_then(|code| code.parse().ok());
        Self {
            socket,
            head: Response {
                asked: (method.to_owned(), path.to_owned()),
                status: status.expect("a status"),
                headers,
                body: Vec::new(),
            },
            text: Vec::new(),
            ready: VecDeque::new(),
            over: None,
        }
    }

    /// The next part, whatever it is. [`Part::End`] and [`Part::Broken`] come again and again.
    #[track_caller]
    pub fn part(&mut self) -> Part {
        loop {
            if let Some(part) = self.ready.pop_front() {
                return part;
            }
            let end = self.text.windows(2).position(|two| two == b"\n\n");
            if let Some(end) = end {
                let block: Vec<u8> = self.text.drain(..end + 2).collect();
                self.read_block(std::str::from_utf8(&block).expect("UTF-8"));
                continue;
            }
            if let Some(over) = &self.over {
                assert!(self.text.is_empty(), "half an event: {:?}", self.text);
                return over.clone();
            }
            self.chunk();
        }
    }

    /// The next event; the stream must go on. It comes before the heart beats: a server that lost a hint
    /// finds what is new by itself, but later.
    #[track_caller]
    pub fn event(&mut self) -> Event {
        loop {
            match self.part() {
                Part::Event(event) if event.name == "closing" => {
                    panic!("{:?}: {event:?}", self.head.asked)
                }
                Part::Event(event) => return event,
                Part::Retry(_) => {}
                other => panic!("{:?}: no event but {other:?}", self.head.asked),
            }
        }
    }

    /// So many events, in the order in which they came.
    #[track_caller]
    pub fn events(&mut self, count: usize) -> Vec<Event> {
        (0..count).map(|_| self.event()).collect()
    }

    /// All events up to the one of a number, that one included.
    #[track_caller]
    pub fn up_to(&mut self, number: u64) -> Vec<Event> {
        let mut events = Vec::new();
        while events
            .last()
            .is_none_or(|last: &Event| last.number() < number)
        {
            events.push(self.event());
        }
        events
    }

    /// The next event, or a `closing`.
    #[track_caller]
    pub fn event_or_closing(&mut self) -> Event {
        loop {
            match self.part() {
                Part::Event(event) => return event,
                Part::Retry(_) => {}
                other => panic!("{:?}: no event but {other:?}", self.head.asked),
            }
        }
    }

    /// The reason that the next event, a `closing`, gives; the answer must be whole after it.
    #[track_caller]
    pub fn closing(&mut self) -> String {
        let event = self.event_or_closing();
        assert_eq!(
            (event.name.as_str(), &event.id),
            ("closing", &None),
            "{event:?}"
        );
        assert_eq!(self.part(), Part::End);
        crate::client::text(&event.json()["reason"])
    }

    fn read_block(&mut self, block: &str) {
        let mut event = Event {
            id: None,
            name: String::new(),
            data: String::new(),
        };
        let mut is_event = false;
        for line in block.lines().filter(|line| !line.is_empty()) {
            let (field, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
            match field {
                "" => self.ready.push_back(Part::Comment(value)),
                "retry" => {
                    let retry = value.parse().expect("a number of milliseconds");
                    self.ready.push_back(Part::Retry(retry));
                }
                "id" => event.id = Some(value),
                "event" => (event.name, is_event) = (value, true),
                "data" => {
                    assert!(event.data.is_empty(), "data of many lines: {block}");
                    (event.data, is_event) = (value, true);
                }
                other => panic!("no field of an event stream: {other:?} in {block}"),
            }
        }
        if is_event {
            self.ready.push_back(Part::Event(event));
        }
    }

    /// Takes in one more chunk of the body.
    fn chunk(&mut self) {
        let mut size = String::new();
        if !self.take(|socket| socket.read_line(&mut size).map(|read| read > 0)) {
            return;
        }
        let size = usize::from_str_radix(size.trim(), 16).expect("the size of a chunk");
        let mut chunk = vec![0; size + 2];
        if self.take(|socket| socket.read_exact(&mut chunk).map(|()| true)) {
            self.text.extend_from_slice(&chunk[..size]);
            if size == 0 {
                self.over = Some(Part::End);
            }
        }
    }

    /// Whether something could be read; the stream is broken if not.
    fn take(
        &mut self,
        read: impl FnOnce(&mut BufReader<TcpStream>) -> std::io::Result<bool>,
    ) -> bool {
        let taken = read(&mut self.socket);
        let hangs = |kind| matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut);
        if let Err(error) = &taken {
            let asked = &self.head.asked;
            assert!(
                !hangs(error.kind()),
                "{asked:?}: nothing came for {PATIENCE:?}"
            );
        }
        let taken = taken.unwrap_or(false);
        if !taken {
            self.over = Some(Part::Broken);
        }
        taken
    }

    /// Whether the other end closes the connection after the head, with nothing more to read. For
    /// answers without a body.
    pub fn is_closed(&mut self) -> bool {
        let mut byte = [0];
        matches!(self.socket.read(&mut byte), Ok(0))
    }

    /// Sends one more request on the same connection, and gives the first line of its answer.
    pub fn send_again(&mut self, request: &str) -> String {
        self.socket.get_mut().write_all(request.as_bytes()).unwrap();
        line(&mut self.socket)
    }
}

/// `HOST:PORT`.
fn address(client: &Client) -> &str {
    client.base().trim_start_matches("http://")
}

fn line(socket: &mut BufReader<TcpStream>) -> String {
    let mut line = String::new();
    socket.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}
