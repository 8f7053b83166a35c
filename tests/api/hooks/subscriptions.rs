//! Validation of hook subscriptions, listing and unsubscribing.

use contract::event::trigger_sample;
use domain::plan::Plan;
use domain::subscription::Trigger;
use serde_json::{Value, json};
use tests::trusted_host::TrustedHost;

use crate::account::Account;
use crate::blocked_urls;
use crate::invalid_bodies::{Field, JsonType, invalid_bodies};
use crate::problem::{assert_error, without_request_id};
use crate::subscriber::Subscriber;

const FIELDS: [Field; 2] = [
    Field {
        name: "event",
        json_type: JsonType::Text,
        required: true,
    },
    Field {
        name: "targetUrl",
        json_type: JsonType::Text,
        required: true,
    },
];

fn base() -> Value {
    json!({"event": "qr.scanned", "targetUrl": TrustedHost::url("/a")})
}

async fn list_hooks(account: &Account) -> Vec<Value> {
    let list = account.client.get("/hooks").await.json();
    assert_eq!(list["nextCursor"], Value::Null);
    list["subscriptions"].as_array().unwrap().clone()
}

#[tokio::test]
async fn invalid_fields_and_targets_are_rejected() {
    let account = Account::new("business");
    let subscribe = async |body: &Value| account.client.post("/hooks/subscribe", &[], body).await;
    for invalid in invalid_bodies(&base(), &FIELDS) {
        let response = subscribe(&invalid.body).await;
        invalid.assert_rejected(&response, 400, "invalid_request");
    }
    for event in ["job.completed", "scan.*", "*", "", "QR.SCANNED"] {
        let mut body = base();
        body["event"] = json!(event);
        let response = subscribe(&body).await;
        assert_error(
            &response,
            400,
            "invalid_request",
            &[("$.event", "invalid_value")],
        );
    }
    let mut bodies = Vec::new();
    for (url, status, code) in blocked_urls::all() {
        let mut body = base();
        body["targetUrl"] = json!(url);
        let response = subscribe(&body).await;
        assert_eq!(response.status, status, "{url}: {}", response.text());
        assert_error(&response, status, code, &[("$.targetUrl", code)]);
        bodies.push(without_request_id(&response));
    }
    bodies.sort();
    bodies.dedup();
    assert_eq!(
        bodies.len(),
        2,
        "the response does not depend on the reason: {bodies:?}"
    );
    assert_eq!(list_hooks(&account).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_trigger_above_the_plan_is_rejected() {
    for plan in [Plan::Free, Plan::Starter, Plan::Pro, Plan::Business] {
        let account = Account::new(plan.name());
        let mut included = 0;
        for trigger in Trigger::ALL {
            let mut body = base();
            body["event"] = json!(trigger.name());
            let response = account.client.post("/hooks/subscribe", &[], &body).await;
            if trigger.is_included_in(plan) {
                assert_eq!(
                    response.status,
                    201,
                    "{plan:?} {trigger}: {}",
                    response.text()
                );
                included += 1;
            } else {
                assert_error(&response, 403, "plan_required", &[]);
            }
        }
        assert_eq!(list_hooks(&account).await.len(), included, "{plan:?}");
    }
}

#[tokio::test]
async fn hooks_are_listed_until_their_owner_unsubscribes() {
    let (account, stranger) = (Account::new("free"), Account::new("free"));
    let unsubscribe = async |account: &Account, id: &str| {
        let body = json!({"id": id});
        let response = account.client.post("/hooks/unsubscribe", &[], &body).await;
        assert_eq!(
            (response.status, response.json()),
            (200, json!({"success": true}))
        );
    };
    let first = Subscriber::hook(&account, "/first", "qr.scanned").await;
    let second = Subscriber::hook(&account, "/second", "scan.created").await;
    assert!(first.secret.starts_with("whsec_") && first.secret != second.secret);
    let listed = list_hooks(&account).await;
    let last = json!({"status": "never", "statusCode": null, "attempts": 0, "at": null});
    assert_eq!(
        listed[0],
        json!({
            "id": first.id, "event": "qr.scanned", "targetUrl": TrustedHost::url("/first"), "status": "active",
            "lastDelivery": last, "createdAt": listed[0]["createdAt"],
        })
    );
    assert_eq!((listed.len(), &listed[1]["id"]), (2, &json!(second.id)));
    unsubscribe(&stranger, &first.id).await;
    assert_eq!(
        list_hooks(&account).await.len(),
        2,
        "another account cannot unsubscribe"
    );
    for _ in 0..2 {
        unsubscribe(&account, &first.id).await;
    }
    for id in ["junk", "", "hook_01arz3ndektsv4rrffq69g5fav"] {
        unsubscribe(&account, id).await;
    }
    assert_eq!(list_hooks(&account).await.len(), 1);
    let cursor = account.client.get("/hooks?cursor=junk").await;
    assert_error(&cursor, 400, "invalid_cursor", &[]);
    let cursors = account.client.get("/hooks?cursor=junk&cursor=junk").await;
    let expected_error = ("$.cursor", "invalid_value");
    assert_error(&cursors, 400, "invalid_request", &[expected_error]);
}

#[tokio::test]
async fn samples_equal_the_bodies_of_triggers() {
    let account = Account::new("free");
    for trigger in Trigger::ALL {
        let path = format!("/hooks/samples?event={trigger}");
        let response = account.client.get(&path).await;
        assert_eq!(response.json(), json!([trigger_sample(*trigger)]));
    }
    let none = account.client.get("/hooks/samples").await;
    assert_error(
        &none,
        400,
        "invalid_request",
        &[("$.event", "missing_field")],
    );
    let unknown = account.client.get("/hooks/samples?event=job.created").await;
    assert_error(
        &unknown,
        400,
        "invalid_request",
        &[("$.event", "invalid_value")],
    );
}
