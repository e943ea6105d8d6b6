use std::io::{self, Write};
use std::mem;
use std::time::{Duration, Instant};

use actix_web::web::Bytes;
use async_graphql::futures_util::Stream;
use async_graphql::futures_util::stream::unfold;
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

/// How long a client may let the server wait before it loses its place.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Each part that a client reads gives it back this share of the patience: two seconds for 64 KiB, so that it has
/// to read 32 KiB a second.
const EARNED: u32 = 15;

/// How many bytes are handed over at once, and how many such parts may wait for the client.
const PART_BYTES: usize = 64 << 10;
const PARTS: usize = 4;

/// A part of an answer that a thread writes.
#[derive(Debug)]
pub enum Part {
    /// Some of it.
    Bytes(Bytes),
    /// Its end. Without one it is not whole.
    End,
}

/// The answer ends before its end: the client sees that the connection does.
#[derive(Debug, Error)]
#[error("the export ended early")]
pub struct Broken;

/// What a thread for blocking work writes an answer to. It waits for a client that reads slowly, for so long,
/// and takes nothing more when the client is gone or the server goes down.
pub struct Pipe {
    parts: mpsc::Sender<Part>,
    buffer: Vec<u8>,
    patience: Duration,
    /// What is left of it.
    left: Duration,
    stopping: watch::Receiver<bool>,
    runtime: Handle,
}

impl Pipe {
    /// A pipe, and what comes out of it. To be called within the runtime that the other end is read in.
    pub fn new(
        patience: Duration,
        stopping: watch::Receiver<bool>,
    ) -> (Self, mpsc::Receiver<Part>) {
        let (parts, taken) = mpsc::channel(PARTS);
        let pipe = Self {
            parts,
            buffer: Vec::with_capacity(PART_BYTES),
            patience,
            left: patience,
            stopping,
            runtime: Handle::current(),
        };
        (pipe, taken)
    }

    /// Says that the answer is whole.
    ///
    /// # Errors
    /// As for writing.
    pub fn end(mut self) -> io::Result<()> {
        self.flush()?;
        self.send(Part::End)
    }

    fn send(&mut self, part: Part) -> io::Result<()> {
        let Self {
            parts,
            left,
            stopping,
            ..
        } = self;
        let (left, asked) = (*left, Instant::now());
        let sent = self.runtime.block_on(async move {
            tokio::select! {
                biased;
                _ = stopping.wait_for(|stopping| *stopping) => {
                    Err(io::Error::other("the server goes down"))
                }
                sent = timeout(left, parts.send(part)) => match sent {
                    Ok(Ok(())) => Ok(()),
                    Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
                    Err(_) => Err(io::ErrorKind::TimedOut.into()),
                },
            }
        });
        let left = left.saturating_sub(asked.elapsed()) + self.patience / EARNED;
        self.left = left.min(self.patience);
        sent
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= PART_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let part = mem::replace(&mut self.buffer, Vec::with_capacity(PART_BYTES));
        self.send(Part::Bytes(part.into()))
    }
}

/// What comes out of a pipe as the body of an answer.
pub fn parts(taken: mpsc::Receiver<Part>) -> impl Stream<Item = Result<Bytes, Broken>> {
    unfold(Some(taken), async |taken| {
        let mut taken = taken?;
        match taken.recv().await {
            Some(Part::Bytes(bytes)) => Some((Ok(bytes), Some(taken))),
            Some(Part::End) => None,
            None => Some((Err(Broken), None)),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use async_graphql::futures_util::StreamExt;
    use tokio::task::spawn_blocking;
    use tokio::time::sleep;

    use super::*;

    const LONG: Duration = Duration::from_mins(10);

    /// Everything that comes out, and whether that was all.
    async fn read(taken: mpsc::Receiver<Part>) -> (usize, bool) {
        let mut stream = pin!(parts(taken));
        let mut length = 0;
        while let Some(part) = stream.next().await {
            match part {
                Ok(bytes) => length += bytes.len(),
                Err(Broken) => return (length, false),
            }
        }
        (length, true)
    }

    /// Who reads a part now and then holds nothing up for ever.
    #[actix_web::test]
    async fn a_client_has_to_read_at_a_rate() {
        let (_stop, stopping) = watch::channel(false);
        let patience = Duration::from_millis(300);
        let (pipe, mut taken) = Pipe::new(patience, stopping);
        let written = spawn_blocking(move || write(pipe, 100 * 64));
        let mut read = 0;
        while taken.recv().await.is_some() {
            read += 1;
            sleep(patience / 4).await;
        }
        assert!((PARTS..40).contains(&read), "{read} parts");
        let fault = written.await.unwrap().unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::TimedOut);
    }

    fn write(mut pipe: Pipe, kib: usize) -> io::Result<()> {
        for _ in 0..kib {
            pipe.write_all(&[0; 1 << 10])?;
        }
        pipe.end()
    }

    #[actix_web::test]
    async fn what_is_written_comes_out_and_then_its_end() {
        let (_stop, stopping) = watch::channel(false);
        for kib in [0, 1, 2_000] {
            let (pipe, taken) = Pipe::new(LONG, stopping.clone());
            let written = spawn_blocking(move || write(pipe, kib));
            assert_eq!(read(taken).await, (kib << 10, true));
            assert!(written.await.unwrap().is_ok());
        }
    }

    #[actix_web::test]
    async fn without_an_end_it_is_broken() {
        let (_stop, stopping) = watch::channel(false);
        let (mut pipe, taken) = Pipe::new(LONG, stopping);
        let written = spawn_blocking(move || pipe.write_all(&vec![0; PART_BYTES]));
        assert_eq!(read(taken).await, (PART_BYTES, false));
        assert!(written.await.unwrap().is_ok());
    }

    /// Whoever is gone, does not read, or reads while the server goes down, holds nothing up.
    #[actix_web::test]
    async fn nobody_is_waited_for_in_vain() {
        let (stop, stopping) = watch::channel(false);
        let kind = async |pipe: Pipe| {
            let written = spawn_blocking(move || write(pipe, 2_000));
            written.await.unwrap().map_err(|fault| fault.kind())
        };
        let (pipe, taken) = Pipe::new(LONG, stopping.clone());
        drop(taken);
        assert_eq!(kind(pipe).await, Err(io::ErrorKind::BrokenPipe));
        let (pipe, taken) = Pipe::new(Duration::from_millis(1), stopping.clone());
        assert_eq!(kind(pipe).await, Err(io::ErrorKind::TimedOut));
        // What was written before comes out, and says that it is not all.
        assert_eq!(read(taken).await, (PARTS * PART_BYTES, false));
        stop.send_replace(true);
        let (pipe, _taken) = Pipe::new(LONG, stopping);
        assert_eq!(kind(pipe).await, Err(io::ErrorKind::Other));
    }
}
