//! Keys: what is no valid key is refused in one way, and a revoked one at once.

use std::time::{Duration, Instant};

use domain::key::ApiKey;
use tests::client::{Answer, Client, unique};
use tests::stack::admin;

use crate::account::Account;
use crate::refusal::{anonymous, assert_problem, assert_refused, problem};

const INVALID: &str = "Bearer error=\"invalid_token\"";

async fn with(authorization: &str) -> Answer {
    let headers = [("authorization", authorization)];
    Client::with_key(None)
        .send("GET", "/usage", &headers, None)
        .await
}

/// A genuine-looking key that begins with the characters of `id`.
pub(crate) fn key_with_id(id: &str) -> String {
    let of_id = id.chars().map(|wanted| {
        let makes = |byte: &u8| ApiKey::mint(&[*byte; 48]).id().as_str().starts_with(wanted);
        (0..62).find(makes).unwrap()
    });
    let bytes: Vec<u8> = of_id.chain(std::iter::repeat(7)).take(48).collect();
    ApiKey::mint(&bytes.try_into().unwrap()).reveal()
}

#[tokio::test]
async fn without_a_key_authentication_is_required() {
    let answer = Client::with_key(None).get("/usage").await;
    let title = "Authentication is required";
    let expected = problem(401, "authentication_required", title, "/usage", false);
    assert_problem(&answer, &expected);
    assert_eq!(answer.header("www-authenticate"), INVALID);
    let by_query = Account::new("free");
    let path = format!("/usage?api_key={0}&access_token={0}", by_query.key);
    let answer = Client::with_key(None).get(&path).await;
    assert_refused(&answer, 401, "authentication_required", &[]);
}

#[tokio::test]
async fn every_invalid_key_is_refused_alike() {
    let account = Account::new("business");
    let key = &account.key;
    let (id, secret) = key.trim_start_matches("oct_").split_once('_').unwrap();
    let wrong_secret = key_with_id(id);
    assert!(wrong_secret.starts_with(&format!("oct_{id}_")) && wrong_secret != *key);
    let mut bodies = Vec::new();
    for bad in [
        String::new(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        key.clone(),
        format!("Basic {key}"),
        format!("Bearer {key}x"),
        format!("Bearer {}", key.strip_suffix(|_| true).unwrap()),
        format!("Bearer {}", key.to_lowercase()),
        format!("Bearer {}", key.replace("oct_", "key_")),
        format!("Bearer {}", key.replace('_', "-")),
        format!("Bearer oct_{id}"),
        format!("Bearer oct_{id}_"),
        format!("Bearer oct__{secret}"),
        format!("Bearer oct_{secret}_{id}"),
        format!("Bearer {key} {key}"),
        format!("Bearer {}", "x".repeat(4_000)),
        format!("Bearer {wrong_secret}"),
        format!("Bearer {}", ApiKey::mint(&[9; 48]).reveal()),
    ] {
        let answer = with(&bad).await;
        assert_refused(&answer, 401, "invalid_api_key", &[]);
        assert_eq!(answer.header("www-authenticate"), INVALID);
        assert_eq!(answer.header("ratelimit"), "");
        bodies.push(anonymous(&answer));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    for good in [
        format!("Bearer {key}"),
        format!("bearer {key}"),
        format!("BEARER  {key}"),
    ] {
        assert_eq!(with(&good).await.status, 200, "{}", good.len());
    }
}

#[tokio::test]
async fn a_revoked_key_stops_at_once_and_the_others_work_on() {
    let account = Account::new("business");
    let (id, key) = account.new_key(&["--name", "spare"]);
    let client = Client::with_key(Some(&key));
    assert_eq!(client.get("/usage").await.status, 200);
    admin(&["key", "revoke", &id]);
    let revoked = Instant::now();
    let answer = client.get("/usage").await;
    assert!(revoked.elapsed() < Duration::from_secs(1));
    assert_refused(&answer, 401, "invalid_api_key", &[]);
    assert_eq!(account.client.get("/usage").await.status, 200);
}

#[tokio::test]
async fn an_invalid_key_is_refused_before_anything_of_the_request_is_read() {
    let client = Client::with_key(Some("oct_x_y"));
    let key = unique("unread");
    for headers in [&[("idempotency-key", key.as_str())][..], &[]] {
        let answer = client
            .send("POST", "/jobs", headers, Some(b"{".to_vec()))
            .await;
        assert_refused(&answer, 401, "invalid_api_key", &[]);
    }
}
