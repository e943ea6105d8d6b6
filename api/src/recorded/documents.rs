//! The documents in files, folders and archives, one at a time and each in memory alone.

mod input;
mod lines;
mod spent;
mod walk;
mod zip;

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use self::input::{Feed, Gzip, Input, fault_of};
use self::lines::{Lines, Start};
use self::spent::Spent;
use self::walk::{Found, Walk};
use self::zip::{Entry, Zip};
use super::rejection::{Code, Fault, Rejection};

/// How long a document may be, in bytes.
pub const MAX_DOCUMENT: u64 = 16 << 20;

/// How long a line of NDJSON may be, in bytes.
pub const MAX_LINE: u64 = 4 << 20;

/// How many bytes a packed file may have when it is unpacked, with the archives in it.
pub const MAX_UNPACKED: u64 = 8 << 30;

/// How many files an archive may have, with those of the archives in it.
pub const MAX_ENTRIES: u32 = 1_000_000;

/// How many archives may lie within one another.
const MAX_DEPTH: u8 = 2;

/// The extensions of files that are read where nobody names them.
const EXTENSIONS: [&str; 8] = ["xml", "gsn", "txt", "json", "ndjson", "jsonl", "zip", "gz"];

/// A document: one game, or the games of one file of XML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The file as it was given; within an archive `archive.zip/inner.xml`.
    pub label: Arc<str>,
    /// Which game of the file is its first, from 1.
    pub game: u32,
    /// All of it, unpacked.
    pub bytes: Vec<u8>,
}

/// The documents, in the order of paths, of names in folders and of entries in archives.
///
/// A file that cannot be read, or not to its end, is a rejection in its place; what came before stands.
pub struct Documents {
    walk: Walk,
    /// What is being read, with all that it lies in.
    layer: Option<Layer>,
    /// What was unpacked of the archive that is being read.
    spent: Arc<Spent>,
}

/// Something that has several documents.
enum Layer {
    Zip(Box<Zip>),
    Lines(Lines),
}

type Item = Result<Document, Rejection>;

impl Documents {
    /// Those of files and folders. A file that is named is read whatever its name; in folders, and in
    /// archives, those with a known extension.
    pub fn of_paths(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self::of_walk(Walk::new(paths))
    }

    /// Those of a source that has a name, such as an upload.
    pub fn of_reader(name: impl Into<String>, source: impl Read + Send + 'static) -> Self {
        Self::of_walk(Walk::of_source(name.into(), Box::new(source)))
    }

    fn of_walk(walk: Walk) -> Self {
        Self {
            walk,
            layer: None,
            spent: Arc::default(),
        }
    }

    /// Looks into a file: its document, or a layer of many.
    fn open(&mut self, label: Arc<str>, feed: Feed, depth: u8) -> Option<Item> {
        let mut input = Input::new(feed);
        let kind = match input.peek(4) {
            Ok(head) => Kind::of(head),
            Err(error) => {
                self.layer = outer(input.into_feed());
                return Some(Err(fault_of(&error).of(&label, 1)));
            }
        };
        match kind {
            Kind::Gzip if input.is_gzip() => {
                self.layer = outer(input.into_feed());
                let fault = Fault::new(Code::NestedTooDeep, "gzip within gzip is not read");
                Some(Err(fault.of(&label, 1)))
            }
            Kind::Gzip => {
                let inner = Feed::Gzip(Box::new(Gzip::new(input, Arc::clone(&self.spent))));
                self.open(label, inner, depth)
            }
            Kind::Zip if depth == MAX_DEPTH => {
                self.layer = outer(input.into_feed());
                let detail = "an archive in an archive in an archive is not read";
                Some(Err(Fault::new(Code::NestedTooDeep, detail).of(&label, 1)))
            }
            Kind::Zip => {
                let zip = Zip::new(label, input, depth + 1, Arc::clone(&self.spent));
                self.layer = Some(Layer::Zip(Box::new(zip)));
                None
            }
            Kind::Document => self.read(label, input),
        }
    }

    /// Reads a document, or the first of many lines.
    fn read(&mut self, label: Arc<str>, input: Input) -> Option<Item> {
        match lines::start(label, input) {
            Start::Lines(lines) => {
                self.layer = Some(Layer::Lines(lines));
                None
            }
            Start::Whole(item, input) => {
                self.layer = outer(input.into_feed());
                Some(item)
            }
        }
    }

    /// Goes on in a layer; nothing when there is more to look at first.
    fn step(&mut self, layer: Layer) -> Option<Item> {
        match layer {
            Layer::Lines(mut lines) => {
                let item = lines.next();
                self.layer = match item {
                    Some(_) => Some(Layer::Lines(lines)),
                    None => outer(lines.into_input().into_feed()),
                };
                item
            }
            Layer::Zip(mut zip) => match zip.next_entry() {
                Ok(Some(Entry::File(name))) => {
                    let label = format!("{}/{name}", zip.label());
                    let depth = zip.depth();
                    self.open(label.into(), Feed::Entry(zip), depth)
                }
                Ok(Some(Entry::Refused(name, fault))) => {
                    let label = format!("{}/{name}", zip.label());
                    self.layer = Some(Layer::Zip(zip));
                    Some(Err(fault.of(&label.into(), 1)))
                }
                Ok(Some(Entry::Other)) => {
                    self.layer = Some(Layer::Zip(zip));
                    None
                }
                Ok(None) => {
                    self.layer = zip.into_outer();
                    None
                }
                Err(fault) => {
                    let rejection = fault.of(zip.label(), 1);
                    self.layer = zip.into_outer();
                    Some(Err(rejection))
                }
            },
        }
    }

    /// Gives something out; after a bomb nothing more of its archive.
    fn give(&self, mut item: Item) -> Item {
        if let Err(rejection) = &mut item
            && matches!(rejection.code, Code::ZipBomb | Code::ArchiveTooLarge)
        {
            self.spent.give_up();
            rejection.detail += ": what follows is not read";
        }
        item
    }
}

impl Iterator for Documents {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            let item = match self.layer.take() {
                Some(layer) => self.step(layer),
                None => match self.walk.next()? {
                    Found::Source(label, source) => {
                        self.spent = Arc::default();
                        self.open(label.into(), Feed::Source(source), 0)
                    }
                    Found::Unreadable(label, error) => {
                        Some(Err(fault_of(&error).of(&label.into(), 1)))
                    }
                },
            };
            if let Some(item) = item {
                return Some(self.give(item));
            }
        }
    }
}

/// What a feed lies in: the archive that it is an entry of.
fn outer(feed: Feed) -> Option<Layer> {
    match feed {
        Feed::Source(_) => None,
        Feed::Entry(zip) => Some(Layer::Zip(zip)),
        Feed::Gzip(gzip) => outer(gzip.into_input().into_feed()),
    }
}

/// What a file is, by its first bytes.
enum Kind {
    Gzip,
    Zip,
    Document,
}

impl Kind {
    fn of(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            // An archive without a file begins with its end.
            b"PK\x03\x04" | b"PK\x05\x06" => Self::Zip,
            _ => Self::Document,
        }
    }
}

/// Whether a file that nobody named is read: by its extension, and not what a Mac adds to an archive.
fn is_read(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let is_known = |extension: &str| {
        let mut known = EXTENSIONS.iter();
        known.any(|known| known.eq_ignore_ascii_case(extension))
    };
    extension.is_some_and(is_known) && !name.starts_with("__MACOSX/")
}
