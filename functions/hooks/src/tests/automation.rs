//! Automation hooks.

use std::sync::Arc;

use contract::event::trigger_sample;
use domain::plan::Plan;
use domain::ports::Subscriptions as _;
use domain::scope::Scope;
use domain::subscription::{LastDelivery, SigningSecret, Subscription, Trigger};
use domain::timestamp::Timestamp;
use serde_json::{Value, json};
use testkit::{Call, Fakes, Fault, sample};

use super::{Caller, TestResponse};

const URL: &str = "https://receiver.octavo-users.com/hook?token=a";

async fn subscribe(caller: &Caller, trigger: &str) -> TestResponse {
    let body = json!({"event": trigger, "targetUrl": URL});
    caller.post("/hooks/subscribe", &body).await
}

#[tokio::test]
async fn creating_a_hook_returns_its_secret_and_lists_do_not() {
    let caller = Caller::on(Plan::Business).await;
    let created = subscribe(&caller, "qr.scanned").await;
    let (id, secret) = (created.text("id"), created.text("secret"));
    assert!(id.starts_with("hook_") && SigningSecret::parse(secret).is_ok());
    let expected = json!({"id": id, "event": "qr.scanned", "targetUrl": URL, "secret": secret});
    assert_eq!((created.status, &created.body), (201, &expected));
    let listed = caller.get("/hooks").await;
    let created_at = &listed.body["subscriptions"][0]["createdAt"];
    let expected = json!({"nextCursor": null, "subscriptions": [{
        "id": id, "event": "qr.scanned", "targetUrl": URL, "status": "active", "createdAt": created_at,
        "lastDelivery": {"status": "never", "statusCode": null, "attempts": 0, "at": null},
    }]});
    assert_eq!((listed.status, &listed.body), (200, &expected));
    let id = id.to_owned().try_into().unwrap();
    let stored = caller.fakes.subscription(&caller.account.id, &id);
    assert!(!format!("{:?}", stored.await.unwrap().unwrap()).contains("token=a"));
}

#[tokio::test]
async fn hooks_show_their_newest_delivery_attempt() {
    let caller = Caller::on(Plan::Business).await;
    let fakes = caller.fakes.as_ref();
    for (delivered, status_code, status) in
        [(true, Some(204), "delivered"), (false, None, "failed")]
    {
        let last = LastDelivery {
            delivered,
            status_code,
            attempts: 3,
            at: Timestamp(7),
        };
        let hook = sample::subscription::hook(fakes, &caller.account, Trigger::QrScanned);
        let id = hook.id.to_string();
        fakes.put_subscription(Subscription {
            last_delivery: Some(last),
            ..hook
        });
        let listed = caller.get("/hooks").await.body;
        let hooks = listed["subscriptions"].as_array().unwrap();
        let hook = hooks.iter().find(|hook| hook["id"] == id).unwrap();
        let expected = json!({"status": status, "statusCode": status_code, "attempts": 3, "at": 7});
        assert_eq!(hook["lastDelivery"], expected);
    }
}

#[tokio::test]
async fn each_plan_allows_its_triggers_only() {
    for plan in [Plan::Free, Plan::Starter, Plan::Pro, Plan::Business] {
        for trigger in Trigger::ALL {
            let caller = Caller::on(plan).await;
            let response = subscribe(&caller, trigger.name()).await;
            if trigger.is_included_in(plan) {
                assert_eq!(response.status, 201, "{plan} {trigger}");
            } else {
                assert_eq!(response.error(), (403, "plan_required"), "{plan} {trigger}");
            }
        }
    }
    let caller = Caller::on(Plan::Free).await;
    let rejected = subscribe(&caller, "ocr.completed").await;
    assert_eq!(rejected.error(), (403, "plan_required"));
    let detail = rejected.text("detail").to_lowercase();
    for named in ["free", "ocr.completed", "pro"] {
        assert!(detail.contains(named), "{detail}");
    }
    assert_eq!(caller.get("/hooks").await.body["subscriptions"], json!([]));
}

#[tokio::test]
async fn invalid_requests_are_rejected_and_store_nothing() {
    let caller = Caller::on(Plan::Business).await;
    for (body, status, code, path) in [
        (
            json!({"event": "qr.scanned"}),
            400,
            "invalid_request",
            "$.targetUrl",
        ),
        (
            json!({"event": "job.completed", "targetUrl": URL}),
            400,
            "invalid_request",
            "$.event",
        ),
        (
            json!({"event": "qr.scanned", "targetUrl": URL, "secret": "x"}),
            400,
            "invalid_request",
            "$.secret",
        ),
        (
            json!({"event": "qr.scanned", "targetUrl": "http://receiver.octavo-users.com/"}),
            400,
            "invalid_url",
            "$.targetUrl",
        ),
        (
            json!({"event": "qr.scanned", "targetUrl": "https://10.0.0.1/"}),
            422,
            "url_blocked",
            "$.targetUrl",
        ),
        (
            json!({"event": "qr.scanned", "targetUrl": "https://octavo-tests.com/x"}),
            422,
            "url_blocked",
            "$.targetUrl",
        ),
    ] {
        let response = caller.post("/hooks/subscribe", &body).await;
        assert_eq!(response.error(), (status, code), "{body}");
        assert_eq!(
            response.body["errors"][0]["path"], path,
            "{}",
            response.body
        );
    }
    assert_eq!(caller.get("/hooks").await.body["subscriptions"], json!([]));
}

#[tokio::test]
async fn unsubscribing_always_succeeds_and_affects_no_other_account() {
    let fakes = Arc::new(Fakes::new());
    let (own, foreign) = (
        Caller::another(&fakes, Plan::Business).await,
        Caller::another(&fakes, Plan::Business).await,
    );
    let id = subscribe(&own, "qr.scanned").await.text("id").to_owned();
    let webhook = own.webhook().await;
    let wh = webhook.trim_start_matches("/webhooks/");
    let success = (200, json!({"success": true}));
    for (caller, name, left) in [
        (&foreign, id.as_str(), 1),
        (&own, "hook_nothing", 1),
        (&own, wh, 1),
        (&own, id.as_str(), 0),
        (&own, id.as_str(), 0),
    ] {
        let ended = caller
            .post("/hooks/unsubscribe", &json!({"id": name}))
            .await;
        assert_eq!((ended.status, ended.body), success, "{name}");
        let hooks = own.get("/hooks").await.body;
        assert_eq!(
            hooks["subscriptions"].as_array().unwrap().len(),
            left,
            "{name}"
        );
    }
    assert_eq!(own.get(&webhook).await.status, 200);
}

#[tokio::test]
async fn samples_have_the_payload_of_their_trigger() {
    let caller = Caller::on(Plan::Business).await;
    for trigger in Trigger::ALL {
        let response = caller.get(&format!("/hooks/samples?event={trigger}")).await;
        assert_eq!(
            (response.status, response.body),
            (200, json!([trigger_sample(*trigger)]))
        );
    }
    for query in ["", "?event=job.completed"] {
        let response = caller.get(&format!("/hooks/samples{query}")).await;
        assert_eq!(response.error(), (400, "invalid_request"));
        assert_eq!(response.body["errors"][0]["path"], "$.event");
    }
}

#[tokio::test]
async fn reading_and_writing_require_their_scopes() {
    let fakes = Arc::new(Fakes::new());
    let reads = Caller::with(&fakes, Plan::Business, &[Scope::HooksRead]).await;
    let writes = Caller::with(&fakes, Plan::Business, &[Scope::HooksWrite]).await;
    assert_eq!(reads.get("/hooks").await.status, 200);
    assert_eq!(
        subscribe(&reads, "qr.scanned").await.error(),
        (403, "insufficient_scope")
    );
    assert_eq!(subscribe(&writes, "qr.scanned").await.status, 201);
    assert_eq!(
        writes.get("/hooks").await.error(),
        (403, "insufficient_scope")
    );
    assert_eq!(
        writes.get("/webhooks").await.error(),
        (403, "insufficient_scope")
    );
}

#[tokio::test]
async fn lists_have_at_most_a_thousand_hooks_per_page() {
    let caller = Caller::on(Plan::Business).await;
    let fakes = caller.fakes.as_ref();
    for _ in 0..1_001 {
        let hook = sample::subscription::hook(fakes, &caller.account, Trigger::QrScanned);
        fakes.put_subscription(hook);
    }
    let first = caller.get("/hooks").await.body;
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = caller.get(&format!("/hooks?cursor={cursor}")).await.body;
    let count = |page: &Value| page["subscriptions"].as_array().unwrap().len();
    assert_eq!(
        (count(&first), count(&second), &second["nextCursor"]),
        (1_000, 1, &Value::Null)
    );
    let other = Caller::another(&caller.fakes, Plan::Business).await;
    let stolen = other.get(&format!("/hooks?cursor={cursor}")).await;
    assert_eq!(stolen.error(), (400, "invalid_cursor"));
    let elsewhere = caller.get(&format!("/webhooks?cursor={cursor}")).await;
    assert_eq!(elsewhere.error(), (400, "invalid_cursor"));
}

#[tokio::test]
async fn no_hook_is_stored_if_its_secret_cannot_be_encrypted() {
    let caller = Caller::on(Plan::Business).await;
    caller.fakes.fail(Call::Seal, Fault::Unavailable, 1);
    assert_eq!(
        subscribe(&caller, "qr.scanned").await.error(),
        (500, "internal_error")
    );
    assert_eq!(caller.get("/hooks").await.body["subscriptions"], json!([]));
}
