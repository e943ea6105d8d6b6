//! Values of 32 bytes, written as 64 hexadecimal digits.

use std::fmt;

/// The text is not 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 hexadecimal digits")]
pub struct ParseHexError;

pub(crate) fn write(bytes: &[u8; 32], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

pub(crate) fn read(text: &str) -> Result<[u8; 32], ParseHexError> {
    let mut bytes = [0; 32];
    if text.len() != 2 * bytes.len() {
        return Err(ParseHexError);
    }
    let (pairs, _) = text.as_bytes().as_chunks::<2>();
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Ok(bytes)
}

const fn digit(letter: u8) -> Result<u8, ParseHexError> {
    match letter {
        b'0'..=b'9' => Ok(letter - b'0'),
        b'a'..=b'f' => Ok(letter - b'a' + 10),
        b'A'..=b'F' => Ok(letter - b'A' + 10),
        _ => Err(ParseHexError),
    }
}

/// A type of 32 bytes that prints and parses as hexadecimal digits. What its `Debug` shows is for
/// each type to say.
macro_rules! hex_value {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// Of its bytes.
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// Its bytes.
            pub const fn to_bytes(self) -> [u8; 32] {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::hex::write(&self.0, f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::hex::ParseHexError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::hex::read(text).map(Self)
            }
        }
    };
}
pub(crate) use hex_value;

#[cfg(test)]
mod tests {
    use crate::commitment::Commitment;

    use super::ParseHexError;

    #[test]
    fn sixty_four_digits_are_read_and_nothing_else() {
        let text = "00ff10a0".repeat(8);
        let read: Commitment = text.parse().expect("hexadecimal");
        assert_eq!(read.to_bytes()[..4], [0, 255, 16, 160]);
        assert_eq!(read.to_string(), text);
        assert_eq!(text.to_uppercase().parse(), Ok(read));
        let plus = text.replacen("00", "+0", 1);
        let wide = text.replacen("00", "é", 1);
        for wrong in ["", &text[1..], &format!("{text}0"), &plus, &wide] {
            assert_eq!(wrong.parse::<Commitment>(), Err(ParseHexError), "{wrong}");
        }
    }
}
