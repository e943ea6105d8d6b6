//! A server of mail that takes everything and shows it to the test.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// Speaks as much SMTP as is needed, in plain text.
#[derive(Debug)]
pub struct Mailbox {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    mails: Mutex<Vec<Mail>>,
    is_closed: AtomicBool,
    is_gone: AtomicBool,
}

/// A mail that came.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The address of the envelope.
    pub to: String,
    /// All of it, as it came.
    pub text: String,
}

impl Mailbox {
    /// Listens on a port of its own.
    pub fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::<Shared>::default();
        let ours = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if ours.is_gone.load(Ordering::SeqCst) {
                    return;
                }
                let shared = Arc::clone(&ours);
                let stream = stream.unwrap();
                // A client that goes away is no fault.
                thread::spawn(move || drop(serve(&stream, &shared)));
            }
        });
        Self { address, shared }
    }

    /// Its URL.
    pub fn url(&self) -> String {
        format!("smtp://tester:smtp-secret@{}", self.address)
    }

    /// From now on it hangs up on everybody, or takes mail again.
    pub fn close(&self, is_closed: bool) {
        self.shared.is_closed.store(is_closed, Ordering::SeqCst);
    }

    /// What came since this was asked last, in the order in which it came.
    pub fn take(&self) -> Vec<Mail> {
        std::mem::take(&mut *self.shared.mails.lock().unwrap())
    }

    /// The one mail that came since.
    #[track_caller]
    pub fn only(&self) -> Mail {
        let mut mails = self.take();
        assert_eq!(mails.len(), 1, "{mails:#?}");
        mails.remove(0)
    }
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        self.shared.is_gone.store(true, Ordering::SeqCst);
        // Wakes the thread that listens.
        let _woken = TcpStream::connect(self.address);
    }
}

fn serve(stream: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let mut answer = stream;
    let mut to = String::new();
    answer.write_all(b"220 mailbox.test\r\n")?;
    while let Some(line) = lines.next().transpose()? {
        if shared.is_closed.load(Ordering::SeqCst) {
            return Ok(());
        }
        let verb = line.split([' ', ':']).next().unwrap_or_default();
        let said: &[u8] = match verb.to_ascii_uppercase().as_str() {
            "EHLO" => b"250-mailbox.test\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n",
            "AUTH" => b"235 welcome\r\n",
            "RCPT" => {
                let address = line.split(['<', '>']).nth(1);
                address.unwrap_or_default().clone_into(&mut to);
                b"250 ok\r\n"
            }
            "DATA" => {
                answer.write_all(b"354 go on\r\n")?;
                let mut text = String::new();
                for line in lines.by_ref() {
                    let line = line?;
                    if line == "." {
                        break;
                    }
                    text += line.strip_prefix('.').unwrap_or(&line);
                    text += "\n";
                }
                let to = to.clone();
                shared.mails.lock().unwrap().push(Mail { to, text });
                b"250 taken\r\n"
            }
            "QUIT" => {
                answer.write_all(b"221 bye\r\n")?;
                return Ok(());
            }
            _ => b"250 ok\r\n",
        };
        answer.write_all(said)?;
    }
    Ok(())
}

impl Mail {
    /// A header, unfolded.
    pub fn header(&self, name: &str) -> Option<String> {
        let (head, _) = self.text.split_once("\n\n")?;
        let unfolded = head.replace("\n ", " ").replace("\n\t", " ");
        let prefix = format!("{}:", name.to_ascii_lowercase());
        let line = unfolded
            .lines()
            .find(|line| line.to_ascii_lowercase().starts_with(&prefix))?;
        Some(line[prefix.len()..].trim().to_owned())
    }

    /// The subject.
    pub fn subject(&self) -> String {
        self.header("subject").unwrap_or_default()
    }

    /// What it says as plain text.
    pub fn plain(&self) -> String {
        self.part("text/plain")
    }

    /// What it says as HTML.
    pub fn html(&self) -> String {
        self.part("text/html")
    }

    fn part(&self, kind: &str) -> String {
        let (_, rest) = self
            .text
            .split_once(&format!("Content-Type: {kind}"))
            .unwrap_or_else(|| panic!("no {kind}: {}", self.text));
        let (head, rest) = rest.split_once("\n\n").expect("a body");
        let (_, boundary) = self.text.split_once("boundary=\"").expect("a boundary");
        let boundary = boundary.split('"').next().unwrap_or_default();
        let body = rest
            .split(&format!("\n--{boundary}"))
            .next()
            .unwrap_or_default();
        if head.contains("quoted-printable") {
            from_quoted_printable(body)
        } else {
            body.to_owned()
        }
    }

    /// The link of the mail that leads to that page: path and query.
    #[track_caller]
    pub fn link(&self, page: &str) -> String {
        let plain = self.plain();
        let start = plain
            .find(page)
            .unwrap_or_else(|| panic!("no link to {page}: {plain}"));
        let link = plain[start..].split_whitespace().next();
        link.unwrap_or_default().to_owned()
    }

    /// The token of that link.
    #[track_caller]
    pub fn token(&self, page: &str) -> String {
        let link = self.link(page);
        let (_, token) = link.split_once("?token=").expect("a token");
        token.to_owned()
    }
}

fn from_quoted_printable(text: &str) -> String {
    let text = text.replace("=\n", "");
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = tail.get(..2).filter(|_| *first == b'=');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).unwrap()
}
