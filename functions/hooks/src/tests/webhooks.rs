//! Webhooks: create, list, get, delete, rotate secret.

use std::sync::Arc;

use domain::plan::Plan;
use domain::ports::{Secrets as _, Subscriptions as _};
use domain::subscription::{SigningSecret, Subscription, SubscriptionId, Trigger};
use serde_json::{Value, json};
use testkit::{Call, Fakes, Fault, sample};

use super::{Caller, TestResponse};

const URL: &str = "https://receiver.octavo-users.com/webhook";

fn body(events: &[&str]) -> Value {
    json!({"url": URL, "events": events})
}

async fn create(caller: &Caller, key: &str, body: &Value) -> TestResponse {
    caller
        .send("POST", "/webhooks", &[("idempotency-key", key)], Some(body))
        .await
}

async fn stored(caller: &Caller, path: &str) -> Subscription {
    let id: SubscriptionId = path
        .trim_start_matches("/webhooks/")
        .to_owned()
        .try_into()
        .unwrap();
    let found = caller.fakes.subscription(&caller.account.id, &id).await;
    found.unwrap().unwrap()
}

#[tokio::test]
async fn the_secret_is_returned_only_at_creation() {
    let caller = Caller::on(Plan::Business).await;
    let created = caller
        .post("/webhooks", &body(&["job.*", "document.deleted", "job.*"]))
        .await;
    let (id, secret) = (
        created.text("id").to_owned(),
        created.text("secret").to_owned(),
    );
    assert!(id.starts_with("wh_") && SigningSecret::parse(&secret).is_ok());
    let mut created_body = json!({
        "id": id, "status": "active", "url": URL, "events": ["job.*", "document.deleted"],
        "createdAt": created.body["createdAt"], "secret": secret,
    });
    assert_eq!((created.status, &created.body), (201, &created_body));
    assert_eq!(created.headers["cache-control"], "no-store");
    created_body.as_object_mut().unwrap().remove("secret");
    let read = caller.get(&format!("/webhooks/{id}")).await;
    assert_eq!((read.status, &read.body), (200, &created_body));
    let listed = caller.get("/webhooks").await;
    let list = json!({"webhooks": [created_body], "nextCursor": null});
    assert_eq!((listed.status, listed.body), (200, list));
    let record = stored(&caller, &id).await;
    let opened = caller
        .fakes
        .open(&record.id, &record.secrets[0])
        .await
        .unwrap();
    assert_eq!(opened.reveal(), secret);
}

#[tokio::test]
async fn invalid_requests_are_rejected_and_store_nothing() {
    let caller = Caller::on(Plan::Business).await;
    for (body, status, code, path) in [
        (json!({"url": URL}), 400, "invalid_request", "$.events"),
        (body(&[]), 400, "invalid_request", "$.events"),
        (body(&["job.done"]), 400, "invalid_request", "$.events[0]"),
        (
            json!({"url": URL, "events": ["*"], "secret": "x"}),
            400,
            "invalid_request",
            "$.secret",
        ),
        (
            json!({"url": "ftp://a.octavo-users.com/", "events": ["*"]}),
            400,
            "invalid_url",
            "$.url",
        ),
        (
            json!({"url": "nonsense", "events": ["*"]}),
            400,
            "invalid_url",
            "$.url",
        ),
        (
            json!({"url": "https://u:p@a.octavo-users.com/", "events": ["*"]}),
            422,
            "url_blocked",
            "$.url",
        ),
        (
            json!({"url": "https://localhost/", "events": ["*"]}),
            422,
            "url_blocked",
            "$.url",
        ),
    ] {
        let response = caller.post("/webhooks", &body).await;
        assert_eq!(response.error(), (status, code), "{body}");
        assert_eq!(
            response.body["errors"][0]["path"], path,
            "{}",
            response.body
        );
    }
    let blocked = caller
        .post(
            "/webhooks",
            &json!({"url": "https://127.0.0.1/", "events": ["*"]}),
        )
        .await;
    let (detail, fault) = (&blocked.body["detail"], &blocked.body["errors"][0]);
    assert_eq!(
        blocked.problem(),
        json!({
            "type": "urn:octavo:problem:url_blocked", "title": blocked.body["title"], "status": 422,
            "detail": detail, "code": "url_blocked", "retryable": false,
            "errors": [{"path": "$.url", "code": "url_blocked", "message": fault["message"]}],
            "error": {"code": "url_blocked", "message": detail},
        })
    );
    let bad_key = create(&caller, "short", &body(&["*"])).await;
    assert_eq!(bad_key.error(), (400, "idempotency_key_invalid"));
    assert_eq!(caller.get("/webhooks").await.body["webhooks"], json!([]));
}

#[tokio::test]
async fn the_plan_limits_webhooks_and_hooks_together() {
    let caller = Caller::on(Plan::Free).await;
    let fakes = caller.fakes.as_ref();
    for _ in 0..9 {
        let hook = sample::subscription::hook(fakes, &caller.account, Trigger::QrScanned);
        fakes.put_subscription(hook);
    }
    let first = caller.webhook().await;
    let hook = json!({"event": "qr.scanned", "targetUrl": URL});
    for response in [
        caller.post("/webhooks", &body(&["*"])).await,
        caller.post("/hooks/subscribe", &hook).await,
    ] {
        assert_eq!(response.error(), (403, "plan_required"));
        let detail = response.text("detail");
        assert!(detail.contains("10"), "{detail}");
    }
    assert_eq!(caller.delete(&first).await.status, 204);
    caller.webhook().await;
}

#[tokio::test]
async fn a_replay_creates_no_webhook_and_omits_the_secret() {
    let caller = Caller::on(Plan::Business).await;
    let first = create(&caller, "my-first-webhook", &body(&["*"])).await;
    assert_eq!(
        (first.status, first.headers.get("idempotency-replayed")),
        (201, None)
    );
    let again = create(
        &caller,
        "my-first-webhook",
        &json!({"events": ["*"], "url": URL}),
    )
    .await;
    let mut without_secret = first.body.clone();
    without_secret.as_object_mut().unwrap().remove("secret");
    assert_eq!((again.status, &again.body), (201, &without_secret));
    assert_eq!(again.headers["idempotency-replayed"], "true");
    let other = create(&caller, "my-first-webhook", &body(&["job.*"])).await;
    assert_eq!(other.error(), (422, "idempotency_key_reused"));
    // Idempotency keys are scoped to the account.
    let neighbor = Caller::another(&caller.fakes, Plan::Business).await;
    let theirs = create(&neighbor, "my-first-webhook", &body(&["*"])).await;
    assert_ne!(theirs.text("id"), first.text("id"));
    assert!(theirs.body["secret"].is_string());
    assert_eq!(
        caller
            .delete(&format!("/webhooks/{}", first.text("id")))
            .await
            .status,
        204
    );
    let gone = create(&caller, "my-first-webhook", &body(&["*"])).await;
    assert_eq!(gone.error(), (404, "webhook_not_found"));
    assert_eq!(caller.get("/webhooks").await.body["webhooks"], json!([]));
}

#[tokio::test]
async fn webhooks_of_other_accounts_are_not_found() {
    let fakes = Arc::new(Fakes::new());
    let (owner, other) = (
        Caller::another(&fakes, Plan::Business).await,
        Caller::another(&fakes, Plan::Business).await,
    );
    let foreign = owner.webhook().await;
    let delivery = owner
        .post_empty(&format!("{foreign}/test"))
        .await
        .text("id")
        .to_owned();
    let missing = "/webhooks/wh_01kbqwz6f0x4t8v2m6n0c5h9rd".to_owned();
    for (method, route) in [
        ("GET", String::new()),
        ("DELETE", String::new()),
        ("POST", "/test".to_owned()),
        ("POST", "/rotate-secret".to_owned()),
        ("GET", "/deliveries".to_owned()),
        ("POST", format!("/deliveries/{delivery}/redeliver")),
    ] {
        let responses =
            [foreign.as_str(), &missing, "/webhooks/hook_x"].map(|path| format!("{path}{route}"));
        for path in &responses {
            let response = other.send(method, path, &[], None).await;
            assert_eq!(
                response.error(),
                (404, "webhook_not_found"),
                "{method} {path}"
            );
            let first = other.send(method, &responses[1], &[], None).await;
            assert_eq!(response.problem(), first.problem());
        }
    }
    assert_eq!(owner.get(&foreign).await.status, 200);
}

#[tokio::test]
async fn a_deleted_webhook_is_not_found() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    let ended = caller.delete(&webhook).await;
    assert_eq!((ended.status, ended.body), (204, Value::Null));
    assert_eq!(
        caller.delete(&webhook).await.error(),
        (404, "webhook_not_found")
    );
    assert_eq!(
        caller.get(&webhook).await.error(),
        (404, "webhook_not_found")
    );
}

#[tokio::test]
async fn cursors_continue_their_list_and_no_other() {
    let caller = Caller::on(Plan::Business).await;
    let mut all = Vec::new();
    for _ in 0..5 {
        all.push(caller.webhook().await);
    }
    let (mut seen, mut query) = (Vec::new(), String::from("?limit=2"));
    loop {
        let page = caller.get(&format!("/webhooks{query}")).await.body;
        let webhooks = page["webhooks"].as_array().unwrap().iter();
        seen.extend(
            webhooks.map(|webhook| format!("/webhooks/{}", webhook["id"].as_str().unwrap())),
        );
        let Some(cursor) = page["nextCursor"].as_str() else {
            break;
        };
        query = format!("?limit=2&cursor={cursor}");
    }
    assert_eq!(seen, all);
    let other = Caller::another(&caller.fakes, Plan::Business).await;
    for (caller, path) in [
        (&other, format!("/webhooks{query}")),
        (&caller, format!("{}/deliveries{query}", all[0])),
    ] {
        assert_eq!(
            caller.get(&path).await.error(),
            (400, "invalid_cursor"),
            "{path}"
        );
    }
    for query in ["limit=0", "limit=101", "limit=x"] {
        let response = caller.get(&format!("/webhooks?{query}")).await;
        assert_eq!(response.error(), (400, "invalid_request"));
    }
    let junk = caller.get("/webhooks?cursor=junk").await;
    assert_eq!(junk.error(), (400, "invalid_cursor"));
}

#[tokio::test]
async fn an_unreadable_webhook_hides_no_other() {
    let caller = Caller::on(Plan::Business).await;
    let webhooks = [caller.webhook().await, caller.webhook().await];
    let broken = stored(&caller, &webhooks[0]).await;
    caller.fakes.make_unreadable(&broken);
    let list = caller.get("/webhooks").await;
    let listed = list.body["webhooks"].as_array().unwrap().iter();
    let listed: Vec<_> = listed
        .map(|one| format!("/webhooks/{}", one["id"].as_str().unwrap()))
        .collect();
    assert_eq!((list.status, listed.as_slice()), (200, &webhooks[1..]));
}

#[tokio::test]
async fn rotation_keeps_the_previous_secret_valid_for_a_day() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    let before = stored(&caller, &webhook).await;
    // A concurrent rotation wins.
    let (changed, fakes) = (before.clone(), Arc::clone(&caller.fakes));
    fakes.before(Call::ReplaceSecrets, 0, move |fakes| {
        let other = sample::subscription::secret(fakes).reveal();
        fakes.put_subscription(changed.with_secret(other, changed.created_at));
    });
    let rotated = caller.post_empty(&format!("{webhook}/rotate-secret")).await;
    let after = stored(&caller, &webhook).await;
    let until = after.secrets[1].valid_until.unwrap();
    let created_body = json!({"id": after.id.as_str(), "secret": rotated.text("secret"), "previousValidUntil": until});
    assert_eq!((rotated.status, &rotated.body), (200, &created_body));
    let opened = caller
        .fakes
        .open(&after.id, &after.secrets[0])
        .await
        .unwrap();
    assert_eq!(
        (opened.reveal().as_str(), after.secrets.len()),
        (rotated.text("secret"), 2)
    );
    assert_eq!(after.revision, before.revision + 2);
    assert_ne!(after.secrets[1].ciphertext, before.secrets[0].ciphertext);
    let day = std::time::Duration::from_secs(24 * 3_600);
    assert!(until > before.created_at.plus(day) && until < before.created_at.plus(day * 2));
}

#[tokio::test]
async fn a_sixth_secret_is_rejected_until_the_first_expires() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    let rotate = format!("{webhook}/rotate-secret");
    for _ in 0..4 {
        assert_eq!(caller.post_empty(&rotate).await.status, 200);
    }
    let before = stored(&caller, &webhook).await;
    let rejected = caller.post_empty(&rotate).await;
    assert_eq!(rejected.error(), (429, "rate_limited"));
    let wait: u64 = rejected.headers["retry-after"].parse().unwrap();
    assert!((86_400 - 60..=86_401).contains(&wait), "{wait}");
    assert_eq!(stored(&caller, &webhook).await, before);
    let mut later = before.clone();
    later.secrets[4].valid_until = Some(before.created_at);
    caller.fakes.put_subscription(later);
    assert_eq!(caller.post_empty(&rotate).await.status, 200);
    let after = stored(&caller, &webhook).await;
    assert_eq!(after.secrets.len(), 5);
    assert_eq!(after.secrets[2..], before.secrets[1..4]);
}

#[tokio::test]
async fn a_failed_rotation_changes_nothing() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    let before = stored(&caller, &webhook).await;
    for call in [Call::Seal, Call::ReplaceSecrets] {
        caller.fakes.fail(call, Fault::Unavailable, 1);
        let response = caller.post_empty(&format!("{webhook}/rotate-secret")).await;
        assert_eq!(response.error(), (500, "internal_error"));
        assert_eq!(stored(&caller, &webhook).await, before);
    }
}
