//! How deep the brackets of a query nest, told from its text alone.
//!
//! The parser descends one call for each bracket, so that a few hundred of them would exhaust its
//! stack, and end the program: they are counted before it sees the text.

/// The deepest nesting of `(`, `[` and `{` outside strings and comments.
pub(super) fn nesting(query: &str) -> usize {
    let mut rest = query.as_bytes();
    let (mut level, mut deepest) = (0_usize, 0);
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'(' | b'[' | b'{' => {
                level += 1;
                deepest = deepest.max(level);
            }
            b')' | b']' | b'}' => level = level.saturating_sub(1),
            b'#' => rest = after_comment(rest),
            b'"' => rest = after_string(rest),
            _ => {}
        }
    }
    deepest
}

fn after_comment(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    &text[end.unwrap_or(text.len())..]
}

/// What follows a string whose opening quote was read. A string that does not end takes all; one
/// that a line ends is none, and the parser says so.
fn after_string(text: &[u8]) -> &[u8] {
    if let Some(block) = text.strip_prefix(b"\"\"") {
        return after_block_string(block);
    }
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        match byte {
            b'"' | b'\n' | b'\r' => return after,
            b'\\' => rest = after.get(1..).unwrap_or_default(),
            _ => rest = after,
        }
    }
    rest
}

fn after_block_string(text: &[u8]) -> &[u8] {
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(b"\"\"\"") {
            return after;
        }
        rest = match rest.strip_prefix(b"\\\"\"\"") {
            Some(after) => after,
            None => &rest[1..],
        };
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_count_outside_strings_and_comments_alone() {
        for (query, expected) in [
            ("", 0),
            ("{ a }", 1),
            ("{ a { b } c { d { e } } }", 3),
            ("{ a(b: [[1]]) }", 4),
            ("{ a(b: {c: {d: 1}}) }", 4),
            ("}}}} { a }", 1),
            ("{ a } # {{{{{", 1),
            ("{ # {{{{\n a { b } }", 2),
            (r#"{ a(b: "[[[[") { c } }"#, 2),
            (r#"{ a(b: "\"[[[[") { c } }"#, 2),
            (r#"{ a(b: "\\") { c { d } } }"#, 3),
            (r#"{ a(b: "") { c { d } } }"#, 3),
            (r#"{ a(b: """[[ " [[ \""" [[""") { c { d } } }"#, 3),
            (r#"{ a(b: "never closed [[[["#, 2),
            (r#"{ a(b: """never closed [[[["#, 2),
            (r#"{ a(b: "ends in \"#, 2),
            ("{ a(b: \"broken\n[[[\") }", 5),
        ] {
            assert_eq!(nesting(query), expected, "{query}");
        }
    }
}
