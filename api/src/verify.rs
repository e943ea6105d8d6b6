//! `reveille verify`: checks an answer of `proofs`, with nothing but the file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use domain::{ByColor, Color, Commitment, Leaf, Node, ProofFault, Rank, Salt, SetupProof, Square};
use serde::Deserialize;
use thiserror::Error;
use uuid::Uuid;

use crate::wire::names::Ruleset;

/// The largest file that is read; an answer has some 50 kB, indented a little more.
const MAX_BYTES: u64 = 1 << 20;
/// How much of a refusal is told again; the server writes no more.
const MAX_DETAIL_CHARS: usize = 400;

/// Why proofs are not accepted.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The file cannot be read.
    #[error("cannot read {name}: {cause}")]
    Unreadable {
        /// The file.
        name: String,
        /// What the system said.
        cause: io::Error,
    },
    /// The file is a refusal.
    #[error("the file holds a refusal of the server, no proofs: {0}")]
    Problem(String),
    /// The file is no answer of `proofs`, by its size.
    #[error("the file is larger than 1 MiB, and so no answer of /v1/games/GAME/proofs")]
    TooLarge,
    /// The file is no answer of `proofs`, by its form.
    #[error("the file is no answer of /v1/games/GAME/proofs: {0}")]
    Form(#[source] serde_path_to_error::Error<serde_json::Error>),
    /// Something follows on the answer.
    #[error("the file has more in it than one answer of /v1/games/GAME/proofs: {0}")]
    Trailing(#[source] serde_json::Error),
    /// The proofs prove nothing; each fault is a line.
    #[error("the proofs do not hold\n{}", .0.join("\n"))]
    Refused(Vec<String>),
}

/// What came out for both sides.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// A line for each side whose army opens its commitment.
    pub opened: Vec<String>,
    /// A line for each thing that is wrong.
    pub faults: Vec<String>,
}

/// An answer of `proofs` as a file has it: nothing in it is believed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProofsFile {
    #[serde(rename = "game_id")]
    _game_id: Uuid,
    ruleset: Ruleset,
    red: SideFile,
    blue: SideFile,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SideFile {
    commitment: String,
    leaves: Vec<LeafFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeafFile {
    square: String,
    piece: String,
    salt: String,
    path: Vec<String>,
}

/// A problem document, as far as it is told again.
#[derive(Deserialize)]
struct ProblemFile {
    #[serde(rename = "code")]
    _code: String,
    detail: String,
}

/// Reads a file, as far as it may be an answer of `proofs`; `-` is the standard input.
///
/// # Errors
/// When it cannot be read, or is too large.
pub fn read(file: &Path) -> Result<Vec<u8>, VerifyError> {
    let (name, bytes) = if file == Path::new("-") {
        ("the standard input".to_owned(), read_from(io::stdin()))
    } else {
        let bytes = File::open(file).and_then(read_from);
        (file.display().to_string(), bytes)
    };
    let bytes = bytes.map_err(|cause| VerifyError::Unreadable { name, cause })?;
    bytes.ok_or(VerifyError::TooLarge)
}

/// All that there is, or `None` when that is too much.
fn read_from(mut source: impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.by_ref().take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok((source.read(&mut [0])? == 0).then_some(bytes))
}

/// Checks both sides of an answer of `proofs`, also against the commitments that somebody noted
/// before the first move.
///
/// # Errors
/// When it is no such answer.
pub fn check(bytes: &[u8], noted: ByColor<Option<Commitment>>) -> Result<Verdict, VerifyError> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let file: ProofsFile = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|fault| refusal_in(bytes).unwrap_or(VerifyError::Form(fault)))?;
    deserializer.end().map_err(VerifyError::Trailing)?;
    let mut verdict = Verdict::default();
    for (owner, side) in [(Color::Red, &file.red), (Color::Blue, &file.blue)] {
        let faults = match side.commitment.parse() {
            Ok(commitment) => side.check(owner, file.ruleset.into(), commitment, noted[owner]),
            Err(fault) => vec![format!("commitment: {fault}")],
        };
        if faults.is_empty() {
            let (leaves, commitment) = (side.leaves.len(), side.commitment.to_lowercase());
            let line = format!("{owner}: {leaves} leaves open {commitment}");
            verdict.opened.push(line);
        }
        let faults = faults.iter().map(|fault| format!("{owner} {fault}"));
        verdict.faults.extend(faults);
    }
    Ok(verdict)
}

/// What a saved problem document says.
fn refusal_in(bytes: &[u8]) -> Option<VerifyError> {
    let problem: ProblemFile = serde_json::from_slice(bytes).ok()?;
    let detail = problem.detail.chars().take(MAX_DETAIL_CHARS);
    // Nothing that a terminal would obey.
    let detail = detail.map(|one| if one.is_control() { ' ' } else { one });
    Some(VerifyError::Problem(detail.collect()))
}

impl Verdict {
    /// Whether both sides are proved.
    ///
    /// # Errors
    /// The faults, if there is one.
    pub fn outcome(self) -> Result<(), VerifyError> {
        if self.faults.is_empty() {
            Ok(())
        } else {
            Err(VerifyError::Refused(self.faults))
        }
    }
}

impl SideFile {
    fn check(
        &self,
        owner: Color,
        ruleset: domain::Ruleset,
        commitment: Commitment,
        noted: Option<Commitment>,
    ) -> Vec<String> {
        let mut faults = Vec::new();
        if let Some(noted) = noted.filter(|noted| *noted != commitment) {
            faults.push(format!(
                "commitment: {commitment} is not {noted}, which was noted"
            ));
        }
        let (mut leaves, mut unreadable) = (Vec::new(), Vec::new());
        for (place, leaf) in (1..).zip(&self.leaves) {
            let Ok(square) = leaf.square.parse() else {
                faults.push(format!("leaf {place}: its square is none from a1 to j10"));
                continue;
            };
            match leaf.read(square) {
                Ok(leaf) => leaves.push(leaf),
                Err(fault) => {
                    faults.push(format!("{square}: {fault}"));
                    unreadable.push(square);
                }
            }
        }
        let proof = SetupProof {
            owner,
            ruleset,
            leaves,
        };
        if let Err(errors) = proof.verify(commitment) {
            let is_unopened = |fault: &&ProofFault| matches!(fault, ProofFault::Unopened { .. });
            let unopened = errors.faults().iter().filter(is_unopened).count();
            let opens_nothing = unopened > 1 && unopened == proof.leaves.len();
            if opens_nothing {
                faults.push(format!(
                    "commitment: none of the {unopened} leaves opens {commitment}"
                ));
            }
            let told = |fault: &&ProofFault| match fault {
                ProofFault::Missing { square } => !unreadable.contains(square),
                ProofFault::Unopened { .. } => !opens_nothing,
                _ => true,
            };
            let more = errors.faults().iter().filter(told);
            faults.extend(more.map(ToString::to_string));
        }
        faults
    }
}

/// Why a leaf cannot be read.
#[derive(Debug, Error)]
enum LeafFault {
    #[error("its piece is none of F B S 2 3 4 5 6 7 8 9 M, nor `.` for an empty square")]
    Piece,
    #[error("its salt is not 64 hexadecimal digits")]
    Salt,
    #[error("its path has {0} nodes, not {nodes}", nodes = Leaf::PATH)]
    Length(usize),
    #[error("node {0} of its path is not 64 hexadecimal digits")]
    Node(usize),
}

impl LeafFile {
    fn read(&self, square: Square) -> Result<Leaf, LeafFault> {
        let mut path = Vec::with_capacity(Leaf::PATH);
        for (place, node) in (1..).zip(&self.path) {
            let node: Node = node.parse().map_err(|_| LeafFault::Node(place))?;
            path.push(node);
        }
        Ok(Leaf {
            square,
            rank: piece(&self.piece)?,
            salt: self.salt.parse::<Salt>().map_err(|_| LeafFault::Salt)?,
            path: path
                .try_into()
                .map_err(|path: Vec<Node>| LeafFault::Length(path.len()))?,
        })
    }
}

fn piece(text: &str) -> Result<Option<Rank>, LeafFault> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some('.'), None) => Ok(None),
        (Some(letter), None) => Rank::from_char(letter).map(Some).ok_or(LeafFault::Piece),
        _ => Err(LeafFault::Piece),
    }
}

#[cfg(test)]
mod tests;
