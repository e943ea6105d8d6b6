//! Names for what is drawn by chance.

use std::collections::BTreeMap;

/// Nothing shorter is taken for drawn.
const SHORTEST: usize = 22;
/// What the names of erased accounts begin with.
const ERASED: &str = "deleted-";

/// What was drawn by chance, with its names in order of appearance.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    /// The text with names for identifiers, cursors, keys, hashes and salts.
    pub(super) fn apply(&mut self, text: &str) -> String {
        let mut named = String::new();
        for part in text.split_inclusive(|one: char| !is_of_word(one)) {
            let word = part.trim_end_matches(|one| !is_of_word(one));
            if is_drawn(word) {
                let next = self.0.len();
                let name = self.0.entry(word.to_owned());
                named += name.or_insert_with(|| format!("<{next}>"));
                named += &part[word.len()..];
            } else {
                named += part;
            }
        }
        named
    }
}

fn is_of_word(one: char) -> bool {
    one.is_ascii_alphanumeric() || "-_=".contains(one)
}

fn is_drawn(word: &str) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    word.starts_with(ERASED) || (word.len() >= SHORTEST && has_digit)
}
