//! API keys: all invalid keys get the same response; revocation takes effect immediately.

use std::time::{Duration, Instant};

use domain::key::ApiKey;
use tests::client::{Client, Response, unique};
use tests::stack::admin;

use crate::account::Account;
use crate::problem::{assert_error, assert_problem, expected_problem, without_request_id};

const INVALID: &str = "Bearer error=\"invalid_token\"";

async fn get_usage_with(authorization: &str) -> Response {
    let headers = [("authorization", authorization)];
    Client::with_key(None)
        .send("GET", "/usage", &headers, None)
        .await
}

/// A well-formed key with a valid checksum and this identifier, but another secret.
pub(crate) fn key_with_id(id: &str) -> String {
    let of_id = id.chars().map(|character| {
        let makes = |byte: &u8| {
            ApiKey::mint(&[*byte; 48])
                .id()
                .as_str()
                .starts_with(character)
        };
        (0..62).find(makes).unwrap()
    });
    let bytes: Vec<u8> = of_id.chain(std::iter::repeat(7)).take(48).collect();
    ApiKey::mint(&bytes.try_into().unwrap()).reveal()
}

#[tokio::test]
async fn a_missing_key_is_rejected() {
    let response = Client::with_key(None).get("/usage").await;
    let title = "Authentication is required";
    let expected = expected_problem(401, "authentication_required", title, "/usage", false);
    assert_problem(&response, &expected);
    assert_eq!(response.header("www-authenticate"), INVALID);
    let by_query = Account::new("free");
    let path = format!("/usage?api_key={0}&access_token={0}", by_query.key);
    let response = Client::with_key(None).get(&path).await;
    assert_error(&response, 401, "authentication_required", &[]);
}

#[tokio::test]
async fn invalid_keys_are_indistinguishable() {
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
        let response = get_usage_with(&bad).await;
        assert_error(&response, 401, "invalid_api_key", &[]);
        assert_eq!(response.header("www-authenticate"), INVALID);
        assert_eq!(response.header("ratelimit"), "");
        bodies.push(without_request_id(&response));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    for good in [
        format!("Bearer {key}"),
        format!("bearer {key}"),
        format!("BEARER  {key}"),
    ] {
        assert_eq!(get_usage_with(&good).await.status, 200, "{}", good.len());
    }
}

#[tokio::test]
async fn a_revoked_key_stops_at_once_and_others_keep_working() {
    let account = Account::new("business");
    let (id, key) = account.new_key(&["--name", "spare"]);
    let client = Client::with_key(Some(&key));
    assert_eq!(client.get("/usage").await.status, 200);
    admin(&["key", "revoke", &id]);
    let revoked = Instant::now();
    let response = client.get("/usage").await;
    assert!(revoked.elapsed() < Duration::from_secs(1));
    assert_error(&response, 401, "invalid_api_key", &[]);
    assert_eq!(account.client.get("/usage").await.status, 200);
}

#[tokio::test]
async fn the_key_is_checked_before_the_request() {
    let client = Client::with_key(Some("oct_x_y"));
    let key = unique("unread");
    for headers in [&[("idempotency-key", key.as_str())][..], &[]] {
        let response = client
            .send("POST", "/jobs", headers, Some(b"{".to_vec()))
            .await;
        assert_error(&response, 401, "invalid_api_key", &[]);
    }
}
