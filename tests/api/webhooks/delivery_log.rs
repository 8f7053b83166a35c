//! The delivery log, test events, redelivery, and deletion of webhooks.

use serde_json::{Value, json};
use tests::client::Response;
use tests::trusted_host::TrustedHost;

use crate::account::Account;
use crate::problem::{assert_error, without_request_id};
use crate::subscriber::{Subscriber, assert_signed};

async fn list_deliveries(account: &Account, webhook: &Subscriber, query: &str) -> Response {
    let path = format!("/webhooks/{}/deliveries?{query}", webhook.id);
    account.client.get(&path).await
}

async fn redeliver(account: &Account, webhook: &str, delivery: &str) -> Response {
    let path = format!("/webhooks/{webhook}/deliveries/{delivery}/redeliver");
    account.client.send("POST", &path, &[], None).await
}

#[tokio::test]
async fn the_test_event_is_delivered_to_any_webhook() {
    let account = Account::new("free");
    let host = TrustedHost::accept_all().await;
    let webhook = Subscriber::webhook(&account, "/test", &["document.deleted"]).await;
    let delivery = webhook.send_test_event(&account).await;
    let received = host.receive(&webhook.path, 1).await;
    assert_signed(&webhook.secret, &received[0]);
    let body = received[0].json();
    assert_eq!(
        (&body["type"], &body["data"]),
        (&json!("webhook.test"), &json!({"webhookId": webhook.id}))
    );
    let line = webhook.wait_for_delivery(&account, &delivery, |line| line["status"] == "delivered");
    let line = line.await;
    assert_eq!(
        line,
        json!({
            "id": delivery, "eventId": body["id"], "type": "webhook.test", "status": "delivered", "attempts": 1,
            "nextAttemptAt": null, "responseStatus": 204, "createdAt": line["createdAt"],
        })
    );
    assert_eq!(
        account.remaining().await,
        (10, 100),
        "test events are not charged"
    );
}

#[tokio::test]
async fn a_redelivery_sends_the_same_event() {
    let account = Account::new("free");
    let host = TrustedHost::accept_all().await;
    let webhook = Subscriber::webhook(&account, "/taken", &["*"]).await;
    let other = Subscriber::webhook(&account, "/other", &["*"]).await;
    let delivery = webhook.send_test_event(&account).await;
    webhook.wait_for_deliveries(&account, 1).await;
    let response = redeliver(&account, &webhook.id, &delivery).await;
    assert_eq!(response.status, 202, "{}", response.text());
    assert_eq!(response.json()["id"], delivery);
    let received = host.receive(&webhook.path, 2).await;
    let sent = |line: &Value| line["status"] == "delivered" && line["attempts"] == 2;
    webhook.wait_for_delivery(&account, &delivery, sent).await;
    assert_eq!(
        webhook.deliveries(&account).await.len(),
        1,
        "one delivery, sent twice"
    );
    assert_eq!(received[0].body, received[1].body);
    let id = |index: usize| received[index].header("webhook-id").to_owned();
    assert_eq!(id(0), id(1));
    assert_signed(&webhook.secret, &received[1]);

    let unknown = "dlv_01arz3ndektsv4rrffq69g5fav";
    let mut bodies = Vec::new();
    for (webhook, delivery) in [
        (&other.id, delivery.as_str()),
        (&webhook.id, unknown),
        (&webhook.id, "junk"),
    ] {
        let response = redeliver(&account, webhook, delivery).await;
        assert_error(&response, 404, "delivery_not_found", &[]);
        bodies.push(without_request_id(&response));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
}

#[tokio::test]
async fn pagination_of_deliveries_is_complete() {
    let account = Account::new("starter");
    let _host = TrustedHost::accept_all().await;
    let webhook = Subscriber::webhook(&account, "/log", &["*"]).await;
    let other = Subscriber::webhook(&account, "/other", &["*"]).await;
    let mut sent = Vec::new();
    for _ in 0..5 {
        sent.insert(0, webhook.send_test_event(&account).await);
    }
    webhook.wait_for_deliveries(&account, 5).await;
    let (mut found, mut query) = (Vec::new(), "limit=2".to_owned());
    loop {
        let response = list_deliveries(&account, &webhook, &query).await;
        let list = response.json();
        let lines = list["deliveries"].as_array().unwrap();
        assert!(lines.len() <= 2, "{list}");
        found.extend(
            lines
                .iter()
                .map(|line| line["id"].as_str().unwrap().to_owned()),
        );
        let Some(cursor) = list["nextCursor"].as_str() else {
            break;
        };
        query = format!("limit=2&cursor={cursor}");
    }
    assert_eq!(found, sent);
    let first = list_deliveries(&account, &webhook, "limit=2").await.json();
    let cursor = first["nextCursor"].as_str().unwrap();
    let query = format!("cursor={cursor}");
    let foreign = list_deliveries(&account, &other, &query).await;
    assert_error(&foreign, 400, "invalid_cursor", &[]);
    let list = account.client.get(&format!("/webhooks?{query}")).await;
    assert_error(&list, 400, "invalid_cursor", &[]);
    let junk = list_deliveries(&account, &webhook, "cursor=junk").await;
    assert_error(&junk, 400, "invalid_cursor", &[]);
    let twice = list_deliveries(&account, &webhook, "limit=1&limit=2").await;
    let expected_error = ("$.limit", "invalid_value");
    assert_error(&twice, 400, "invalid_request", &[expected_error]);
    for limit in ["0", "101", "x"] {
        let response = list_deliveries(&account, &webhook, &format!("limit={limit}")).await;
        assert_error(
            &response,
            400,
            "invalid_request",
            &[("$.limit", "invalid_value")],
        );
    }
}

#[tokio::test]
async fn extra_characters_around_an_identifier_are_not_found() {
    let account = Account::new("free");
    let webhook = Subscriber::webhook(&account, "/named", &["*"]).await;
    let job = account.submit_job(&account.conversion_body().await).await;
    let extra = ["%20", "%09", "%0a", "%00", "%1f", "%23a"];
    let refused = async |path: String, code: &str| {
        for method in ["GET", "DELETE"] {
            let response = account.client.send(method, &path, &[], None).await;
            assert_eq!(response.status, 404, "{method} {path}: {}", response.text());
            assert_error(&response, 404, code, &[]);
        }
    };
    for letter in extra {
        refused(
            format!("/webhooks/{}{letter}", webhook.id),
            "webhook_not_found",
        )
        .await;
        refused(
            format!("/webhooks/{letter}{}", webhook.id),
            "webhook_not_found",
        )
        .await;
        refused(format!("/jobs/{job}{letter}"), "job_not_found").await;
        refused(format!("/jobs/{letter}{job}"), "job_not_found").await;
    }
    let path = format!("/webhooks/{}", webhook.id);
    let kept = account.client.get(&path).await;
    assert_eq!(kept.status, 200, "{}", kept.text());
    assert_eq!(account.client.wait(&job).await["status"], "completed");
    webhook.delete(&account).await;
}

#[tokio::test]
async fn a_deleted_webhook_receives_nothing_and_is_not_found() {
    let (account, stranger) = (Account::new("free"), Account::new("free"));
    let host = TrustedHost::accept_all().await;
    let gone = Subscriber::webhook(&account, "/gone", &["*"]).await;
    let remaining = Subscriber::webhook(&account, "/remaining", &["*"]).await;
    let path = format!("/webhooks/{}", gone.id);
    let kept = account.client.get(&path).await;
    assert_eq!(kept.status, 200, "{}", kept.text());
    let foreign = stranger.client.send("DELETE", &path, &[], None).await;
    assert_error(&foreign, 404, "webhook_not_found", &[]);
    let deleted = account.client.send("DELETE", &path, &[], None).await;
    assert_eq!((deleted.status, deleted.bytes), (204, Vec::new()));
    account.run_job(&account.conversion_body().await).await;
    remaining.wait_for_deliveries(&account, 3).await;
    assert_eq!(host.received(&gone.path).len(), 0);
    let mut bodies = vec![without_request_id(&foreign)];
    let paths = ["", "/test", "/rotate-secret", "/deliveries"];
    for (method, rest) in ["GET", "POST", "POST", "GET"].into_iter().zip(paths) {
        let path = format!("{path}{rest}");
        let response = account.client.send(method, &path, &[], None).await;
        assert_error(&response, 404, "webhook_not_found", &[]);
        bodies.push(without_request_id(&response));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    let again = account.client.send("DELETE", &path, &[], None).await;
    assert_error(&again, 404, "webhook_not_found", &[]);
    let list = account.client.get("/webhooks").await.json();
    let listed = list["webhooks"].as_array().unwrap();
    assert_eq!(listed.len(), 1, "{list}");
    assert_eq!(listed[0]["id"], remaining.id.as_str());
    assert!(listed[0].get("secret").is_none(), "{list}");
}
