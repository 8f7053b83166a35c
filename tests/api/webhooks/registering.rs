//! What is taken as a webhook and what is not.

use futures::future::join_all;
use serde_json::{Value, json};
use tests::client::unique;
use tests::trusted_host::TrustedHost;

use crate::account::Account;
use crate::members::{Kind, Member, Wrong, wrong};
use crate::refusal::{anonymous, assert_refused};
use crate::targets;

const MEMBERS: [Member; 2] = [
    Member {
        name: "url",
        kind: Kind::Text,
        required: true,
    },
    Member {
        name: "events",
        kind: Kind::List,
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
async fn wrong_members_are_refused_and_leave_nothing() {
    let account = Account::new("business");
    let mut all = wrong(&base(), &MEMBERS);
    all.push(Wrong::set(&base(), "events", json!([]), "invalid_value"));
    let many = json!(vec!["*"; 51]);
    all.push(Wrong::set(&base(), "events", many, "invalid_value"));
    for wrong in all {
        let answer = account.client.post("/webhooks", &[], &wrong.body).await;
        assert_eq!(answer.status, 400, "{}: {}", wrong.what, answer.text());
        assert_refused(&answer, 400, "invalid_request", &wrong.faults());
    }
    let mut unknown = base();
    unknown["events"] = json!(["job.done", "job.*", "scan.created", "JOB.CREATED"]);
    let answer = account.client.post("/webhooks", &[], &unknown).await;
    let faults = ["$.events[0]", "$.events[2]", "$.events[3]"];
    let faults = faults.map(|path| (path, "invalid_value"));
    assert_refused(&answer, 400, "invalid_request", &faults);
    assert_eq!(count(&account).await, 0);
}

#[tokio::test]
async fn urls_that_nobody_is_called_at_are_refused_and_leave_nothing() {
    let account = Account::new("pro");
    let mut bodies = Vec::new();
    for (url, status, code) in targets::refused() {
        let mut body = base();
        body["url"] = json!(url);
        let answer = account.client.post("/webhooks", &[], &body).await;
        assert_eq!(answer.status, status, "{url}: {}", answer.text());
        assert_refused(&answer, status, code, &[("$.url", code)]);
        bodies.push(anonymous(&answer));
    }
    bodies.sort();
    bodies.dedup();
    assert_eq!(
        bodies.len(),
        2,
        "what is refused is not told why: {bodies:?}"
    );
    assert_eq!(count(&account).await, 0);
}

#[tokio::test]
async fn a_webhook_is_shown_as_it_was_asked_for_and_its_secret_once() {
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
async fn one_key_is_one_webhook_and_its_secret_is_not_repeated() {
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
    assert_refused(&reused, 422, "idempotency_key_reused", &[]);
    assert_eq!(count(&account).await, 1);
    let path = format!("/webhooks/{}", first["id"].as_str().unwrap());
    account.client.send("DELETE", &path, &[], None).await;
    let gone = account.client.post("/webhooks", &headers, &base()).await;
    assert_refused(&gone, 404, "webhook_not_found", &[]);
    assert_eq!(count(&account).await, 0);

    let key = unique("webhook");
    let headers = [("idempotency-key", key.as_str())];
    let (client, body) = (&account.client, base());
    let all = join_all((0..20).map(|_| client.post("/webhooks", &headers, &body))).await;
    let secrets = all
        .iter()
        .filter(|answer| answer.json().get("secret").is_some());
    assert_eq!(secrets.count(), 1);
    let ids = all
        .iter()
        .map(|answer| (answer.status, answer.json()["id"].to_string()));
    let mut ids: Vec<_> = ids.collect();
    ids.dedup();
    assert_eq!((ids.len(), ids[0].0), (1, 201), "{ids:?}");
}

#[tokio::test]
async fn webhooks_and_hooks_together_are_as_many_as_the_plan_says() {
    let account = Account::new("free");
    let (client, body) = (&account.client, base());
    let hook = json!({"event": "qr.scanned", "targetUrl": TrustedHost::url("/hook")});
    let hooks = join_all((0..4).map(|_| client.post("/hooks/subscribe", &[], &hook))).await;
    assert!(hooks.iter().all(|answer| answer.status == 201));
    let all = join_all((0..12).map(|_| client.post("/webhooks", &[], &body))).await;
    let created = all.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(created, 6, "at the same time as well");
    for answer in all.iter().filter(|answer| answer.status != 201) {
        assert_refused(answer, 403, "plan_required", &[]);
    }
    let answer = client.post("/hooks/subscribe", &[], &hook).await;
    assert_refused(&answer, 403, "plan_required", &[]);
    let id = hooks[0].json()["id"].clone();
    client
        .post("/hooks/unsubscribe", &[], &json!({"id": id}))
        .await;
    let answer = client.post("/webhooks", &[], &body).await;
    assert_eq!(answer.status, 201, "room for another: {}", answer.text());
}
