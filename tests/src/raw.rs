//! Requests that no HTTP client would send.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Sends `bytes` to `address`, closes the sending side, and gives what comes back until the server
/// closes the connection. A server that hangs up early is no fault.
pub fn exchange(address: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    // The server may refuse before it has read everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return String::from_utf8_lossy(&answer).into_owned(),
            Ok(read) => answer.extend_from_slice(&buffer[..read]),
        }
    }
}

/// The status of an answer in text; `None` when nothing like one came.
pub fn status(answer: &str) -> Option<u16> {
    answer.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()
}
