//! What an access token must be: signed by our key with our one algorithm, ours, and in time.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use tempfile::TempDir;
use tests::client::text;
use tests::{Backend, Client, Response, TestServer, assert_problem, on_both};

/// An Ed25519 private key in PKCS#8 is this and the 32 bytes of the seed.
const PKCS8: [u8; 16] = [
    0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20,
];

/// A server whose signing key the test knows, and a genuine token of it, taken apart.
struct Forge {
    server: TestServer,
    player: Client,
    key: EncodingKey,
    header: Value,
    claims: Value,
    _folder: TempDir,
}

impl Forge {
    fn new(backend: Backend) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("signing.pem");
        let pem = pem_of_a_new_key();
        fs::write(&file, &pem).unwrap();
        let server = TestServer::start_with(
            backend,
            &[("REVEILLE_SIGNING_KEYS", file.to_str().unwrap())],
        );
        let player = server.register("token");
        let token = player.token.clone().unwrap();
        let part = |index: usize| {
            let part = token.split('.').nth(index).unwrap();
            serde_json::from_slice::<Value>(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
        };
        let key = EncodingKey::from_ed_pem(pem.as_bytes()).unwrap();
        let (header, claims) = (part(0), part(1));
        Self {
            server,
            player,
            key,
            header,
            claims,
            _folder: folder,
        }
    }

    /// A token with these claims, rightly signed.
    fn sign(&self, claims: &Value) -> String {
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(text(&self.header["kid"]));
        header.typ = self.header["typ"].as_str().map(str::to_owned);
        jsonwebtoken::encode(&header, claims, &self.key).unwrap()
    }

    /// The genuine claims with some of them replaced; null takes one out.
    fn claims_with(&self, changes: &Value) -> Value {
        let mut claims = self.claims.clone();
        for (name, value) in changes.as_object().unwrap() {
            if value.is_null() {
                claims.as_object_mut().unwrap().remove(name);
            } else {
                claims[name] = value.clone();
            }
        }
        claims
    }

    fn try_token(&self, token: &str) -> Response {
        self.player.with_token(Some(token)).get("/v1/me")
    }

    #[track_caller]
    fn assert_refused(&self, token: &str) {
        assert_problem(&self.try_token(token), 401, "unauthenticated");
    }

    /// Header and claims with any signature.
    fn unsigned(&self, header: &Value, signature: &[u8]) -> String {
        let part = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let (header, claims) = (header.to_string(), self.claims.to_string());
        format!(
            "{}.{}.{}",
            part(header.as_bytes()),
            part(claims.as_bytes()),
            part(signature)
        )
    }
}

/// The seed is a hash of what no two calls have in common.
fn pem_of_a_new_key() -> String {
    let mut key = PKCS8.to_vec();
    let state = std::hash::RandomState::new();
    for index in 0_u64..4 {
        key.extend_from_slice(&std::hash::BuildHasher::hash_one(&state, index).to_le_bytes());
    }
    let begin = "-----BEGIN PRIVATE KEY-----";
    format!(
        "{begin}\n{}\n-----END PRIVATE KEY-----\n",
        STANDARD.encode(key)
    )
}

fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_secs()).unwrap()
}

/// The control of all the other cases: the test can sign a token that is taken.
fn a_token_with_the_genuine_claims_is_taken(backend: Backend) {
    let forge = Forge::new(backend);
    assert_eq!(forge.header["alg"], "EdDSA", "{}", forge.header);
    assert_eq!(forge.claims["sub"], json!(forge.player.id));
    let lifetime = forge.claims["exp"].as_i64().unwrap() - forge.claims["iat"].as_i64().unwrap();
    assert_eq!(lifetime, 900);
    let answer = forge.try_token(&forge.sign(&forge.claims)).ok(200);
    assert_eq!(answer["id"], json!(forge.player.id));
    let keys = forge.server.client().get("/.well-known/jwks.json").ok(200);
    assert_eq!(keys["keys"][0]["kid"], forge.header["kid"]);
}

/// D14: no leeway worth the name.
fn an_expired_token_is_refused_at_once(backend: Backend) {
    let forge = Forge::new(backend);
    for age in [5, 61, 86_400] {
        let then = now() - age;
        let claims = forge.claims_with(&json!({"exp": then, "iat": then - 900, "nbf": then - 900}));
        let answer = forge.try_token(&forge.sign(&claims));
        assert_problem(&answer, 401, "token_expired");
        assert!(
            answer
                .header("www-authenticate")
                .unwrap()
                .contains("invalid_token")
        );
    }
}

/// D15.
fn a_token_for_others_or_for_later_is_refused(backend: Backend) {
    let forge = Forge::new(backend);
    for changes in [
        json!({"nbf": now() + 120}),
        json!({"aud": "somebody-else"}),
        json!({"aud": []}),
        json!({"iss": "somebody-else"}),
        json!({"sub": "not-a-uuid"}),
        json!({"sub": ""}),
        // A well-formed identifier that no player has.
        json!({"sub": "0190f0a0-0000-7000-8000-000000000000"}),
        json!({"exp": "tomorrow"}),
    ] {
        forge.assert_refused(&forge.sign(&forge.claims_with(&changes)));
    }
}

/// D15: nothing is assumed about a claim that is not there.
fn every_claim_is_required(backend: Backend) {
    let forge = Forge::new(backend);
    for claim in ["exp", "nbf", "iat", "aud", "iss", "sub"] {
        forge.assert_refused(&forge.sign(&forge.claims_with(&json!({claim: null}))));
    }
}

/// D15: one algorithm, whatever the header says.
fn only_our_algorithm_and_key_count(backend: Backend) {
    let forge = Forge::new(backend);
    for algorithm in [
        "none", "None", "RS256", "ES256", "HS256", "HS512", "EdDSA", "",
    ] {
        let mut header = forge.header.clone();
        header["alg"] = json!(algorithm);
        forge.assert_refused(&forge.unsigned(&header, b""));
        forge.assert_refused(&forge.unsigned(&header, &[7; 64]));
    }
    // The public key is no secret, and must not serve as one.
    let keys = forge.player.get("/.well-known/jwks.json").ok(200);
    let public = text(&keys["keys"][0]["x"]);
    for secret in [public.as_bytes(), &URL_SAFE_NO_PAD.decode(&public).unwrap()] {
        for algorithm in [Algorithm::HS256, Algorithm::HS512] {
            let mut header = Header::new(algorithm);
            header.kid = Some(text(&forge.header["kid"]));
            let key = EncodingKey::from_secret(secret).unwrap();
            forge.assert_refused(&jsonwebtoken::encode(&header, &forge.claims, &key).unwrap());
        }
    }
    // Somebody else's key, under our key's name, under no name and under a name that is not ours.
    let other = EncodingKey::from_ed_pem(pem_of_a_new_key().as_bytes()).unwrap();
    for kid in [
        Some(text(&forge.header["kid"])),
        None,
        Some("unknown".to_owned()),
    ] {
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = kid;
        forge.assert_refused(&jsonwebtoken::encode(&header, &forge.claims, &other).unwrap());
    }
    // Our own key, but the token does not say which.
    let nameless = Header::new(Algorithm::EdDSA);
    forge.assert_refused(&jsonwebtoken::encode(&nameless, &forge.claims, &forge.key).unwrap());
}

fn a_token_that_was_altered_is_refused(backend: Backend) {
    let forge = Forge::new(backend);
    let token = forge.sign(&forge.claims);
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let header = signed.split('.').next().unwrap();
    let longer = forge.claims_with(&json!({"exp": now() + 90_000}));
    let longer = URL_SAFE_NO_PAD.encode(longer.to_string());
    forge.assert_refused(&format!("{header}.{longer}.{signature}"));
    forge.assert_refused(&format!("{signed}."));
    forge.assert_refused(signed);
    forge.assert_refused(&format!("{token}.{signature}"));
    let mut bytes = URL_SAFE_NO_PAD.decode(signature).unwrap();
    bytes[0] ^= 1;
    forge.assert_refused(&format!("{signed}.{}", URL_SAFE_NO_PAD.encode(bytes)));
}

on_both! {
    a_token_with_the_genuine_claims_is_taken,
    an_expired_token_is_refused_at_once,
    a_token_for_others_or_for_later_is_refused,
    every_claim_is_required,
    only_our_algorithm_and_key_count,
    a_token_that_was_altered_is_refused,
}
