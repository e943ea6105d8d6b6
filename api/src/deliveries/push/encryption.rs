//! Encryption for one browser (RFC 8291, by the coding of RFC 8188): one record.

use aes_gcm::aead::{Aead, KeyInit, Nonce};
use aes_gcm::{Aes128Gcm, Key};
use hkdf::Hkdf;
use p256::{PublicKey, SecretKey};
use rand::rand_core::TryRng;
use rand::rngs::SysRng;
use sha2::Sha256;

/// The size of a record that is announced: what push services take at the least (RFC 8291, section 4).
const RECORD: usize = 4_096;
/// What stands at the end of the content of the last record.
const LAST: u8 = 2;
/// The length of what shows that a record was not changed.
const TAG: usize = 16;
/// The most bytes that a message may have.
pub const MAX_CONTENT: usize = RECORD - TAG - 1;
/// All messages are as long as this, so that their length says nothing of what they are about.
const PADDED: usize = 256;
/// How often a key is drawn anew that is none.
const DRAWS: usize = 8;

/// Whom a message is for.
#[derive(Clone, Copy)]
pub struct Receiver<'a> {
    /// The browser's public key, an uncompressed point.
    pub public_key: &'a [u8],
    /// The secret that it shares.
    pub secret: &'a [u8],
}

/// Why a message could not be encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EncryptionFault {
    /// The receiver's key is no point of the curve.
    #[error("the browser's key is no point of P-256")]
    NotAKey,
    /// The message is too long.
    #[error("a message of more than {MAX_CONTENT} bytes")]
    TooLong,
    /// The system gave no randomness.
    #[error("the system gave no randomness for a message")]
    NoRandomness,
}

/// Encrypts a message by a key and a salt that are drawn for it.
///
/// # Errors
/// See [`EncryptionFault`].
pub(super) fn seal(content: &[u8], receiver: &Receiver<'_>) -> Result<Vec<u8>, EncryptionFault> {
    let (mut salt, mut scalar) = ([0; 16], [0; 32]);
    let draw = |bytes: &mut [u8]| {
        SysRng
            .try_fill_bytes(bytes)
            .map_err(|_| EncryptionFault::NoRandomness)
    };
    draw(&mut salt)?;
    for _ in 0..DRAWS {
        draw(&mut scalar)?;
        // Hardly any number is none.
        if let Ok(own) = SecretKey::from_slice(&scalar) {
            let padded = PADDED.max(content.len());
            return encrypt(content, padded, receiver, salt, &own);
        }
    }
    Err(EncryptionFault::NoRandomness)
}

/// Encrypts a message, filled up to a length, by a key and a salt that serve for nothing else.
///
/// # Errors
/// When the receiver's key is none, or the message too long.
pub fn encrypt(
    content: &[u8],
    padded: usize,
    receiver: &Receiver<'_>,
    salt: [u8; 16],
    own: &SecretKey,
) -> Result<Vec<u8>, EncryptionFault> {
    if padded.max(content.len()) > MAX_CONTENT {
        return Err(EncryptionFault::TooLong);
    }
    let theirs =
        PublicKey::from_sec1_bytes(receiver.public_key).map_err(|_| EncryptionFault::NotAKey)?;
    let own_public = own.public_key().to_sec1_bytes();
    let shared = own.diffie_hellman(&theirs);
    let mut input = [0; 32];
    derive(
        receiver.secret,
        shared.raw_secret_bytes(),
        &[b"WebPush: info\0", receiver.public_key, &own_public],
        &mut input,
    )?;
    let (mut key, mut nonce) = ([0; 16], [0; 12]);
    derive(&salt, &input, &[b"Content-Encoding: aes128gcm\0"], &mut key)?;
    derive(&salt, &input, &[b"Content-Encoding: nonce\0"], &mut nonce)?;
    let mut record = content.to_vec();
    record.push(LAST);
    record.resize(padded.max(content.len()) + 1, 0);
    let sealed = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key))
        .encrypt(&Nonce::<Aes128Gcm>::from(nonce), record.as_slice())
        .map_err(|_| EncryptionFault::TooLong)?;
    let (size, length) = (
        u32::try_from(RECORD).unwrap_or(u32::MAX),
        u8::try_from(own_public.len()).unwrap_or(u8::MAX),
    );
    let mut message = salt.to_vec();
    message.extend(size.to_be_bytes());
    message.push(length);
    message.extend(own_public);
    message.extend(sealed);
    Ok(message)
}

fn derive(
    salt: &[u8],
    input: &[u8],
    info: &[&[u8]],
    output: &mut [u8],
) -> Result<(), EncryptionFault> {
    Hkdf::<Sha256>::new(Some(salt), input)
        .expand_multi_info(info, output)
        // Only for more than thousands of bytes.
        .map_err(|_| EncryptionFault::TooLong)
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        BASE64_URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    /// As the browser does it.
    fn decrypt(message: &[u8], theirs: &SecretKey, secret: &[u8]) -> Vec<u8> {
        let (salt, rest) = message.split_at(16);
        let own_public = &rest[5..5 + usize::from(rest[4])];
        let sealed = &rest[5 + usize::from(rest[4])..];
        let shared = theirs.diffie_hellman(&PublicKey::from_sec1_bytes(own_public).unwrap());
        let public_key = theirs.public_key().to_sec1_bytes();
        let mut input = [0; 32];
        let info: [&[u8]; 3] = [b"WebPush: info\0", &public_key, own_public];
        derive(secret, shared.raw_secret_bytes(), &info, &mut input).unwrap();
        let (mut key, mut nonce) = ([0; 16], [0; 12]);
        derive(salt, &input, &[b"Content-Encoding: aes128gcm\0"], &mut key).unwrap();
        derive(salt, &input, &[b"Content-Encoding: nonce\0"], &mut nonce).unwrap();
        let mut content = Aes128Gcm::new(&Key::<Aes128Gcm>::from(key))
            .decrypt(&Nonce::<Aes128Gcm>::from(nonce), sealed)
            .unwrap();
        while content.pop_if(|byte| *byte == 0).is_some() {}
        assert_eq!(content.pop(), Some(LAST));
        content
    }

    #[test]
    fn the_example_of_the_standard_comes_out() {
        // RFC 8291, section 5 and appendix A.
        let own = SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"));
        let public_key = bytes(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        );
        let receiver = Receiver {
            public_key: &public_key,
            secret: &bytes("BTBZMqHH6r4Tts7J_aSIgg"),
        };
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let content = b"When I grow up, I want to be a watermelon";
        let message = encrypt(content, 0, &receiver, salt, &own.unwrap()).unwrap();
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml\
             mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZ\
             wbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(BASE64_URL_SAFE_NO_PAD.encode(message), expected);
    }

    #[test]
    fn the_browser_reads_what_was_sealed() {
        let theirs = SecretKey::from_slice(&[7; 32]).unwrap();
        let public_key = theirs.public_key().to_sec1_bytes();
        let receiver = Receiver {
            public_key: &public_key,
            secret: &[9; 16],
        };
        let most = [b'x'; MAX_CONTENT];
        for content in [&b""[..], b"{}", &[b'y'; PADDED], &most] {
            let message = seal(content, &receiver).unwrap();
            assert_eq!(decrypt(&message, &theirs, &[9; 16]), content);
            assert_ne!(message, seal(content, &receiver).unwrap());
        }
        let length = |content: &[u8]| seal(content, &receiver).unwrap().len();
        assert_eq!(length(b""), length(&[b'y'; PADDED]));
        assert_eq!(length(&most), RECORD + 86);
        let longer = [b'x'; MAX_CONTENT + 1];
        assert_eq!(seal(&longer, &receiver), Err(EncryptionFault::TooLong));
        let none = Receiver {
            public_key: &[4; 65],
            ..receiver
        };
        assert_eq!(seal(b"", &none), Err(EncryptionFault::NotAKey));
    }
}
