use std::fmt::Write;

use hmac::{Hmac, KeyInit, Mac};
use rand::rand_core::TryRng;
use rand::rngs::{SysError, SysRng};
use sha2::Sha256;
use storage::pseudonyms::{self, KEY_BYTES};
use storage::{Database, PlayerId, StorageError};
use thiserror::Error;

/// With what a pseudonym begins.
const BEGINS: &str = "player-";
/// How many bytes of a pseudonym are told.
const TOLD: usize = 8;

/// What becomes of the names of those who played elsewhere.
#[derive(Clone)]
pub struct Names {
    key: [u8; KEY_BYTES],
    hides: bool,
}

/// Why names cannot be replaced.
#[derive(Debug, Error)]
pub enum NamesError {
    /// The key cannot be read.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The system gave no randomness for the key.
    #[error("the system gave no randomness for the key of pseudonyms")]
    Random(#[from] SysError),
}

impl Names {
    /// With the key of a database, which is made the first time; `hides` says whether pseudonyms are stored in
    /// the place of names.
    ///
    /// # Errors
    /// A [`NamesError`].
    pub fn load(database: &Database, hides: bool) -> Result<Self, NamesError> {
        let mut fresh = [0; KEY_BYTES];
        SysRng.try_fill_bytes(&mut fresh)?;
        let key = database.write(|conn| pseudonyms::key(conn, &fresh))?;
        Ok(Self { key, hides })
    }

    /// With a key of one who imports over HTTP: with one that others share he could ask what stands for a name
    /// that he guesses, and look for it among their games.
    #[must_use]
    pub fn of_importer(&self, importer: PlayerId) -> Self {
        let mut key = [0; KEY_BYTES];
        let mac = self.mac(&[importer.as_uuid().as_bytes()]);
        for (place, byte) in key.iter_mut().zip(mac) {
            *place = byte;
        }
        Self { key, ..*self }
    }

    /// What stands for a name of a source: the same each time, and without the key nobody can tell for which.
    /// What is a pseudonym already stands for itself, so that a game that was exported with pseudonyms is found
    /// again.
    fn pseudonym(&self, source: &str, name: &str) -> String {
        if is_pseudonym(name) {
            return name.to_owned();
        }
        let mut told = BEGINS.to_owned();
        // No source has a NUL in it.
        let mac = self.mac(&[source.as_bytes(), b"\0", name.as_bytes()]);
        for byte in mac.into_iter().take(TOLD) {
            // A string takes all that is written.
            let _written = write!(told, "{byte:02x}");
        }
        told
    }

    fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        // As HMAC itself fills a short key up.
        let mut block = [0; 64];
        for (place, byte) in block.iter_mut().zip(self.key) {
            *place = byte;
        }
        let mut mac = <Hmac<Sha256> as KeyInit>::new(&block.into());
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }

    /// A name of a source as it is stored.
    pub(super) fn stored(&self, source: &str, name: &str) -> String {
        self.either(self.hides, source, name)
    }

    /// The same as it is not stored.
    pub(super) fn other(&self, source: &str, name: &str) -> String {
        self.either(!self.hides, source, name)
    }

    fn either(&self, hides: bool, source: &str, name: &str) -> String {
        if hides {
            self.pseudonym(source, name)
        } else {
            name.to_owned()
        }
    }
}

fn is_pseudonym(name: &str) -> bool {
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    name.strip_prefix(BEGINS)
        .is_some_and(|digits| digits.len() == 2 * TOLD && digits.bytes().all(is_digit))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_pseudonym_is_of_a_name_a_source_and_a_key() {
        let names = |byte, hides| Names {
            key: [byte; KEY_BYTES],
            hides,
        };
        let one = names(1, true);
        let ann = one.pseudonym("gravon", "Ann");
        assert_eq!(ann.len(), "player-".len() + 16);
        assert_eq!(ann, one.stored("gravon", "Ann"));
        assert_eq!(ann, names(1, false).pseudonym("gravon", "Ann"));
        let [one_of, two_of] =
            [1, 2].map(|id| one.of_importer(PlayerId::from_uuid(Uuid::from_u128(id))));
        let of_importers = [&one, &one_of, &two_of].map(|names| names.stored("gravon", "Ann"));
        assert!(of_importers[0] != of_importers[1] && of_importers[1] != of_importers[2]);
        assert_eq!(one_of.stored("gravon", &ann), ann);
        assert_eq!(names(1, false).stored("gravon", "Ann"), "Ann");
        assert_eq!(names(1, false).other("gravon", "Ann"), ann);
        assert_eq!(one.other("gravon", "Ann"), "Ann");
        assert_eq!(names(2, true).pseudonym("text", &ann), ann);
        for other in [
            one.pseudonym("gravon", "player-0123456789abcdeF"),
            one.pseudonym("gravon", "ann"),
            one.pseudonym("text", "Ann"),
            one.pseudonym("gravo", "nAnn"),
            names(2, true).pseudonym("gravon", "Ann"),
        ] {
            assert_ne!(other, ann);
        }
    }
}
