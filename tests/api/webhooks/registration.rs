//! Validation, creation and limits of webhooks.

use futures::future::join_all;
use serde_json::{Value, json};
use tests::client::unique;
use tests::trusted_host::TrustedHost;

use crate::account::Account;
use crate::blocked_urls;
use crate::invalid_bodies::{Field, InvalidBody, JsonType, invalid_bodies};
use crate::problem::{assert_error, without_request_id};

const FIELDS: [Field; 2] = [
    Field {
        name: "url",
        json_type: JsonType::Text,
        required: true,
    },
    Field {
        name: "events",
        json_type: JsonType::List,
        required: true,
    },
];

fn base() -> Value {
    json!({"url": TrustedHost::url("/a"), "events": ["job.completed"]})
}

async fn count(account: &Account) -> usize {
    let list = account.client.get("/webhooks?limit=100").await.json();
    list["webhooks"].as_array().unwrap().len()
}

#[tokio::test]
async fn invalid_fields_are_rejected() {
    let account = Account::new("business");
    let mut all = invalid_bodies(&base(), &FIELDS);
    all.push(InvalidBody::with_field(
        &base(),
        "events",
        json!([]),
        "invalid_value",
    ));
    let many = json!(vec!["*"; 51]);
    all.push(InvalidBody::with_field(
        &base(),
        "events",
        many,
        "invalid_value",
    ));
    for invalid in all {
        let response = account.client.post("/webhooks", &[], &invalid.body).await;
        invalid.assert_rejected(&response, 400, "invalid_request");
    }
    let mut unknown = base();
    unknown["events"] = json!(["job.done", "job.*", "scan.created", "JOB.CREATED"]);
    let response = account.client.post("/webhooks", &[], &unknown).await;
    let expected_errors = ["$.events[0]", "$.events[2]", "$.events[3]"];
    let expected_errors = expected_errors.map(|path| (path, "invalid_value"));
    assert_error(&response, 400, "invalid_request", &expected_errors);
    assert_eq!(count(&account).await, 0);
}

#[tokio::test]
async fn blocked_urls_are_rejected() {
    let account = Account::new("pro");
    let mut bodies = Vec::new();
    for (url, status, code) in blocked_urls::all() {
        let mut body = base();
        body["url"] = json!(url);
        let response = account.client.post("/webhooks", &[], &body).await;
        assert_eq!(response.status, status, "{url}: {}", response.text());
        assert_error(&response, status, code, &[("$.url", code)]);
        bodies.push(without_request_id(&response));
    }
    bodies.sort();
    bodies.dedup();
    assert_eq!(
        bodies.len(),
        2,
        "the response does not depend on the reason: {bodies:?}"
    );
    assert_eq!(count(&account).await, 0);
}

#[tokio::test]
async fn a_webhook_is_returned_as_created_and_its_secret_only_once() {
    let account = Account::new("starter");
    let longest = TrustedHost::url("/");
    let longest = format!("{longest}{}", "a".repeat(2_048 - longest.len()));
    let body = json!({"url": longest, "events": ["job.*", "job.completed", "job.*"]});
    let created = account.client.post("/webhooks", &[], &body).await;
    assert_eq!(created.status, 201, "{}", created.text());
    let created = created.json();
    let secret = created["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_"), "{created}");
    let mut shown = created.clone();
    shown.as_object_mut().unwrap().shift_remove("secret");
    let expected = json!({
        "id": created["id"], "status": "active", "url": longest, "events": ["job.*", "job.completed"],
        "createdAt": created["createdAt"],
    });
    assert_eq!(shown, expected);
    let path = format!("/webhooks/{}", created["id"].as_str().unwrap());
    assert_eq!(account.client.get(&path).await.json(), expected);
    let list = account.client.get("/webhooks").await.json();
    assert_eq!(list, json!({"webhooks": [expected], "nextCursor": null}));
}

#[tokio::test]
async fn a_replay_returns_the_webhook_without_its_secret() {
    let account = Account::new("starter");
    let key = unique("webhook");
    let headers = [("idempotency-key", key.as_str())];
    let first = account.client.post("/webhooks", &headers, &base()).await;
    assert_eq!(
        (first.status, first.header("idempotency-replayed")),
        (201, "")
    );
    let first = first.json();
    let again = account.client.post("/webhooks", &headers, &base()).await;
    assert_eq!(
        (again.status, again.header("idempotency-replayed")),
        (201, "true")
    );
    let mut expected = first.clone();
    expected.as_object_mut().unwrap().shift_remove("secret");
    assert_eq!(again.json(), expected);
    let mut other = base();
    other["events"] = json!(["*"]);
    let reused = account.client.post("/webhooks", &headers, &other).await;
    assert_error(&reused, 422, "idempotency_key_reused", &[]);
    assert_eq!(count(&account).await, 1);
    let path = format!("/webhooks/{}", first["id"].as_str().unwrap());
    account.client.send("DELETE", &path, &[], None).await;
    let gone = account.client.post("/webhooks", &headers, &base()).await;
    assert_error(&gone, 404, "webhook_not_found", &[]);
    assert_eq!(count(&account).await, 0);

    let key = unique("webhook");
    let headers = [("idempotency-key", key.as_str())];
    let (client, body) = (&account.client, base());
    let all = join_all((0..20).map(|_| client.post("/webhooks", &headers, &body))).await;
    let secrets = all
        .iter()
        .filter(|response| response.json().get("secret").is_some());
    assert_eq!(secrets.count(), 1);
    let ids = all
        .iter()
        .map(|response| (response.status, response.json()["id"].to_string()));
    let mut ids: Vec<_> = ids.collect();
    ids.dedup();
    assert_eq!((ids.len(), ids[0].0), (1, 201), "{ids:?}");
}

#[tokio::test]
async fn the_plan_limits_webhooks_and_hooks_together() {
    let account = Account::new("free");
    let (client, body) = (&account.client, base());
    let hook = json!({"event": "qr.scanned", "targetUrl": TrustedHost::url("/hook")});
    let hooks = join_all((0..4).map(|_| client.post("/hooks/subscribe", &[], &hook))).await;
    assert!(hooks.iter().all(|response| response.status == 201));
    let all = join_all((0..12).map(|_| client.post("/webhooks", &[], &body))).await;
    let created = all.iter().filter(|response| response.status == 201).count();
    assert_eq!(created, 6, "concurrent requests do not exceed the limit");
    for response in all.iter().filter(|response| response.status != 201) {
        assert_error(response, 403, "plan_required", &[]);
    }
    let response = client.post("/hooks/subscribe", &[], &hook).await;
    assert_error(&response, 403, "plan_required", &[]);
    let id = hooks[0].json()["id"].clone();
    client
        .post("/hooks/unsubscribe", &[], &json!({"id": id}))
        .await;
    let response = client.post("/webhooks", &[], &body).await;
    assert_eq!(
        response.status,
        201,
        "a deleted one makes room: {}",
        response.text()
    );
}
