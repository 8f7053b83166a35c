//! Signed webhooks: registered, listed, read, ended, given a new secret.

use std::sync::Arc;

use domain::plan::Plan;
use domain::ports::{Secrets as _, Subscriptions as _};
use domain::subscription::{SigningSecret, Subscription, SubscriptionId, Trigger};
use serde_json::{Value, json};
use testkit::{Call, Fakes, Fault, sample};

use super::{Answered, Caller};

const URL: &str = "https://receiver.octavo-users.com/webhook";

fn body(events: &[&str]) -> Value {
    json!({"url": URL, "events": events})
}

async fn create(caller: &Caller, key: &str, body: &Value) -> Answered {
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
async fn a_webhook_is_told_with_its_secret_once() {
    let caller = Caller::on(Plan::Business).await;
    let created = caller
        .post("/webhooks", &body(&["job.*", "document.deleted", "job.*"]))
        .await;
    let (id, secret) = (
        created.text("id").to_owned(),
        created.text("secret").to_owned(),
    );
    assert!(id.starts_with("wh_") && SigningSecret::parse(&secret).is_ok());
    let mut whole = json!({
        "id": id, "status": "active", "url": URL, "events": ["job.*", "document.deleted"],
        "createdAt": created.body["createdAt"], "secret": secret,
    });
    assert_eq!((created.status, &created.body), (201, &whole));
    assert_eq!(created.headers["cache-control"], "no-store");
    whole.as_object_mut().unwrap().remove("secret");
    let read = caller.get(&format!("/webhooks/{id}")).await;
    assert_eq!((read.status, &read.body), (200, &whole));
    let listed = caller.get("/webhooks").await;
    let list = json!({"webhooks": [whole], "nextCursor": null});
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
async fn what_is_wrong_with_a_request_is_told_and_nothing_is_kept() {
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
        let answer = caller.post("/webhooks", &body).await;
        assert_eq!(answer.refusal(), (status, code), "{body}");
        assert_eq!(answer.body["errors"][0]["path"], path, "{}", answer.body);
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
    assert_eq!(bad_key.refusal(), (400, "idempotency_key_invalid"));
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
    for answer in [
        caller.post("/webhooks", &body(&["*"])).await,
        caller.post("/hooks/subscribe", &hook).await,
    ] {
        assert_eq!(answer.refusal(), (403, "plan_required"));
        let detail = answer.text("detail");
        assert!(detail.contains("10"), "{detail}");
    }
    assert_eq!(caller.delete(&first).await.status, 204);
    caller.webhook().await;
}

#[tokio::test]
async fn the_same_request_registers_once_and_shows_its_secret_once() {
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
    assert_eq!(other.refusal(), (422, "idempotency_key_reused"));
    // Another account's key is another key.
    let neighbour = Caller::beside(&caller.fakes, Plan::Business).await;
    let theirs = create(&neighbour, "my-first-webhook", &body(&["*"])).await;
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
    assert_eq!(gone.refusal(), (404, "webhook_not_found"));
    assert_eq!(caller.get("/webhooks").await.body["webhooks"], json!([]));
}

#[tokio::test]
async fn a_foreign_webhook_looks_like_none_on_every_route() {
    let fakes = Arc::new(Fakes::new());
    let (owner, other) = (
        Caller::beside(&fakes, Plan::Business).await,
        Caller::beside(&fakes, Plan::Business).await,
    );
    let foreign = owner.webhook().await;
    let delivery = owner
        .ask(&format!("{foreign}/test"))
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
        let answers =
            [foreign.as_str(), &missing, "/webhooks/hook_x"].map(|path| format!("{path}{route}"));
        for path in &answers {
            let answer = other.send(method, path, &[], None).await;
            assert_eq!(
                answer.refusal(),
                (404, "webhook_not_found"),
                "{method} {path}"
            );
            let first = other.send(method, &answers[1], &[], None).await;
            assert_eq!(answer.problem(), first.problem());
        }
    }
    assert_eq!(owner.get(&foreign).await.status, 200);
}

#[tokio::test]
async fn a_webhook_that_ended_is_gone() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    let ended = caller.delete(&webhook).await;
    assert_eq!((ended.status, ended.body), (204, Value::Null));
    assert_eq!(
        caller.delete(&webhook).await.refusal(),
        (404, "webhook_not_found")
    );
    assert_eq!(
        caller.get(&webhook).await.refusal(),
        (404, "webhook_not_found")
    );
}

#[tokio::test]
async fn lists_go_on_where_they_ended_and_cursors_belong_to_their_list() {
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
    let other = Caller::beside(&caller.fakes, Plan::Business).await;
    for (caller, path) in [
        (&other, format!("/webhooks{query}")),
        (&caller, format!("{}/deliveries{query}", all[0])),
    ] {
        assert_eq!(
            caller.get(&path).await.refusal(),
            (400, "invalid_cursor"),
            "{path}"
        );
    }
    for query in ["limit=0", "limit=101", "limit=x"] {
        let answer = caller.get(&format!("/webhooks?{query}")).await;
        assert_eq!(answer.refusal(), (400, "invalid_request"));
    }
    let junk = caller.get("/webhooks?cursor=junk").await;
    assert_eq!(junk.refusal(), (400, "invalid_cursor"));
}

#[tokio::test]
async fn a_webhook_that_cannot_be_read_hides_no_other() {
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
async fn a_new_secret_signs_beside_the_one_before_for_a_day() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    let before = stored(&caller, &webhook).await;
    // Another rotation comes first.
    let (changed, fakes) = (before.clone(), Arc::clone(&caller.fakes));
    fakes.before(Call::ReplaceSecrets, 0, move |fakes| {
        let other = sample::subscription::secret(fakes).reveal();
        fakes.put_subscription(changed.with_secret(other, changed.created_at));
    });
    let rotated = caller.ask(&format!("{webhook}/rotate-secret")).await;
    let after = stored(&caller, &webhook).await;
    let until = after.secrets[1].valid_until.unwrap();
    let whole = json!({"id": after.id.as_str(), "secret": rotated.text("secret"), "previousValidUntil": until});
    assert_eq!((rotated.status, &rotated.body), (200, &whole));
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
async fn a_sixth_secret_is_refused_until_the_first_has_ended() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    let rotate = format!("{webhook}/rotate-secret");
    for _ in 0..4 {
        assert_eq!(caller.ask(&rotate).await.status, 200);
    }
    let before = stored(&caller, &webhook).await;
    let refused = caller.ask(&rotate).await;
    assert_eq!(refused.refusal(), (429, "rate_limited"));
    let wait: u64 = refused.headers["retry-after"].parse().unwrap();
    assert!((86_400 - 60..=86_401).contains(&wait), "{wait}");
    assert_eq!(stored(&caller, &webhook).await, before);
    let mut later = before.clone();
    later.secrets[4].valid_until = Some(before.created_at);
    caller.fakes.put_subscription(later);
    assert_eq!(caller.ask(&rotate).await.status, 200);
    let after = stored(&caller, &webhook).await;
    assert_eq!(after.secrets.len(), 5);
    assert_eq!(after.secrets[2..], before.secrets[1..4]);
}

#[tokio::test]
async fn a_rotation_that_fails_changes_nothing() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    let before = stored(&caller, &webhook).await;
    for call in [Call::Seal, Call::ReplaceSecrets] {
        caller.fakes.fail(call, Fault::Unavailable, 1);
        let answer = caller.ask(&format!("{webhook}/rotate-secret")).await;
        assert_eq!(answer.refusal(), (500, "internal_error"));
        assert_eq!(stored(&caller, &webhook).await, before);
    }
}
