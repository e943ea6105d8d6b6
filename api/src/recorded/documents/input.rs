use std::io::{self, BufRead, ErrorKind, Read};
use std::sync::Arc;

use flate2::bufread::GzDecoder;

use super::spent::Spent;
use super::zip::Zip;
use crate::recorded::rejection::{Code, Fault};

/// How much is read at once.
const BUFFER: usize = 64 << 10;

/// From how many bytes on data may be called a bomb.
const BOMB_FLOOR: u64 = 1 << 20;

/// How many times as long as they were packed bytes may become. Games become some ten times as long, and the
/// same game over and over a hundred times; a bomb a thousand.
const BOMB_RATIO: u64 = 400;

/// Where bytes come from.
pub(super) enum Feed {
    /// A file, or whatever can be read.
    Source(Box<dyn Read + Send>),
    /// The entry of an archive that is being read.
    Entry(Box<Zip>),
    /// Data that was packed by itself.
    Gzip(Box<Gzip>),
}

impl Read for Feed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Source(source) => source.read(into),
            Self::Entry(zip) => zip.read(into),
            Self::Gzip(gzip) => gzip.read(into),
        }
    }
}

/// A feed with what was read ahead of it.
pub(super) struct Input {
    feed: Feed,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// How many bytes were taken out.
    taken: u64,
}

impl Input {
    pub(super) fn new(feed: Feed) -> Self {
        Self {
            feed,
            buffer: vec![0; BUFFER],
            start: 0,
            end: 0,
            taken: 0,
        }
    }

    /// Nothing.
    fn empty() -> Self {
        Self {
            feed: Feed::Source(Box::new(io::empty())),
            buffer: Vec::new(),
            start: 0,
            end: 0,
            taken: 0,
        }
    }

    /// Looks at the next bytes, fewer at the end; `count` is far below what is read at once.
    pub(super) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        if self.end - self.start < count {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            while self.end < count && self.fill()? > 0 {}
        }
        let end = self.end.min(self.start + count);
        Ok(&self.buffer[self.start..end])
    }

    /// How many bytes were taken out.
    pub(super) const fn taken(&self) -> u64 {
        self.taken
    }

    pub(super) const fn is_gzip(&self) -> bool {
        matches!(self.feed, Feed::Gzip(_))
    }

    /// The feed; what was read ahead of it is lost.
    pub(super) fn into_feed(self) -> Feed {
        self.feed
    }

    fn fill(&mut self) -> io::Result<usize> {
        let room = &mut self.buffer[self.end..];
        loop {
            match self.feed.read(room) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(count) => {
                    self.end += count;
                    return Ok(count);
                }
            }
        }
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(into.len());
        into[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Input {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            self.fill()?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, count: usize) {
        let count = count.min(self.end - self.start);
        self.start += count;
        self.taken += u64::try_from(count).unwrap_or(u64::MAX);
    }
}

/// Unpacks gzip, one part after the other.
pub(super) struct Gzip {
    decoder: GzDecoder<Input>,
    unpacked: u64,
    spent: Arc<Spent>,
}

impl Gzip {
    pub(super) fn new(input: Input, spent: Arc<Spent>) -> Self {
        Self {
            decoder: GzDecoder::new(input),
            unpacked: 0,
            spent,
        }
    }

    pub(super) fn into_input(self) -> Input {
        self.decoder.into_inner()
    }

    /// Goes on behind a part, unless nothing follows but zeros, as a tape has them.
    fn next_part(&mut self) -> io::Result<bool> {
        let input = self.decoder.get_mut();
        loop {
            let available = input.fill_buf()?;
            if available.is_empty() {
                return Ok(false);
            }
            let zeros = available.iter().take_while(|byte| **byte == 0).count();
            let is_part = zeros < available.len();
            input.consume(zeros);
            if is_part {
                break;
            }
        }
        let input = self.decoder.reset(Input::empty());
        self.decoder.reset(input);
        Ok(true)
    }
}

impl Read for Gzip {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut count = self.decoder.read(into)?;
        while count == 0 && !into.is_empty() && self.next_part()? {
            count = self.decoder.read(into)?;
        }
        self.unpacked += u64::try_from(count).unwrap_or(u64::MAX);
        self.spent.count_bytes(count)?;
        check_ratio(self.decoder.get_ref().taken(), self.unpacked)?;
        Ok(count)
    }
}

/// Refuses data that grows beyond measure.
pub(super) fn check_ratio(packed: u64, unpacked: u64) -> io::Result<()> {
    if unpacked < BOMB_FLOOR || unpacked / BOMB_RATIO <= packed {
        return Ok(());
    }
    let detail = format!("{packed} bytes unpack to more than {BOMB_RATIO} times as many");
    Err(fault(Code::ZipBomb, detail))
}

/// A fault on its way through a reader.
pub(super) fn fault(code: Code, detail: impl Into<String>) -> io::Error {
    let error = InputFault(Fault::new(code, detail));
    io::Error::other(error)
}

/// The fault of an archive that is cut short within an entry: it stays one for all that read through it.
pub(super) fn cut_short_here() -> io::Error {
    let detail = "the archive is cut short here";
    let error = InputFault(Fault::new(Code::DamagedArchive, detail));
    io::Error::new(ErrorKind::UnexpectedEof, error)
}

/// What a reader says of its fault; one that is not ours is the system's, or of the packed data.
pub(super) fn fault_of(error: &io::Error) -> Fault {
    let ours = error.get_ref().and_then(|inner| inner.downcast_ref());
    if let Some(InputFault(fault)) = ours {
        return fault.clone();
    }
    let code = match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::InvalidInput => {
            Code::DamagedArchive
        }
        _ => Code::Unreadable,
    };
    Fault::new(code, error.to_string())
}

#[derive(Debug, thiserror::Error)]
#[error("{}", .0.detail)]
struct InputFault(Fault);

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::super::MAX_UNPACKED;
    use super::*;

    /// What gzip unpacks counts like what an archive does.
    #[test]
    fn gzip_is_bounded() {
        for (left, code) in [(3, None), (2, Some(Code::ArchiveTooLarge))] {
            let spent = Arc::new(Spent::default());
            spent
                .count_bytes(usize::try_from(MAX_UNPACKED).unwrap() - left)
                .unwrap();
            let mut packed = GzEncoder::new(Vec::new(), Compression::default());
            packed.write_all(b"abc").unwrap();
            let packed = io::Cursor::new(packed.finish().unwrap());
            let input = Input::new(Feed::Source(Box::new(packed)));
            let read = Gzip::new(input, spent).read_to_end(&mut Vec::new());
            assert_eq!(read.err().map(|error| fault_of(&error).code), code);
        }
    }
}
