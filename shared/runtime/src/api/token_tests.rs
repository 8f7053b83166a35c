//! Verification of valid, invalid and forged tokens signed with a test key.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use domain::account::Admission;
use domain::id::AccountId;
use domain::key::{KeyId, SecretHash};
use domain::timestamp::Timestamp;
use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::*;

/// RSA private key for tests only.
const SIGNING_KEY: &[u8] = include_bytes!("token_test_key.der");
/// Modulus of the key, base64url.
const MODULUS: &str = concat!(
    "4ntLHrER7yWQENSOTelWiZQoyfSMggXCxSd2vsJ-etX0-IKzpjzg149Rfsve84qAWek-HxzB3kjk_-oqmY1hG1DqpvW8I6Ia",
    "-Bp5z8mID3aWH04VSKdvkxfCniGkk-kiGUW_SEJ_yOEZm0c9thXz_6r4d34V9LbMbWEy_HKjfxQmViMOnn_oAk8O6A0n-3F6",
    "SI2k8XC-YrPjQEiJtaz75vt62bpivOJH3-Y0AEw9SIizb4sp7udwVQard176ubq-q2Z9K9m-AHxMxN39ZphAtYh-SC8GLqLc",
    "aTtu4OxMX0ob9p3oisqnl5qTktsoGt4nOsCP210XpGEO0wLS6JICeQ",
);
const ISSUER: &str = "https://issuer.example/pool";

#[derive(Default)]
struct Provider {
    jwks_fetches: AtomicUsize,
}

#[async_trait]
impl Callers for Provider {
    async fn admit(&self, _: &KeyId, _: &SecretHash, _: Timestamp) -> Result<Admission, PortError> {
        unreachable!("a token is not an API key")
    }

    async fn admit_identity(
        &self,
        _: &Identity,
        _: &AccountId,
        _: Timestamp,
    ) -> Result<Admission, PortError> {
        unreachable!("only the signing keys are fetched")
    }

    async fn signing_keys(&self, issuer: &str) -> Result<Value, PortError> {
        assert_eq!(issuer, ISSUER);
        self.jwks_fetches.fetch_add(1, Ordering::Relaxed);
        let key = json!({"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "one", "n": MODULUS, "e": "AQAB"});
        Ok(json!({"keys": [key]}))
    }
}

fn tokens() -> TokenVerifier {
    TokenVerifier::new(Issuer {
        url: ISSUER.to_owned(),
        client_id: "client".to_owned(),
    })
}

fn claims() -> Value {
    let now = crate::clock::now().seconds();
    json!({"iss": ISSUER, "sub": "person", "aud": "client", "email": "a@b.example", "exp": now + 600, "token_use": "id"})
}

fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    claims
}

fn without(name: &str) -> Value {
    let mut claims = claims();
    claims.as_object_mut().unwrap().shift_remove(name);
    claims
}

fn signed(key_id: Option<&str>, claims: &Value) -> String {
    let mut header = Header::new(Algorithm::RS256);
    header.kid = key_id.map(str::to_owned);
    encode(&header, claims, &EncodingKey::from_rsa_der(SIGNING_KEY)).unwrap()
}

async fn identity(token: &str) -> Option<Identity> {
    let now = crate::clock::now();
    tokens()
        .identity(&Provider::default(), token, now)
        .await
        .unwrap()
}

#[tokio::test]
async fn id_and_access_tokens_of_the_client_are_accepted() {
    let found = identity(&signed(Some("one"), &claims())).await.unwrap();
    assert_eq!(
        (found.issuer.as_str(), found.subject.as_str()),
        (ISSUER, "person")
    );
    assert_eq!(found.email.as_deref(), Some("a@b.example"));

    let mut access = without("aud");
    access["client_id"] = json!("client");
    assert!(identity(&signed(Some("one"), &access)).await.is_some());
}

#[tokio::test]
async fn tokens_with_an_invalid_claim_are_rejected() {
    let past = crate::clock::now().seconds() - 120;
    let wrong = [
        with("iss", json!("https://issuer.example/other")),
        without("iss"),
        with("aud", json!("another")),
        without("aud"),
        with("exp", json!(past)),
        without("exp"),
        without("sub"),
        with("sub", json!("")),
    ];
    for claims in &wrong {
        assert_eq!(
            identity(&signed(Some("one"), claims)).await,
            None,
            "{claims}"
        );
    }
}

#[tokio::test]
async fn forged_signatures_are_rejected() {
    let good = signed(Some("one"), &claims());
    let (signed_part, signature) = good.rsplit_once('.').unwrap();
    let other = signed(Some("one"), &with("sub", json!("another person")));
    let (_, foreign) = other.rsplit_once('.').unwrap();
    assert_eq!(identity(&format!("{signed_part}.{foreign}")).await, None);
    assert_eq!(identity(&format!("{signed_part}.")).await, None);

    // Algorithm confusion: signed with the public key as HMAC secret, or not signed at all.
    let mut header = Header::new(Algorithm::HS256);
    header.kid = Some("one".to_owned());
    let symmetric = EncodingKey::from_secret(MODULUS.as_bytes());
    let forged = encode(&header, &claims(), &symmetric).unwrap();
    assert_eq!(identity(&forged).await, None);
    // {"alg":"none","kid":"one"}
    let none = format!(
        "eyJhbGciOiJub25lIiwia2lkIjoib25lIn0.{}.",
        signed_part.split('.').nth(1).unwrap()
    );
    assert_eq!(identity(&none).await, None);
    assert_ne!(signature, foreign);
}

#[tokio::test]
async fn malformed_tokens_cause_no_jwks_fetch() {
    let (tokens, provider) = (tokens(), Provider::default());
    for junk in ["", "a.b.c", "oct_1_2", &signed(None, &claims())] {
        let found = tokens.identity(&provider, junk, crate::clock::now()).await;
        assert_eq!(found.unwrap(), None);
    }
    assert_eq!(provider.jwks_fetches.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn the_jwks_is_cached_and_refetched_at_most_once_a_minute_for_unknown_keys() {
    let (tokens, provider) = (tokens(), Provider::default());
    let fetches_after = async |key_id: &str, now: Timestamp| {
        let token = signed(Some(key_id), &claims());
        tokens.identity(&provider, &token, now).await.unwrap();
        provider.jwks_fetches.load(Ordering::Relaxed)
    };
    let now = crate::clock::now();
    assert_eq!(fetches_after("one", now).await, 1);
    assert_eq!(fetches_after("one", now).await, 1);
    assert_eq!(fetches_after("two", now).await, 1);
    let later = now.plus(UNKNOWN_KEY_REFRESH);
    assert_eq!(fetches_after("two", later).await, 2);
    assert_eq!(fetches_after("two", later).await, 2);
    assert_eq!(fetches_after("one", later.plus(JWKS_CACHE_TIME)).await, 3);
}
