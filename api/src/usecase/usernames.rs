//! Usernames and addresses as they are compared.

use unicode_normalization::UnicodeNormalization;

/// What the names of erased accounts begin with, and no other's may.
pub const ERASED_PREFIX: &str = "deleted-";

/// The form of a username in which two that look the same are the same: compatibility-normalised
/// (NFKC), without regard to case. Made here, so that it does not differ between databases. Any text
/// has a form that either database takes, so that a look-up of nonsense finds nothing.
pub fn username_key(username: &str) -> String {
    // PostgreSQL keeps no text with a NUL in it.
    username
        .nfkc()
        .collect::<String>()
        .to_lowercase()
        .replace('\0', "\u{fffd}")
}

/// The form of an address in which two that lead to the same mailbox, as a rule, are the same: without
/// regard to case. Mail goes to the address as it was given, never to this.
pub fn email_key(email: &str) -> String {
    email.to_lowercase().replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_compatible_forms_do_not_count() {
        for (one, other) in [
            ("Marshal", "MARSHAL"),
            ("e\u{301}mile", "\u{e9}mile"),
            ("\u{fb01}le", "FILE"),
            ("Ａ", "a"),
        ] {
            assert_eq!(username_key(one), username_key(other));
        }
        for (one, other) in [
            ("marshal", "marsha1"),
            ("a-b", "a_b"),
            ("Мarshal", "Marshal"),
            ("a\0b", "ab"),
        ] {
            assert_ne!(username_key(one), username_key(other));
        }
    }
}
