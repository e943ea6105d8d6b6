//! One connection and its bytes.

use std::io::{self, Read, Write};
use std::net::SocketAddr;

use mio::net::TcpStream;

/// Room for what comes, to begin with; it grows with the answers.
const ROOM: usize = 1 << 10;

/// A keep-alive connection on which one request is under way at a time.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) stream: TcpStream,
    /// What is still to be sent.
    unsent: Vec<u8>,
    buffer: Vec<u8>,
    filled: usize,
}

/// A whole answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer<'a> {
    pub(super) status: u16,
    pub(super) body: &'a [u8],
}

impl Connection {
    pub(super) fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream: TcpStream::from_std(stream),
            unsent: Vec::new(),
            buffer: vec![0; ROOM],
            filled: 0,
        })
    }

    /// Sends a request; what the system does not take goes with [`Self::flush`].
    pub(super) fn send(&mut self, request: &[u8]) -> io::Result<()> {
        self.filled = 0;
        let sent = match self.stream.write(request) {
            Err(fault) if fault.kind() == io::ErrorKind::WouldBlock => 0,
            outcome => outcome?,
        };
        self.unsent.extend_from_slice(&request[sent..]);
        Ok(())
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        while !self.unsent.is_empty() {
            match self.stream.write(&self.unsent) {
                Err(fault) if fault.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                outcome => drop(self.unsent.drain(..outcome?)),
            }
        }
        Ok(())
    }

    /// The whole answer, once it is there. Reads until then or until nothing is left to read.
    pub(super) fn receive(&mut self) -> io::Result<Option<Answer<'_>>> {
        while self.read()? {
            if let Some((status, body, end)) = parse(&self.buffer[..self.filled])? {
                let body = &self.buffer[body..end];
                return Ok(Some(Answer { status, body }));
            }
        }
        Ok(None)
    }

    /// What has come since the last time, for whoever reads a stream; empty when nothing has.
    pub(super) fn drain(&mut self) -> io::Result<&[u8]> {
        self.filled = 0;
        while self.read()? {}
        Ok(&self.buffer[..self.filled])
    }

    /// Whether something came.
    fn read(&mut self) -> io::Result<bool> {
        if self.filled == self.buffer.len() {
            self.buffer.resize(2 * self.filled, 0);
        }
        match self.stream.read(&mut self.buffer[self.filled..]) {
            Ok(0) => Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the server closed the connection",
            )),
            Ok(read) => {
                self.filled += read;
                Ok(true)
            }
            Err(fault) if fault.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(fault) => Err(fault),
        }
    }
}

/// The status and where the body begins and ends, if it is all there.
fn parse(bytes: &[u8]) -> io::Result<Option<(u16, usize, usize)>> {
    let Some(head) = bytes.windows(4).position(|end| end == b"\r\n\r\n") else {
        return Ok(None);
    };
    let malformed = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let number = |digits: &[u8]| str::from_utf8(digits).ok()?.trim().parse::<usize>().ok();
    let status = bytes.get(9..12).and_then(number);
    let status = status.and_then(|status| u16::try_from(status).ok());
    let status = status.ok_or_else(|| malformed("an answer without a status"))?;
    let length = bytes[..head].split(|byte| *byte == b'\n').find_map(|line| {
        let (name, value) = line.split_at_checked(15)?;
        name.eq_ignore_ascii_case(b"content-length:")
            .then(|| number(value))?
    });
    let length = match length {
        Some(length) => length,
        None if [204, 304].contains(&status) => 0,
        None => return Err(malformed("an answer without a content-length")),
    };
    let (body, end) = (head + 4, head + 4 + length);
    Ok((bytes.len() >= end).then_some((status, body, end)))
}

/// The first lines of a request up to the number of its `content-length`.
pub(super) fn head(method: &str, path: &str, host: SocketAddr, token: &str) -> Vec<u8> {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: "
    )
    .into_bytes()
}

/// A request: its head, and a body.
pub(super) fn write_request(out: &mut Vec<u8>, head: &[u8], body: &[u8]) {
    out.extend_from_slice(head);
    let _ = write!(out, "{}\r\n\r\n", body.len());
    out.extend_from_slice(body);
}
