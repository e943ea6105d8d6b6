//! Why a game, or a file, was not taken.

use std::fmt;
use std::sync::Arc;

use domain::gravon::GsnFault;
use domain::{NotationError, NotationFault, RecordFault, RecordFaultKind};

use super::gravon_xml::XmlFault;
use super::text::TextFault;

/// How long the detail of a fault may be, in characters.
const MAX_DETAIL: usize = 400;

/// How much of what came a fault shows, in characters.
const SHOWN: usize = 40;

/// Why one game of a file was not taken, or a file of which no game could be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, game {game}{}: {detail}", Ply(*.ply))]
pub struct Rejection {
    /// The file as it was given; within an archive `archive.zip/inner.xml`.
    pub file: Arc<str>,
    /// Which game of the file, from 1.
    pub game: u32,
    /// The ply, where it is about a move, from 0.
    pub ply: Option<u32>,
    /// What kind of fault it is.
    pub code: Code,
    /// What was expected, and what came.
    pub detail: String,
}

/// What kind of fault it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// The system does not give the file.
    Unreadable,
    /// A document, a game or an import is longer than one may be.
    TooLarge,
    /// A line of NDJSON is longer than one may be.
    LineTooLong,
    /// An archive has more files, or more bytes, than one may have.
    ArchiveTooLarge,
    /// Data that grows beyond all measure when it is unpacked.
    ZipBomb,
    /// An archive within an archive within an archive.
    NestedTooDeep,
    /// An archive that is cut short, or otherwise broken.
    DamagedArchive,
    /// An archive that is encrypted, or packed in a way that is not known.
    UnsupportedArchive,
    /// It is no game in any form that is known.
    UnknownFormat,
    /// Bytes that are no text.
    BadEncoding,
    /// A text that is not XML.
    BadXml,
    /// XML with a document type.
    DocumentType,
    /// No game in it.
    NoGame,
    /// A kind of game that is not played here.
    UnsupportedKind,
    /// A form of a later version.
    UnsupportedVersion,
    /// JSON that is not of the form.
    BadJson,
    /// A text that is not of the form.
    BadText,
    /// Options that are not known, or out of their range.
    BadOptions,
    /// Both armies are needed, and one is missing or wrong.
    BadSetup,
    /// A move that cannot be read.
    BadMove,
    /// The result is missing or unknown.
    BadResult,
    /// An instant that is none, or before one that it follows.
    BadInstant,
    /// A name that cannot be shown.
    BadName,
    /// A source that has no proper name, or is this server's own.
    BadSource,
    /// No rule allows a move.
    IllegalMove,
    /// No rule allows a rescue.
    IllegalRescue,
    /// The game goes on after its end.
    MoveAfterEnd,
    /// The flag was captured by a side that did not win, or not at all.
    ResultContradictsBoard,
    /// The database does not take it.
    NotStorable,
}

impl Code {
    /// Every code.
    pub const ALL: [Self; 29] = [
        Self::Unreadable,
        Self::TooLarge,
        Self::LineTooLong,
        Self::ArchiveTooLarge,
        Self::ZipBomb,
        Self::NestedTooDeep,
        Self::DamagedArchive,
        Self::UnsupportedArchive,
        Self::UnknownFormat,
        Self::BadEncoding,
        Self::BadXml,
        Self::DocumentType,
        Self::NoGame,
        Self::UnsupportedKind,
        Self::UnsupportedVersion,
        Self::BadJson,
        Self::BadText,
        Self::BadOptions,
        Self::BadSetup,
        Self::BadMove,
        Self::BadResult,
        Self::BadInstant,
        Self::BadName,
        Self::BadSource,
        Self::IllegalMove,
        Self::IllegalRescue,
        Self::MoveAfterEnd,
        Self::ResultContradictsBoard,
        Self::NotStorable,
    ];

    /// The `snake_case` name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::TooLarge => "too_large",
            Self::LineTooLong => "line_too_long",
            Self::ArchiveTooLarge => "archive_too_large",
            Self::ZipBomb => "zip_bomb",
            Self::NestedTooDeep => "nested_too_deep",
            Self::DamagedArchive => "damaged_archive",
            Self::UnsupportedArchive => "unsupported_archive",
            Self::UnknownFormat => "unknown_format",
            Self::BadEncoding => "bad_encoding",
            Self::BadXml => "bad_xml",
            Self::DocumentType => "document_type",
            Self::NoGame => "no_game",
            Self::UnsupportedKind => "unsupported_kind",
            Self::UnsupportedVersion => "unsupported_version",
            Self::BadJson => "bad_json",
            Self::BadText => "bad_text",
            Self::BadOptions => "bad_options",
            Self::BadSetup => "bad_setup",
            Self::BadMove => "bad_move",
            Self::BadResult => "bad_result",
            Self::BadInstant => "bad_instant",
            Self::BadName => "bad_name",
            Self::BadSource => "bad_source",
            Self::IllegalMove => "illegal_move",
            Self::IllegalRescue => "illegal_rescue",
            Self::MoveAfterEnd => "move_after_end",
            Self::ResultContradictsBoard => "result_contradicts_board",
            Self::NotStorable => "not_storable",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A fault before it is said of which game it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) code: Code,
    pub(super) ply: Option<u32>,
    pub(super) detail: String,
}

impl Fault {
    /// What is in a file may be in the detail, of which the beginning is kept.
    pub(super) fn new(code: Code, detail: impl Into<String>) -> Self {
        let mut detail = detail.into();
        if let Some((end, _)) = detail.char_indices().nth(MAX_DETAIL) {
            detail.truncate(end);
            detail.shrink_to_fit();
        }
        Self {
            code,
            ply: None,
            detail,
        }
    }

    /// Something else stands in the place of a value.
    pub(super) fn expected(code: Code, key: &str, what: &str, came: &str) -> Self {
        let came = shown(came);
        Self::new(code, format!("expected `{key}` to be {what}, got `{came}`"))
    }

    pub(super) const fn at(mut self, ply: Option<u32>) -> Self {
        self.ply = ply;
        self
    }

    pub(super) fn of(self, file: &Arc<str>, game: u32) -> Rejection {
        let Self { code, ply, detail } = self;
        let file = Arc::clone(file);
        Rejection {
            file,
            game,
            ply,
            code,
            detail,
        }
    }
}

/// The beginning of what came, as it can be shown.
pub(super) fn shown(text: &str) -> String {
    text.escape_debug().take(SHOWN).collect()
}

impl From<TextFault> for Fault {
    fn from(fault: TextFault) -> Self {
        Self::new(Code::BadEncoding, fault.to_string())
    }
}

impl From<XmlFault> for Fault {
    fn from(fault: XmlFault) -> Self {
        let code = match &fault {
            XmlFault::Xml(roxmltree::Error::DtdDetected) => Code::DocumentType,
            XmlFault::Xml(roxmltree::Error::NodesLimitReached)
            | XmlFault::TooLarge
            | XmlFault::TooMany => Code::TooLarge,
            XmlFault::Xml(_) | XmlFault::Namespace | XmlFault::Attributes => Code::BadXml,
            XmlFault::NoGame => Code::NoGame,
            XmlFault::Kind(_) => Code::UnsupportedKind,
            XmlFault::NoField | XmlFault::Field(_) => Code::BadSetup,
            XmlFault::Move { .. } => Code::BadMove,
            XmlFault::Result => Code::BadResult,
        };
        Self::new(code, fault.to_string()).at(fault.ply())
    }
}

impl From<GsnFault> for Fault {
    fn from(fault: GsnFault) -> Self {
        let code = match &fault {
            GsnFault::Header => Code::UnknownFormat,
            GsnFault::Kind(_) => Code::UnsupportedKind,
            GsnFault::Field(_) => Code::BadSetup,
            GsnFault::Move { .. } => Code::BadMove,
            GsnFault::Result => Code::BadResult,
        };
        Self::new(code, fault.to_string()).at(fault.ply())
    }
}

impl From<NotationError> for Fault {
    fn from(error: NotationError) -> Self {
        let code = match error.fault {
            NotationFault::Header | NotationFault::Ruleset => Code::BadText,
            NotationFault::Options => Code::BadOptions,
            NotationFault::Ending => Code::BadResult,
            NotationFault::Setup => Code::BadSetup,
            NotationFault::Move | NotationFault::Ply => Code::BadMove,
            NotationFault::Instants => Code::BadInstant,
        };
        Self::new(code, error.to_string())
    }
}

impl From<RecordFault> for Fault {
    fn from(fault: RecordFault) -> Self {
        let code = match fault.kind {
            RecordFaultKind::Move(_) => Code::IllegalMove,
            RecordFaultKind::Rescue(_) => Code::IllegalRescue,
            RecordFaultKind::Over => Code::MoveAfterEnd,
            RecordFaultKind::Contradicted | RecordFaultKind::NotCaptured => {
                Code::ResultContradictsBoard
            }
        };
        Self::new(code, fault.kind.to_string()).at(Some(fault.ply))
    }
}

/// Where in a game.
struct Ply(Option<u32>);

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |ply| write!(f, ", ply {ply}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_a_name_of_its_own() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn a_rejection_says_where_and_why() {
        let fault = Fault::new(Code::BadMove, "expected a move").at(Some(7));
        let said = fault.of(&"a.zip/b.xml".into(), 2).to_string();
        assert_eq!(said, "a.zip/b.xml, game 2, ply 7: expected a move");
    }

    #[test]
    fn of_what_came_little_is_kept() {
        let fault = Fault::new(Code::BadJson, "é".repeat(1 << 20));
        assert_eq!(fault.detail.chars().count(), MAX_DETAIL);
        assert!(fault.detail.capacity() < 1 << 10);
        assert_eq!(shown(&"\n".repeat(100)).len(), SHOWN);
    }
}
