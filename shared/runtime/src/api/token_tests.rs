//! Tokens signed by a key of this test's own, one thing wrong with each.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use domain::account::Admission;
use domain::id::AccountId;
use domain::key::{KeyId, SecretHash};
use domain::timestamp::Timestamp;
use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::*;

/// An RSA key that signs nothing but these tests.
const SIGNING_KEY: &[u8] = include_bytes!("token_test_key.der");
/// Its modulus.
const MODULUS: &str = concat!(
    "4ntLHrER7yWQENSOTelWiZQoyfSMggXCxSd2vsJ-etX0-IKzpjzg149Rfsve84qAWek-HxzB3kjk_-oqmY1hG1DqpvW8I6Ia",
    "-Bp5z8mID3aWH04VSKdvkxfCniGkk-kiGUW_SEJ_yOEZm0c9thXz_6r4d34V9LbMbWEy_HKjfxQmViMOnn_oAk8O6A0n-3F6",
    "SI2k8XC-YrPjQEiJtaz75vt62bpivOJH3-Y0AEw9SIizb4sp7udwVQard176ubq-q2Z9K9m-AHxMxN39ZphAtYh-SC8GLqLc",
    "aTtu4OxMX0ob9p3oisqnl5qTktsoGt4nOsCP210XpGEO0wLS6JICeQ",
);
const ISSUER: &str = "https://issuer.example/pool";

#[derive(Default)]
struct Provider {
    looks: AtomicUsize,
}

#[async_trait]
impl Callers for Provider {
    async fn admit(&self, _: &KeyId, _: &SecretHash, _: Timestamp) -> Result<Admission, PortError> {
        unreachable!("a token is no key")
    }

    async fn admit_identity(
        &self,
        _: &Identity,
        _: &AccountId,
        _: Timestamp,
    ) -> Result<Admission, PortError> {
        unreachable!("only the signing keys are read")
    }

    async fn signing_keys(&self, issuer: &str) -> Result<Value, PortError> {
        assert_eq!(issuer, ISSUER);
        self.looks.fetch_add(1, Ordering::Relaxed);
        let key = json!({"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "one", "n": MODULUS, "e": "AQAB"});
        Ok(json!({"keys": [key]}))
    }
}

fn tokens() -> Tokens {
    Tokens::new(Issuer {
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

fn signed(key_name: Option<&str>, claims: &Value) -> String {
    let mut header = Header::new(Algorithm::RS256);
    header.kid = key_name.map(str::to_owned);
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
async fn identity_and_access_tokens_of_our_client_are_taken() {
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
async fn one_thing_wrong_is_enough() {
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
async fn a_forged_signature_is_refused() {
    let good = signed(Some("one"), &claims());
    let (signed_part, signature) = good.rsplit_once('.').unwrap();
    let other = signed(Some("one"), &with("sub", json!("somebody else")));
    let (_, foreign) = other.rsplit_once('.').unwrap();
    assert_eq!(identity(&format!("{signed_part}.{foreign}")).await, None);
    assert_eq!(identity(&format!("{signed_part}.")).await, None);

    // Signed with what everybody knows, or with nothing at all.
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
async fn what_is_no_token_causes_no_look_at_the_keys() {
    let (tokens, provider) = (tokens(), Provider::default());
    for junk in ["", "a.b.c", "oct_1_2", &signed(None, &claims())] {
        let found = tokens.identity(&provider, junk, crate::clock::now()).await;
        assert_eq!(found.unwrap(), None);
    }
    assert_eq!(provider.looks.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn keys_are_kept_and_an_unknown_one_is_looked_for_once_a_minute() {
    let (tokens, provider) = (tokens(), Provider::default());
    let looks_after = async |name: &str, now: Timestamp| {
        let token = signed(Some(name), &claims());
        tokens.identity(&provider, &token, now).await.unwrap();
        provider.looks.load(Ordering::Relaxed)
    };
    let now = crate::clock::now();
    assert_eq!(looks_after("one", now).await, 1);
    assert_eq!(looks_after("one", now).await, 1);
    assert_eq!(looks_after("two", now).await, 1);
    let later = now.plus(LOOK_AGAIN);
    assert_eq!(looks_after("two", later).await, 2);
    assert_eq!(looks_after("two", later).await, 2);
    assert_eq!(looks_after("one", later.plus(KEYS_LAST)).await, 3);
}
