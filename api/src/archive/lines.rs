use std::io::{BufRead, Read};

use sha2::{Digest, Sha256};

use super::error::{ArchiveError, LineFault};
use super::format::hex;

/// The longest line that is read, with its line feed. The longest text that a request can store is
/// far below it.
const MAX_LINE: u64 = 16 << 20;

/// The lines of an archive, one in memory at a time.
pub(super) struct Lines<R> {
    source: R,
    /// What the source is called.
    name: String,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
    /// Of all lines before the one that was read last.
    before: Sha256,
    /// The table that the lines belong to.
    table: Option<&'static str>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R, name: String) -> Self {
        Self {
            source,
            name,
            line: Vec::new(),
            number: 0,
            bytes: 0,
            before: Sha256::new(),
            table: None,
        }
    }

    /// The next line with its line feed, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, ArchiveError> {
        self.before.update(&self.line);
        self.line.clear();
        self.number += 1;
        let read = self
            .source
            .by_ref()
            .take(MAX_LINE)
            .read_until(b'\n', &mut self.line);
        let length = read.map_err(|cause| ArchiveError::Read {
            name: self.name.clone(),
            cause,
        })?;
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        self.bytes += length;
        match self.line.last() {
            None => Ok(None),
            Some(b'\n') => Ok(Some(&self.line)),
            Some(_) if length == MAX_LINE => Err(self.fault(LineFault::TooLong)),
            Some(_) => Err(self.fault(LineFault::CutShort)),
        }
    }

    /// The next line; that there is none is a fault.
    pub(super) fn expect(&mut self) -> Result<&[u8], ArchiveError> {
        match self.next()? {
            Some(_) => Ok(&self.line),
            None => Err(self.fault(LineFault::CutShort)),
        }
    }

    /// Says which table the lines belong to from here on.
    pub(super) const fn enter(&mut self, table: Option<&'static str>) {
        self.table = table;
    }

    /// A fault in the line that was read last, or that should have been.
    pub(super) const fn fault(&self, fault: LineFault) -> ArchiveError {
        self.fault_at(self.number, fault)
    }

    /// A fault in an earlier line of the same table.
    pub(super) const fn fault_at(&self, line: u64, fault: LineFault) -> ArchiveError {
        ArchiveError::Line {
            line,
            table: self.table,
            fault,
        }
    }

    /// The line that was read last.
    pub(super) fn current(&self) -> &[u8] {
        &self.line
    }

    /// The number of the line that was read last, counted from 1.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// How many bytes were read.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The SHA-256 of all lines before the one that was read last.
    pub(super) fn sha256_before(&self) -> String {
        hex(self.before.clone())
    }
}
