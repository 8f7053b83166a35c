//! What is taken as a hook and what is not.

use contract::event::trigger_sample;
use domain::plan::Plan;
use domain::subscription::Trigger;
use serde_json::{Value, json};
use tests::trusted_host::TrustedHost;

use crate::account::Account;
use crate::members::{Kind, Member, wrong};
use crate::refusal::{anonymous, assert_refused};
use crate::subscriber::Subscriber;
use crate::targets;

const MEMBERS: [Member; 2] = [
    Member {
        name: "event",
        kind: Kind::Text,
        required: true,
    },
    Member {
        name: "targetUrl",
        kind: Kind::Text,
        required: true,
    },
];

fn base() -> Value {
    json!({"event": "qr.scanned", "targetUrl": TrustedHost::url("/a")})
}

async fn hooks(account: &Account) -> Vec<Value> {
    let list = account.client.get("/hooks").await.json();
    assert_eq!(list["nextCursor"], Value::Null);
    list["subscriptions"].as_array().unwrap().clone()
}

#[tokio::test]
async fn wrong_members_and_targets_are_refused_and_leave_nothing() {
    let account = Account::new("business");
    let subscribe = async |body: &Value| account.client.post("/hooks/subscribe", &[], body).await;
    for wrong in wrong(&base(), &MEMBERS) {
        let answer = subscribe(&wrong.body).await;
        assert_eq!(answer.status, 400, "{}: {}", wrong.what, answer.text());
        assert_refused(&answer, 400, "invalid_request", &wrong.faults());
    }
    for event in ["job.completed", "scan.*", "*", "", "QR.SCANNED"] {
        let mut body = base();
        body["event"] = json!(event);
        let answer = subscribe(&body).await;
        assert_refused(
            &answer,
            400,
            "invalid_request",
            &[("$.event", "invalid_value")],
        );
    }
    let mut bodies = Vec::new();
    for (url, status, code) in targets::refused() {
        let mut body = base();
        body["targetUrl"] = json!(url);
        let answer = subscribe(&body).await;
        assert_eq!(answer.status, status, "{url}: {}", answer.text());
        assert_refused(&answer, status, code, &[("$.targetUrl", code)]);
        bodies.push(anonymous(&answer));
    }
    bodies.sort();
    bodies.dedup();
    assert_eq!(
        bodies.len(),
        2,
        "what is refused is not told why: {bodies:?}"
    );
    assert_eq!(hooks(&account).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_trigger_above_the_plan_needs_that_plan() {
    for plan in [Plan::Free, Plan::Starter, Plan::Pro, Plan::Business] {
        let account = Account::new(plan.name());
        let mut included = 0;
        for trigger in Trigger::ALL {
            let mut body = base();
            body["event"] = json!(trigger.name());
            let answer = account.client.post("/hooks/subscribe", &[], &body).await;
            if trigger.is_included_in(plan) {
                assert_eq!(answer.status, 201, "{plan:?} {trigger}: {}", answer.text());
                included += 1;
            } else {
                assert_refused(&answer, 403, "plan_required", &[]);
            }
        }
        assert_eq!(hooks(&account).await.len(), included, "{plan:?}");
    }
}

#[tokio::test]
async fn hooks_are_listed_until_they_are_unsubscribed_by_their_owner() {
    let (account, stranger) = (Account::new("free"), Account::new("free"));
    let unsubscribe = async |account: &Account, id: &str| {
        let body = json!({"id": id});
        let answer = account.client.post("/hooks/unsubscribe", &[], &body).await;
        assert_eq!(
            (answer.status, answer.json()),
            (200, json!({"success": true}))
        );
    };
    let first = Subscriber::hook(&account, "/first", "qr.scanned").await;
    let second = Subscriber::hook(&account, "/second", "scan.created").await;
    assert!(first.secret.starts_with("whsec_") && first.secret != second.secret);
    let listed = hooks(&account).await;
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
    assert_eq!(hooks(&account).await.len(), 2, "a stranger ends nothing");
    for _ in 0..2 {
        unsubscribe(&account, &first.id).await;
    }
    for id in ["junk", "", "hook_01arz3ndektsv4rrffq69g5fav"] {
        unsubscribe(&account, id).await;
    }
    assert_eq!(hooks(&account).await.len(), 1);
    let cursor = account.client.get("/hooks?cursor=junk").await;
    assert_refused(&cursor, 400, "invalid_cursor", &[]);
    let cursors = account.client.get("/hooks?cursor=junk&cursor=junk").await;
    let fault = ("$.cursor", "invalid_value");
    assert_refused(&cursors, 400, "invalid_request", &[fault]);
}

#[tokio::test]
async fn samples_are_what_a_trigger_sends() {
    let account = Account::new("free");
    for trigger in Trigger::ALL {
        let path = format!("/hooks/samples?event={trigger}");
        let answer = account.client.get(&path).await;
        assert_eq!(answer.json(), json!([trigger_sample(*trigger)]));
    }
    let none = account.client.get("/hooks/samples").await;
    assert_refused(
        &none,
        400,
        "invalid_request",
        &[("$.event", "missing_field")],
    );
    let unknown = account.client.get("/hooks/samples?event=job.created").await;
    assert_refused(
        &unknown,
        400,
        "invalid_request",
        &[("$.event", "invalid_value")],
    );
}
