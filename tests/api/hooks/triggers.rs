//! Delivery of trigger events to hooks.

use std::time::{Duration, Instant};

use contract::event::trigger_detail_sample;
use domain::subscription::Trigger;
use serde_json::{Value, json};
use tests::client::unique;
use tests::stack::{admin, try_admin};
use tests::trusted_host::{StubResponse, TrustedHost};

use super::event_bus::{detail, put_event, send_dead_letter, take_dead_letter};
use crate::account::Account;
use crate::subscriber::{Subscriber, assert_signed};

const APP: &str = "octavo.app";

/// Waits until `lastDelivery` of a hook has this status and returns it.
async fn last_delivery(account: &Account, hook: &Subscriber, status: &str) -> Value {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let list = account.client.get("/hooks").await.json();
        let hooks = list["subscriptions"].as_array().unwrap();
        let own = hooks.iter().find(|other| other["id"] == hook.id.as_str());
        let last = own.unwrap()["lastDelivery"].clone();
        if last["status"] == status {
            return last;
        }
        assert!(Instant::now() < deadline, "not {status}: {list}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Waits until all earlier events have been delivered, by putting one more and waiting for its delivery.
async fn wait_for_earlier_events(account: &Account, host: &TrustedHost) {
    let path = format!("/{}", unique("last"));
    let hook = Subscriber::hook(account, &path, "pdf.exported").await;
    let data = json!({"filename": "last.pdf"});
    put_event(APP, "pdf.exported", &detail(&account.id, &path, data)).await;
    host.receive(&path, 1).await;
    let body = json!({"id": hook.id});
    account.client.post("/hooks/unsubscribe", &[], &body).await;
}

#[tokio::test]
async fn a_trigger_is_delivered_once_even_if_put_repeatedly() {
    let (account, other) = (Account::new("free"), Account::new("free"));
    let host = TrustedHost::accept_all().await;
    let hook = Subscriber::hook(&account, "/scanned", "qr.scanned").await;
    let other_trigger = Subscriber::hook(&account, "/other", "scan.created").await;
    let foreign = Subscriber::hook(&other, "/foreign", "qr.scanned").await;
    let webhook = Subscriber::webhook(&account, "/webhook", &["*"]).await;
    assert_eq!(last_delivery(&account, &hook, "never").await["attempts"], 0);
    let name = unique("app");
    let data = json!({"text": "https://example.com/7", "color": {"of": ["it"]}, "id": "forged"});
    let event = detail(&account.id, &name, data);
    for _ in 0..3 {
        put_event(APP, "qr.scanned", &event).await;
    }
    // The same event id in another account is a different event.
    let same = detail(&other.id, &name, json!({"text": "b"}));
    put_event(APP, "qr.scanned", &same).await;
    let received = host.receive(&hook.path, 1).await.remove(0);
    assert_signed(&hook.secret, &received);
    let body = received.json();
    assert_eq!(
        body,
        json!({
            "id": body["id"], "event": "qr.scanned", "createdAt": 1_795_167_000_000_i64,
            "text": "https://example.com/7", "color": {"of": ["it"]},
        })
    );
    let theirs = host.receive(&foreign.path, 1).await.remove(0);
    assert_signed(&foreign.secret, &theirs);
    assert_ne!(theirs.json()["id"], body["id"]);
    let last = last_delivery(&account, &hook, "delivered").await;
    assert_eq!(
        last,
        json!({"status": "delivered", "statusCode": 204, "attempts": 1, "at": last["at"]})
    );
    wait_for_earlier_events(&account, &host).await;
    let count = |path: &str| host.received(path).len();
    assert_eq!((count(&hook.path), count(&foreign.path)), (1, 1));
    assert_eq!((count(&other_trigger.path), count(&webhook.path)), (0, 0));
}

#[tokio::test]
async fn the_admin_command_puts_trigger_events() {
    let account = Account::new("business");
    let host = TrustedHost::accept_all().await;
    for trigger in Trigger::ALL {
        let path = format!("/{trigger}");
        let hook = Subscriber::hook(&account, &path, trigger.name()).await;
        let arguments = [
            "event",
            "put",
            "--account",
            &account.id,
            "--event",
            trigger.name(),
        ];
        let report = admin(&arguments);
        assert!(report["eventId"].is_string(), "{report}");
        let received = host.receive(&path, 1).await.remove(0);
        assert_signed(&hook.secret, &received);
        let mut body = received.json();
        let body = body.as_object_mut().unwrap();
        let id = body.shift_remove("id");
        assert!(id.is_some_and(|id| id.as_str().unwrap().starts_with("evt_")));
        assert_eq!(body.shift_remove("event"), Some(json!(trigger.name())));
        assert!(body.shift_remove("createdAt").is_some());
        assert_eq!(
            Value::Object(body.clone()),
            trigger_detail_sample(*trigger)["data"]
        );
    }
    let put_as_admin = |more: &[&str]| {
        let arguments = [
            "event",
            "put",
            "--account",
            &account.id,
            "--event",
            "qr.scanned",
        ];
        try_admin(&[&arguments, more].concat())
    };
    let report = put_as_admin(&["--id", "mine", "--data", r#"{"text": "by hand"}"#]).unwrap();
    assert_eq!(report["id"], "mine");
    let received = host.receive("/qr.scanned", 2).await.remove(1);
    assert_eq!(received.json()["text"], "by hand");
    let refused = put_as_admin(&["--data", r#"{"text": 7}"#]).unwrap_err();
    assert!(refused.contains("$.data.text"), "{refused}");
}

#[tokio::test]
async fn unreadable_events_go_to_the_dead_letter_queue_with_a_reason() {
    let account = Account::new("free");
    let host = TrustedHost::accept_all().await;
    let hook = Subscriber::hook(&account, "/next", "qr.scanned").await;
    let data = || json!({"text": "a"});
    let no_account = "acc_01arz3ndektsv4rrffq69g5fav";
    let at = |moment: i64| {
        let mut dated = detail(&account.id, &unique("bad"), data());
        dated["occurredAt"] = json!(moment);
        dated
    };
    let bad = [
        (
            APP,
            "qr.scanned",
            detail(&account.id, &unique("bad"), json!({"text": 7})),
            "$.data.text",
        ),
        (
            APP,
            "qr.burnt",
            detail(&account.id, &unique("bad"), data()),
            "unknown detail type",
        ),
        (
            APP,
            "qr.scanned",
            detail(no_account, &unique("bad"), data()),
            "account",
        ),
        (
            APP,
            "qr.scanned",
            json!({"id": unique("bad"), "data": data()}),
            "accountId",
        ),
        (APP, "qr.scanned", at(-1), "$.occurredAt"),
        (APP, "qr.scanned", at(253_402_300_800_000), "$.occurredAt"),
        // An event of Octavo that is never published on the bus. Unknown event types are retried instead,
        // because a newer release may have written them.
        (
            "octavo",
            "webhook.test",
            json!({
                "id": "evt_01arz3ndektsv4rrffq69g5fav", "type": "webhook.test", "accountId": account.id,
                "occurredAt": 1_795_167_000_000_i64, "data": {"webhookId": "wh_01arz3ndektsv4rrffq69g5fav"},
            }),
            "sent to one webhook",
        ),
    ];
    for (source, detail_type, detail, _) in &bad {
        put_event(source, detail_type, detail).await;
    }
    put_event(
        APP,
        "qr.scanned",
        &detail(&account.id, &unique("good"), json!({"text": "b"})),
    )
    .await;
    let next = host.receive(&hook.path, 1).await;
    assert_eq!(next[0].json()["text"], "b");
    for (source, detail_type, detail, expected_reason) in &bad {
        let message = take_dead_letter(detail["id"].as_str().unwrap()).await;
        let reason = message["reason"].as_str().unwrap();
        assert!(
            reason.contains(expected_reason),
            "{reason} does not contain {expected_reason}"
        );
        assert_eq!(message["event"]["source"], *source, "{message}");
        assert_eq!(message["event"]["detail-type"], *detail_type, "{message}");
        assert_eq!(&message["event"]["detail"], detail);
    }
    assert_eq!(host.received(&hook.path).len(), 1);
}

#[tokio::test]
async fn a_dead_letter_event_is_redriven() {
    let account = Account::new("free");
    let host = TrustedHost::accept_all().await;
    let hook = Subscriber::hook(&account, "/again", "qr.scanned").await;
    let detail = detail(&account.id, &unique("again"), json!({"text": "a"}));
    let event = json!({"source": APP, "detail-type": "qr.scanned", "detail": detail});
    send_dead_letter(&json!({"reason": "an older release", "event": event})).await;
    let report = admin(&["redrive", "--queue", "fanout"]);
    assert!(report["redriven"].as_u64() >= Some(1), "{report}");
    let received = host.receive(&hook.path, 1).await;
    assert_eq!(received[0].json()["text"], "a");
    assert_eq!(admin(&["redrive", "--queue", "deliver"])["redriven"], 0);
}

#[tokio::test]
async fn a_trigger_above_the_plan_is_skipped_until_an_upgrade() {
    let account = Account::new("pro");
    let host = TrustedHost::accept_all().await;
    let above = Subscriber::hook(&account, "/above", "geotag.captured").await;
    let within = Subscriber::hook(&account, "/within", "scan.created").await;
    let fire = async |name: &str| {
        let place = json!({"latitude": 48.2, "longitude": 16.4, "scanId": name});
        put_event(
            APP,
            "geotag.captured",
            &detail(&account.id, &unique(name), place),
        )
        .await;
        let scan = json!({"scanId": name});
        put_event(
            APP,
            "scan.created",
            &detail(&account.id, &unique(name), scan),
        )
        .await;
    };
    admin(&["account", "set-plan", &account.id, "--plan", "free"]);
    fire("down").await;
    host.receive(&within.path, 1).await;
    wait_for_earlier_events(&account, &host).await;
    assert_eq!(host.received(&above.path).len(), 0);
    admin(&["account", "set-plan", &account.id, "--plan", "pro"]);
    fire("up").await;
    let received = host.receive(&above.path, 1).await;
    assert_eq!(received[0].json()["scanId"], "up");
}

#[tokio::test]
async fn a_410_response_disables_the_hook() {
    let account = Account::new("free");
    let host = TrustedHost::serve(|path| match path {
        "/gone" => StubResponse::status(410),
        _ => StubResponse::status(204),
    })
    .await;
    let hook = Subscriber::hook(&account, "/gone", "qr.scanned").await;
    let fire = async || {
        let detail = detail(&account.id, &unique("gone"), json!({"text": "a"}));
        put_event(APP, "qr.scanned", &detail).await;
    };
    fire().await;
    let last = last_delivery(&account, &hook, "failed").await;
    assert_eq!(
        (&last["statusCode"], &last["attempts"]),
        (&json!(410), &json!(1)),
        "{last}"
    );
    let list = account.client.get("/hooks").await.json();
    assert_eq!(list["subscriptions"][0]["status"], "disabled", "{list}");
    fire().await;
    wait_for_earlier_events(&account, &host).await;
    assert_eq!(host.received(&hook.path).len(), 1);
}
