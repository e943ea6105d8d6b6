//! Zip archives, read from their beginning to their end.
//!
//! The directory at the end of an archive is not looked at: so an archive can come from anywhere, needs no
//! memory that grows with it, gives what is in it up to the place where it is cut short, and no byte of it is
//! unpacked twice.

mod header;

use std::io::{self, BufRead, ErrorKind, Read};
use std::sync::Arc;

use flate2::{Crc, Decompress, FlushDecompress, Status};

use self::header::{Descriptor, Header, Method};
use super::input::{Input, check_ratio, cut_short_here, fault, fault_of};
use super::spent::Spent;
use super::{EXTENSIONS, Layer, is_read, outer};
use crate::recorded::rejection::{Code, Fault};

/// An archive, and the entry of it that is read.
pub(super) struct Zip {
    label: Arc<str>,
    depth: u8,
    input: Input,
    spent: Arc<Spent>,
    inflate: Decompress,
    entry: Option<Open>,
    /// Whether there was an entry that is read, or should have been.
    has_files: bool,
    way: Way,
}

/// Whether the next entry can be found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Clear,
    /// It cannot.
    Lost,
    /// It cannot, for the archive is cut short, and that was told.
    Cut,
}

/// The next thing in an archive.
pub(super) enum Entry {
    /// A file, which is read from the archive now.
    File(String),
    /// A file that cannot be read, and why.
    Refused(String, Fault),
    /// Nothing that is read: a folder, a picture.
    Other,
}

/// An entry that is being read.
struct Open {
    header: Header,
    crc: Crc,
    /// How many bytes of it were taken, packed and unpacked.
    packed: u64,
    unpacked: u64,
    /// Read to its end, or as far as it can be.
    is_done: bool,
}

/// What came of an entry at once.
struct Step {
    given: usize,
    /// Of the entry so far.
    packed: u64,
    /// Of the entry so far.
    unpacked: u64,
    is_end: bool,
}

impl Zip {
    pub(super) fn new(label: Arc<str>, input: Input, depth: u8, spent: Arc<Spent>) -> Self {
        Self {
            label,
            depth,
            input,
            spent,
            inflate: Decompress::new(false),
            entry: None,
            has_files: false,
            way: Way::Clear,
        }
    }

    pub(super) const fn label(&self) -> &Arc<str> {
        &self.label
    }

    pub(super) const fn depth(&self) -> u8 {
        self.depth
    }

    /// What the archive lies in.
    pub(super) fn into_outer(self) -> Option<Layer> {
        outer(self.input.into_feed())
    }

    /// Goes on to the next entry, whatever was left of the last one; `None` at the end.
    pub(super) fn next_entry(&mut self) -> Result<Option<Entry>, Fault> {
        if self.spent.has_given_up() || self.way == Way::Cut {
            return Ok(None);
        }
        if self.way == Way::Clear {
            self.leave_entry()?;
        }
        if self.way == Way::Lost {
            let detail = "what follows in the archive cannot be found";
            return Err(Fault::new(Code::DamagedArchive, detail));
        }
        let header = header::read(&mut self.input).map_err(|error| cut_short(&error))?;
        let Some(header) = header else {
            return self.end();
        };
        self.spent.count_entry()?;
        let name = header.name.clone();
        let refusal = header.refusal();
        let is_read = is_read(&name);
        self.has_files |= is_read;
        self.inflate.reset(false);
        self.entry = Some(Open {
            header,
            crc: Crc::new(),
            packed: 0,
            unpacked: 0,
            is_done: false,
        });
        Ok(Some(match refusal {
            _ if !is_read => Entry::Other,
            Some(fault) => Entry::Refused(name, fault),
            None => Entry::File(name),
        }))
    }

    /// The end; that there was nothing to read is a fault.
    fn end(&self) -> Result<Option<Entry>, Fault> {
        if self.has_files {
            return Ok(None);
        }
        let detail = format!("expected files of games ({})", EXTENSIONS.join(", "));
        Err(Fault::new(Code::NoGame, detail))
    }

    /// Passes over what is left of an entry: unread where its length is known, unpacked where not. What is
    /// wrong with it is no fault, unless nothing more can be read then.
    fn leave_entry(&mut self) -> Result<(), Fault> {
        let Some(entry) = self.entry.as_ref().filter(|entry| !entry.is_done) else {
            return Ok(());
        };
        let passed = match entry.header.packed {
            Some(packed) => self.skip(packed.saturating_sub(entry.packed)),
            None if entry.header.refusal().is_some() => {
                self.way = Way::Lost;
                return Ok(());
            }
            None => io::copy(&mut self.by_ref(), &mut io::sink()).map(|_| ()),
        };
        let Err(error) = passed else {
            return Ok(());
        };
        match cut_short(&error) {
            Fault {
                code: Code::DamagedArchive,
                ..
            } if error.kind() != ErrorKind::UnexpectedEof => Ok(()),
            fault => Err(fault),
        }
    }

    /// Passes over the rest of an entry of which so much is left.
    fn skip(&mut self, left: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.input.by_ref().take(left), &mut io::sink())?;
        if skipped < left {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.end_entry(false)
    }

    /// Takes in what stands behind an entry, and compares it with what came.
    fn end_entry(&mut self, is_whole: bool) -> io::Result<()> {
        let Some(entry) = &mut self.entry else {
            return Ok(());
        };
        entry.is_done = true;
        let mut crc = entry.header.crc;
        if entry.header.has_descriptor {
            let packed = entry.header.packed.unwrap_or(entry.packed);
            let head = self.input.peek(Descriptor::SEEN)?;
            let Some(descriptor) = Descriptor::read(head, packed) else {
                if head.len() < Descriptor::SEEN {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                self.way = Way::Lost;
                return Err(damaged("the lengths behind an entry are not its own"));
            };
            crc = descriptor.crc;
            self.input.consume(descriptor.length);
        }
        if is_whole && crc != Some(entry.crc.sum()) {
            return Err(damaged("an entry is not what its checksum says"));
        }
        Ok(())
    }

    /// Takes the next bytes of an entry out of the archive.
    fn unpack(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(step) = self.step(into)? else {
                return Ok(0);
            };
            if step.is_end {
                self.leave_padding();
                self.end_entry(true)?;
            }
            self.spent.count_bytes(step.given)?;
            check_ratio(step.packed, step.unpacked)?;
            if step.is_end || step.given > 0 {
                return Ok(step.given);
            }
        }
    }

    /// Unpacks what is at hand; nothing when the entry is done.
    fn step(&mut self, into: &mut [u8]) -> io::Result<Option<Step>> {
        let Some(entry) = self.entry.as_mut().filter(|entry| !entry.is_done) else {
            return Ok(None);
        };
        let left = entry.header.packed.map(|packed| packed - entry.packed);
        let available = self.input.fill_buf()?;
        let is_cut = available.is_empty();
        let limit = left.map_or(usize::MAX, |left| {
            usize::try_from(left).unwrap_or(usize::MAX)
        });
        let available = available.get(..limit).unwrap_or(available);
        let (taken, given, is_end) = if entry.header.method == Method::Stored {
            let count = available.len().min(into.len());
            into[..count].copy_from_slice(&available[..count]);
            (count, count, left == u64::try_from(count).ok())
        } else {
            let before = (self.inflate.total_in(), self.inflate.total_out());
            let status = self
                .inflate
                .decompress(available, into, FlushDecompress::None);
            let status = status.map_err(|error| damaged(&error.to_string()))?;
            let taken = usize::try_from(self.inflate.total_in() - before.0);
            let given = usize::try_from(self.inflate.total_out() - before.1);
            let is_end = status == Status::StreamEnd;
            (taken.unwrap_or_default(), given.unwrap_or_default(), is_end)
        };
        if !is_end && taken == 0 && given == 0 {
            return Err(match left {
                Some(0) => damaged("an entry goes on behind its length"),
                _ if is_cut => ErrorKind::UnexpectedEof.into(),
                _ => damaged("an entry cannot be unpacked"),
            });
        }
        entry.crc.update(&into[..given]);
        entry.packed += u64::try_from(taken).unwrap_or(u64::MAX);
        entry.unpacked += u64::try_from(given).unwrap_or(u64::MAX);
        let (packed, unpacked) = (entry.packed, entry.unpacked);
        self.input.consume(taken);
        Ok(Some(Step {
            given,
            packed,
            unpacked,
            is_end,
        }))
    }

    /// Passes over what an entry has behind its data.
    fn leave_padding(&mut self) {
        if let Some(Open { header, packed, .. }) = &mut self.entry
            && let Some(length) = header.packed
            && length > *packed
        {
            let skipped = io::copy(
                &mut self.input.by_ref().take(length - *packed),
                &mut io::sink(),
            );
            *packed = length;
            if skipped.is_err() {
                self.way = Way::Lost;
            }
        }
    }
}

impl Read for Zip {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        let read = self.unpack(into);
        if let (Err(error), Some(entry)) = (&read, &self.entry) {
            if error.kind() == ErrorKind::UnexpectedEof {
                self.way = Way::Cut;
            } else if entry.header.packed.is_none() && !entry.is_done {
                // Where its length is known, the next one can be found.
                self.way = Way::Lost;
            }
        }
        read.map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof if error.get_ref().is_none() => cut_short_here(),
            _ => error,
        })
    }
}

fn damaged(detail: &str) -> io::Error {
    fault(Code::DamagedArchive, detail)
}

/// The fault of an archive that ends where an entry should begin.
fn cut_short(error: &io::Error) -> Fault {
    match error.kind() {
        ErrorKind::UnexpectedEof => Fault::new(
            Code::DamagedArchive,
            "the archive is cut short: its end is missing",
        ),
        _ => fault_of(error),
    }
}
