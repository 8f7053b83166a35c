//! `/account/keys`: keys are created, listed and revoked with an account's token, and with nothing else.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::client::Client;

use crate::account::Account;
use crate::refusal::{anonymous, assert_problem, assert_refused, problem};
use crate::tokens::token;

/// An account and a client that carries its token.
fn signed_in(plan: &str) -> (Account, Client) {
    let account = Account::new(plan);
    let client = Client::with_key(Some(&token(&account.id))).patient();
    (account, client)
}

async fn create(client: &Client, body: &Value) -> Value {
    let answer = client.post("/account/keys", &[], body).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()
}

async fn listed(client: &Client) -> Vec<Value> {
    let answer = client.get("/account/keys").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["keys"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_key_is_created_shown_once_used_listed_and_revoked() {
    let (account, client) = signed_in("business");
    let body = json!({"name": "build server", "scopes": ["jobs:read", "jobs:create"]});
    let created = create(&client, &body).await;
    let (key_id, key) = (
        created["keyId"].as_str().unwrap(),
        created["key"].as_str().unwrap(),
    );
    assert!(key.starts_with(&format!("oct_{key_id}_")), "{key_id}");
    assert_eq!(created["scopes"], json!(["jobs:create", "jobs:read"]));

    let of_key = Client::with_key(Some(key));
    assert_eq!(of_key.get("/jobs").await.status, 200);
    let no_scope = of_key.post("/files/upload", &[], &json!({})).await;
    assert_refused(&no_scope, 403, "insufficient_scope", &[]);

    let keys = listed(&client).await;
    assert_eq!(keys.len(), 2, "{keys:?}");
    let mut expected = created.clone();
    expected.as_object_mut().unwrap().remove("key");
    assert_eq!(keys[0], expected);
    assert!(account.key.contains(keys[1]["keyId"].as_str().unwrap()));

    let path = format!("/account/keys/{key_id}");
    assert_eq!(client.send("DELETE", &path, &[], None).await.status, 204);
    let revoked = Instant::now();
    assert_refused(&of_key.get("/jobs").await, 401, "invalid_api_key", &[]);
    assert!(revoked.elapsed() < Duration::from_secs(1));
    assert_eq!(listed(&client).await.len(), 1);
    // Revoking again is no error: the key is as revoked as before.
    assert_eq!(client.send("DELETE", &path, &[], None).await.status, 204);
}

#[tokio::test]
async fn a_key_without_scopes_may_do_everything_but_manage_keys() {
    let (_, client) = signed_in("business");
    let created = create(&client, &json!({})).await;
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
        let answer = of_key.send(method, &path, &[], None).await;
        let title = "The token of a signed-in account is required";
        assert_problem(
            &answer,
            &problem(403, "account_token_required", title, &path, false),
        );
    }
    assert_eq!(of_key.get("/usage").await.status, 200);
}

#[tokio::test]
async fn another_accounts_key_is_unknown() {
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
        let answer = client.send("DELETE", &path, &[], None).await;
        assert_refused(&answer, 404, "key_not_found", &[]);
        bodies.push(anonymous(&answer));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert_eq!(Client::with_key(Some(&key)).get("/usage").await.status, 200);
}

#[tokio::test]
async fn a_plan_allows_so_many_keys_that_work() {
    let (_, client) = signed_in("free");
    // One exists already.
    let mut last = Value::Null;
    for _ in 0..19 {
        last = create(&client, &json!({})).await;
    }
    let answer = client.post("/account/keys", &[], &json!({})).await;
    assert_refused(&answer, 403, "plan_required", &[]);
    let path = format!("/account/keys/{}", last["keyId"].as_str().unwrap());
    assert_eq!(client.send("DELETE", &path, &[], None).await.status, 204);
    create(&client, &json!({})).await;
}

#[tokio::test]
async fn each_member_is_checked() {
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
        let answer = client.post("/account/keys", &[], &body).await;
        assert_refused(&answer, 400, "invalid_request", &[(path, code)]);
    }
    let longest = "ü".repeat(100);
    assert_eq!(
        create(&client, &json!({"name": longest})).await["name"],
        longest
    );
    assert_eq!(listed(&client).await.len(), 2);
}
