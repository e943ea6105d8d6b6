use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use chrono::TimeDelta;
use jsonwebtoken::EncodingKey;
use serde_json::{Value, json};

use super::*;

struct Fixture {
    tokens: AccessTokens,
    now: DateTime<Utc>,
    player: Uuid,
    login: FamilyId,
    _folder: tempfile::TempDir,
}

fn fixture() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let tokens = AccessTokens::new(SigningKeys::from_data_dir(folder.path()).unwrap());
    let now = "2026-11-29T21:00:00Z".parse().unwrap();
    Fixture {
        tokens,
        now,
        player: Uuid::now_v7(),
        login: FamilyId::from_uuid(Uuid::now_v7()),
        _folder: folder,
    }
}

impl Fixture {
    fn claims(&self) -> Value {
        let now = self.now.timestamp();
        json!({
            "iss": ISSUER, "aud": AUDIENCE, "sub": self.player, "iat": now, "nbf": now,
            "exp": now + 900, "jti": Uuid::now_v7(), "scope": "play read"
        })
    }

    fn header(&self) -> Header {
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some(TYPE.into());
        header.kid = Some(self.tokens.keys.newest().jwk.kid.clone());
        header
    }

    fn sign(&self, header: &Header, claims: &Value) -> String {
        encode(header, claims, &self.tokens.keys.newest().signing).unwrap()
    }

    /// A token whose header is any text, signed rightly all the same.
    fn sign_under(&self, header: &Value, claims: &Value) -> String {
        let message = format!(
            "{}.{}",
            BASE64.encode(header.to_string()),
            BASE64.encode(claims.to_string())
        );
        let signature = jsonwebtoken::crypto::sign(
            message.as_bytes(),
            &self.tokens.keys.newest().signing,
            Algorithm::EdDSA,
        );
        format!("{message}.{}", signature.unwrap())
    }
}

#[test]
fn what_was_issued_is_verified_until_its_last_second() {
    let it = fixture();
    let token = it
        .tokens
        .issue(it.player, it.login, Scopes::LOGIN, it.now)
        .unwrap();
    for (after, expected) in [
        (-1, Err(TokenFault::Invalid)),
        (0, Ok(())),
        (899, Ok(())),
        (900, Err(TokenFault::Expired)),
        (905, Err(TokenFault::Expired)),
        (961, Err(TokenFault::Expired)),
    ] {
        let verified = it.tokens.verify(&token, it.now + TimeDelta::seconds(after));
        assert_eq!(verified.map(|_| ()), expected, "after {after} s");
    }
    let verified = it.tokens.verify(&token, it.now).unwrap();
    assert_eq!(
        (verified.player_id, verified.login, verified.scopes),
        (it.player, Some(it.login), Scopes::LOGIN)
    );
}

#[test]
fn a_remembered_token_still_runs_out() {
    let it = fixture();
    let token = it
        .tokens
        .issue(it.player, it.login, Scopes::LOGIN, it.now)
        .unwrap();
    it.tokens.verify(&token, it.now).unwrap();
    assert_eq!(it.tokens.remembered().len(), 1);
    let later = it.now + TimeDelta::seconds(900);
    assert_eq!(it.tokens.verify(&token, later), Err(TokenFault::Expired));
}

#[test]
fn every_claim_is_required_and_of_its_type() {
    let it = fixture();
    assert!(
        it.tokens
            .verify(&it.sign(&it.header(), &it.claims()), it.now)
            .is_ok()
    );
    for claim in ["iss", "aud", "sub", "iat", "nbf", "exp", "scope"] {
        let mut claims = it.claims();
        claims.as_object_mut().unwrap().remove(claim);
        let token = it.sign(&it.header(), &claims);
        assert_eq!(
            it.tokens.verify(&token, it.now),
            Err(TokenFault::Invalid),
            "without {claim}"
        );
        for value in [json!(null), json!(true), json!({}), json!("x\u{0}")] {
            let mut claims = it.claims();
            claims[claim] = value.clone();
            let verified = it.tokens.verify(&it.sign(&it.header(), &claims), it.now);
            if claim == "scope" && value.is_string() {
                assert_eq!(verified.unwrap().scopes, Scopes::default());
            } else {
                assert_eq!(verified, Err(TokenFault::Invalid), "{claim} as {value}");
            }
        }
    }
}

#[test]
fn wrong_issuer_audience_or_time_is_refused() {
    let it = fixture();
    let now = it.now.timestamp();
    for (claim, value, fault) in [
        ("iss", json!("someone"), TokenFault::Invalid),
        ("aud", json!("another-api"), TokenFault::Invalid),
        ("aud", json!(["another-api"]), TokenFault::Invalid),
        ("nbf", json!(now + 1), TokenFault::Invalid),
        ("iat", json!(now + 1), TokenFault::Invalid),
        ("exp", json!(now), TokenFault::Expired),
        ("exp", json!(now - 5), TokenFault::Expired),
        ("sub", json!("not-a-uuid"), TokenFault::Invalid),
    ] {
        let mut claims = it.claims();
        claims[claim] = value.clone();
        let token = it.sign(&it.header(), &claims);
        assert_eq!(
            it.tokens.verify(&token, it.now),
            Err(fault),
            "{claim} = {value}"
        );
    }
}

#[test]
fn only_our_algorithm_type_and_keys_are_taken() {
    let it = fixture();
    let kid = it.tokens.keys.newest().jwk.kid.clone();
    let x = it.tokens.keys.newest().jwk.x.clone();
    for header in [
        json!({"alg": "none", "typ": TYPE, "kid": kid}),
        json!({"alg": "HS256", "typ": TYPE, "kid": kid}),
        json!({"alg": "RS256", "typ": TYPE, "kid": kid}),
        json!({"alg": "EdDSA", "typ": "JWT", "kid": kid}),
        json!({"alg": "EdDSA", "kid": kid}),
        json!({"alg": "EdDSA", "typ": TYPE}),
        json!({"alg": "EdDSA", "typ": TYPE, "kid": "unknown"}),
        json!({"alg": "EdDSA", "typ": TYPE, "kid": kid, "crit": ["exp"]}),
    ] {
        let token = it.sign_under(&header, &it.claims());
        assert_eq!(
            it.tokens.verify(&token, it.now),
            Err(TokenFault::Invalid),
            "{header}"
        );
    }
    // The classic confusion: HMAC keyed with the public key.
    let secret = EncodingKey::from_secret(&BASE64.decode(x).unwrap());
    let mut header = Header::new(Algorithm::HS256);
    (header.typ, header.kid) = (Some(TYPE.into()), Some(kid.clone()));
    let token = encode(&header, &it.claims(), &secret.unwrap()).unwrap();
    assert_eq!(it.tokens.verify(&token, it.now), Err(TokenFault::Invalid));
    // Another server's key under our kid.
    let other = fixture();
    let mut header = other.header();
    header.kid = Some(kid);
    let token = other.sign(&header, &it.claims());
    assert_eq!(it.tokens.verify(&token, it.now), Err(TokenFault::Invalid));
}

#[test]
fn damaged_tokens_are_refused() {
    let it = fixture();
    let token = it
        .tokens
        .issue(it.player, it.login, Scopes::LOGIN, it.now)
        .unwrap();
    let parts: Vec<_> = token.split('.').collect();
    for damaged in [
        String::new(),
        "x".into(),
        "..".into(),
        parts[..2].join("."),
        format!("{}.{}.", parts[0], parts[1]),
        format!("{token}A"),
        format!("{token}.x"),
        "a".repeat(MAX_TOKEN_BYTES + 1),
    ] {
        assert_eq!(
            it.tokens.verify(&damaged, it.now),
            Err(TokenFault::Invalid),
            "{damaged}"
        );
    }
}

#[test]
fn the_memory_of_verified_tokens_is_bounded() {
    let it = fixture();
    let verified = Verified {
        player_id: it.player,
        scopes: Scopes::LOGIN,
        login: None,
        not_before: 0,
        expires: it.now.timestamp() + 10,
    };
    for number in 0..MAX_REMEMBERED as u64 + 10 {
        let digest = Sha256::digest(number.to_be_bytes()).into();
        it.tokens.remember(digest, verified, it.now.timestamp());
    }
    assert_eq!(it.tokens.remembered().len(), MAX_REMEMBERED);
    it.tokens.remember([1; 32], verified, verified.expires);
    assert_eq!(it.tokens.remembered().len(), 1);
}
