//! The addresses that mails lead to, and the tokens that stop a kind of mail without a login.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use storage::mail::MailState;
use storage::{GameId, PlayerId};
use uuid::Uuid;

use super::MailKind;
use crate::auth::OpaqueToken;

/// Where the server is found from outside.
pub(super) struct Links {
    base: String,
}

impl Links {
    pub(super) fn new(public_url: &str) -> Self {
        Self {
            base: public_url.trim_end_matches('/').to_owned(),
        }
    }

    pub(super) fn verify(&self, token: &OpaqueToken) -> String {
        format!("{}/mail/verify?token={}", self.base, token.expose())
    }

    pub(super) fn reset(&self, token: &OpaqueToken) -> String {
        format!("{}/mail/reset?token={}", self.base, token.expose())
    }

    pub(super) fn stop(&self, kind: MailKind, state: &MailState) -> String {
        let token = Unsubscribe::new(state.player, kind, &state.unsubscribe_key);
        format!("{}/mail/unsubscribe?token={}", self.base, token.expose())
    }

    pub(super) fn game(&self, game: GameId) -> String {
        format!("{}/v1/games/{game}", self.base)
    }

    pub(super) fn challenges(&self) -> String {
        format!("{}/v1/challenges?direction=incoming", self.base)
    }
}

const MAC_BYTES: usize = 32;
const BYTES: usize = 16 + 1 + MAC_BYTES;

/// A token that stops a kind of mail to a player: signed with a key of the player's own, so that it can
/// be made again for each mail and holds for as long as the account.
pub struct Unsubscribe {
    /// Whose mail.
    pub player: PlayerId,
    /// Which.
    pub kind: MailKind,
    mac: [u8; MAC_BYTES],
}

impl Unsubscribe {
    fn new(player: PlayerId, kind: MailKind, key: &[u8; 32]) -> Self {
        let mac = mac(player, kind, key).finalize().into_bytes().into();
        Self { player, kind, mac }
    }

    /// Reads a token; none when it is not of the form of one. Whether it holds is another question.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; BYTES];
        let length = BASE64_URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
        let (player, rest) = bytes.split_first_chunk()?;
        let (kind, mac) = rest.split_first()?;
        Some(Self {
            player: PlayerId::from_uuid(Uuid::from_bytes(*player)),
            kind: MailKind::from_number(*kind)?,
            mac: mac.try_into().ok().filter(|_| length == BYTES)?,
        })
    }

    /// Whether it was made with that key. Takes as long whatever the answer.
    pub fn holds(&self, key: &[u8; 32]) -> bool {
        mac(self.player, self.kind, key)
            .verify_slice(&self.mac)
            .is_ok()
    }

    fn expose(&self) -> String {
        let mut bytes = self.player.as_uuid().as_bytes().to_vec();
        bytes.push(self.kind.number());
        bytes.extend(self.mac);
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }
}

fn mac(player: PlayerId, kind: MailKind, key: &[u8; 32]) -> Hmac<Sha256> {
    // As HMAC itself fills a short key up.
    let mut block = [0; 64];
    for (place, byte) in block.iter_mut().zip(key) {
        *place = *byte;
    }
    let mut mac = <Hmac<Sha256> as KeyInit>::new(&block.into());
    mac.update(b"unsubscribe");
    mac.update(player.as_uuid().as_bytes());
    mac.update(&[kind.number()]);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_holds_for_its_player_and_kind_alone() {
        let player = PlayerId::generate(domain::Timestamp::from_micros(0));
        let key = [7; 32];
        let text = Unsubscribe::new(player, MailKind::Digest, &key).expose();
        let read = Unsubscribe::parse(&text).unwrap();
        assert_eq!((read.player, read.kind), (player, MailKind::Digest));
        assert!(read.holds(&key) && !read.holds(&[8; 32]));
        let other = Unsubscribe {
            kind: MailKind::YourTurn,
            ..read
        };
        assert!(!other.holds(&key));
        for bad in ["", "x", &text[1..], &format!("{text}A")] {
            assert!(Unsubscribe::parse(bad).is_none(), "{bad}");
        }
    }
}
