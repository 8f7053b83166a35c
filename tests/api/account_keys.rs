//! `/account/keys`: only an account token can create, list and revoke keys.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::client::Client;

use crate::account::Account;
use crate::problem::{assert_error, assert_problem, expected_problem, without_request_id};
use crate::tokens::token;

/// Creates an account and a client with its token.
fn signed_in(plan: &str) -> (Account, Client) {
    let account = Account::new(plan);
    let client = Client::with_key(Some(&token(&account.id))).with_retries();
    (account, client)
}

async fn create_key(client: &Client, body: &Value) -> Value {
    let response = client.post("/account/keys", &[], body).await;
    assert_eq!(response.status, 201, "{}", response.text());
    response.json()
}

async fn list_keys(client: &Client) -> Vec<Value> {
    let response = client.get("/account/keys").await;
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()["keys"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_key_is_created_used_listed_and_revoked() {
    let (account, client) = signed_in("business");
    let body = json!({"name": "build server", "scopes": ["jobs:read", "jobs:create"]});
    let created = create_key(&client, &body).await;
    let (key_id, key) = (
        created["keyId"].as_str().unwrap(),
        created["key"].as_str().unwrap(),
    );
    assert!(key.starts_with(&format!("oct_{key_id}_")), "{key_id}");
    assert_eq!(created["scopes"], json!(["jobs:create", "jobs:read"]));

    let of_key = Client::with_key(Some(key));
    assert_eq!(of_key.get("/jobs").await.status, 200);
    let no_scope = of_key.post("/files/upload", &[], &json!({})).await;
    assert_error(&no_scope, 403, "insufficient_scope", &[]);

    let keys = list_keys(&client).await;
    assert_eq!(keys.len(), 2, "{keys:?}");
    let mut expected = created.clone();
    expected.as_object_mut().unwrap().remove("key");
    assert_eq!(keys[0], expected);
    assert!(account.key.contains(keys[1]["keyId"].as_str().unwrap()));

    let path = format!("/account/keys/{key_id}");
    assert_eq!(client.send("DELETE", &path, &[], None).await.status, 204);
    let revoked = Instant::now();
    assert_error(&of_key.get("/jobs").await, 401, "invalid_api_key", &[]);
    assert!(revoked.elapsed() < Duration::from_secs(1));
    assert_eq!(list_keys(&client).await.len(), 1);
    // Revoking is idempotent.
    assert_eq!(client.send("DELETE", &path, &[], None).await.status, 204);
}

#[tokio::test]
async fn a_key_without_scopes_may_do_everything_but_manage_keys() {
    let (_, client) = signed_in("business");
    let created = create_key(&client, &json!({})).await;
    assert_eq!(
        created["scopes"].as_array().unwrap().len(),
        domain::scope::Scope::ALL.len()
    );
    assert!(created.get("name").is_none());
    let of_key = Client::with_key(created["key"].as_str());
    let key_id = created["keyId"].as_str().unwrap();
    for (method, path) in [
        ("GET", "/account/keys".to_owned()),
        ("POST", "/account/keys".to_owned()),
        ("DELETE", format!("/account/keys/{key_id}")),
    ] {
        let response = of_key.send(method, &path, &[], None).await;
        let title = "An account token is required";
        assert_problem(
            &response,
            &expected_problem(403, "account_token_required", title, &path, false),
        );
    }
    assert_eq!(of_key.get("/usage").await.status, 200);
}

#[tokio::test]
async fn another_accounts_key_is_not_found() {
    let ((_, client), other) = (signed_in("business"), Account::new("business"));
    let (foreign, key) = other.new_key(&[]);
    let mut bodies = Vec::new();
    for id in [
        foreign.as_str(),
        "0123456789abcdef",
        "short",
        "with-a-hyphen-16",
    ] {
        let path = format!("/account/keys/{id}");
        let response = client.send("DELETE", &path, &[], None).await;
        assert_error(&response, 404, "key_not_found", &[]);
        bodies.push(without_request_id(&response));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert_eq!(Client::with_key(Some(&key)).get("/usage").await.status, 200);
}

#[tokio::test]
async fn the_plan_limits_the_number_of_active_keys() {
    let (_, client) = signed_in("free");
    // The account already has one key.
    let mut last = Value::Null;
    for _ in 0..19 {
        last = create_key(&client, &json!({})).await;
    }
    let response = client.post("/account/keys", &[], &json!({})).await;
    assert_error(&response, 403, "plan_required", &[]);
    let path = format!("/account/keys/{}", last["keyId"].as_str().unwrap());
    assert_eq!(client.send("DELETE", &path, &[], None).await.status, 204);
    create_key(&client, &json!({})).await;
}

#[tokio::test]
async fn each_field_is_validated() {
    let (_, client) = signed_in("business");
    let long = "x".repeat(101);
    for (body, path, code) in [
        (json!({"name": null}), "$.name", "invalid_value"),
        (json!({"name": ""}), "$.name", "invalid_value"),
        (json!({"name": 7}), "$.name", "invalid_value"),
        (json!({"name": long}), "$.name", "invalid_value"),
        (json!({"name": "a\u{7}b"}), "$.name", "invalid_value"),
        (json!({"scopes": null}), "$.scopes", "invalid_value"),
        (json!({"scopes": []}), "$.scopes", "invalid_value"),
        (json!({"scopes": "jobs:read"}), "$.scopes", "invalid_value"),
        (
            json!({"scopes": ["jobs:Read"]}),
            "$.scopes[0]",
            "invalid_value",
        ),
        (json!({"scope": ["jobs:read"]}), "$.scope", "unknown_field"),
        (json!({"Name": "a"}), "$.Name", "unknown_field"),
        (json!([]), "$", "invalid_value"),
    ] {
        let response = client.post("/account/keys", &[], &body).await;
        assert_error(&response, 400, "invalid_request", &[(path, code)]);
    }
    let longest = "ü".repeat(100);
    assert_eq!(
        create_key(&client, &json!({"name": longest})).await["name"],
        longest
    );
    assert_eq!(list_keys(&client).await.len(), 2);
}
