//! The delivery log, trials, sending again, and the end of a webhook.

use serde_json::{Value, json};
use tests::client::Answer;
use tests::trusted_host::TrustedHost;

use crate::account::Account;
use crate::refusal::{anonymous, assert_refused};
use crate::subscriber::{Subscriber, assert_signed};

async fn page(account: &Account, webhook: &Subscriber, query: &str) -> Answer {
    let path = format!("/webhooks/{}/deliveries?{query}", webhook.id);
    account.client.get(&path).await
}

async fn redeliver(account: &Account, webhook: &str, delivery: &str) -> Answer {
    let path = format!("/webhooks/{webhook}/deliveries/{delivery}/redeliver");
    account.client.send("POST", &path, &[], None).await
}

#[tokio::test]
async fn a_trial_comes_to_a_webhook_of_any_event() {
    let account = Account::new("free");
    let host = TrustedHost::willing().await;
    let webhook = Subscriber::webhook(&account, "/trial", &["document.deleted"]).await;
    let delivery = webhook.try_out(&account).await;
    let received = host.receive(&webhook.path, 1).await;
    assert_signed(&webhook.secret, &received[0]);
    let body = received[0].json();
    assert_eq!(
        (&body["type"], &body["data"]),
        (&json!("webhook.test"), &json!({"webhookId": webhook.id}))
    );
    let line = webhook.line(&account, &delivery, |line| line["status"] == "delivered");
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
        "a trial costs nothing"
    );
}

#[tokio::test]
async fn what_is_sent_again_is_the_same_event() {
    let account = Account::new("free");
    let host = TrustedHost::willing().await;
    let taken = Subscriber::webhook(&account, "/taken", &["*"]).await;
    let other = Subscriber::webhook(&account, "/other", &["*"]).await;
    let delivery = taken.try_out(&account).await;
    taken.settled(&account, 1).await;
    let answer = redeliver(&account, &taken.id, &delivery).await;
    assert_eq!(answer.status, 202, "{}", answer.text());
    assert_eq!(answer.json()["id"], delivery);
    let received = host.receive(&taken.path, 2).await;
    let sent = |line: &Value| line["status"] == "delivered" && line["attempts"] == 2;
    taken.line(&account, &delivery, sent).await;
    assert_eq!(
        taken.log(&account).await.len(),
        1,
        "one delivery, sent twice"
    );
    assert_eq!(received[0].body, received[1].body);
    let id = |index: usize| received[index].header("webhook-id").to_owned();
    assert_eq!(id(0), id(1));
    assert_signed(&taken.secret, &received[1]);

    let unknown = "dlv_01arz3ndektsv4rrffq69g5fav";
    let mut bodies = Vec::new();
    for (webhook, delivery) in [
        (&other.id, delivery.as_str()),
        (&taken.id, unknown),
        (&taken.id, "junk"),
    ] {
        let answer = redeliver(&account, webhook, delivery).await;
        assert_refused(&answer, 404, "delivery_not_found", &[]);
        bodies.push(anonymous(&answer));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
}

#[tokio::test]
async fn the_log_is_read_in_pages_that_lose_and_repeat_nothing() {
    let account = Account::new("starter");
    let _host = TrustedHost::willing().await;
    let webhook = Subscriber::webhook(&account, "/log", &["*"]).await;
    let other = Subscriber::webhook(&account, "/other", &["*"]).await;
    let mut sent = Vec::new();
    for _ in 0..5 {
        sent.insert(0, webhook.try_out(&account).await);
    }
    webhook.settled(&account, 5).await;
    let (mut found, mut query) = (Vec::new(), "limit=2".to_owned());
    loop {
        let answer = page(&account, &webhook, &query).await;
        let list = answer.json();
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
    let first = page(&account, &webhook, "limit=2").await.json();
    let cursor = first["nextCursor"].as_str().unwrap();
    let query = format!("cursor={cursor}");
    let foreign = page(&account, &other, &query).await;
    assert_refused(&foreign, 400, "invalid_cursor", &[]);
    let list = account.client.get(&format!("/webhooks?{query}")).await;
    assert_refused(&list, 400, "invalid_cursor", &[]);
    let junk = page(&account, &webhook, "cursor=junk").await;
    assert_refused(&junk, 400, "invalid_cursor", &[]);
    let twice = page(&account, &webhook, "limit=1&limit=2").await;
    let fault = ("$.limit", "invalid_value");
    assert_refused(&twice, 400, "invalid_request", &[fault]);
    for limit in ["0", "101", "x"] {
        let answer = page(&account, &webhook, &format!("limit={limit}")).await;
        assert_refused(
            &answer,
            400,
            "invalid_request",
            &[("$.limit", "invalid_value")],
        );
    }
}

#[tokio::test]
async fn what_stands_beside_an_identifier_makes_it_another() {
    let account = Account::new("free");
    let webhook = Subscriber::webhook(&account, "/named", &["*"]).await;
    let job = account.accept(&account.conversion().await).await;
    let beside = ["%20", "%09", "%0a", "%00", "%1f", "%23a"];
    let refused = async |path: String, code: &str| {
        for method in ["GET", "DELETE"] {
            let answer = account.client.send(method, &path, &[], None).await;
            assert_eq!(answer.status, 404, "{method} {path}: {}", answer.text());
            assert_refused(&answer, 404, code, &[]);
        }
    };
    for letter in beside {
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
    webhook.end(&account).await;
}

#[tokio::test]
async fn a_webhook_that_is_deleted_is_told_nothing_and_answers_like_none() {
    let (account, stranger) = (Account::new("free"), Account::new("free"));
    let host = TrustedHost::willing().await;
    let gone = Subscriber::webhook(&account, "/gone", &["*"]).await;
    let stays = Subscriber::webhook(&account, "/stays", &["*"]).await;
    let path = format!("/webhooks/{}", gone.id);
    let kept = account.client.get(&path).await;
    assert_eq!(kept.status, 200, "{}", kept.text());
    let foreign = stranger.client.send("DELETE", &path, &[], None).await;
    assert_refused(&foreign, 404, "webhook_not_found", &[]);
    let deleted = account.client.send("DELETE", &path, &[], None).await;
    assert_eq!((deleted.status, deleted.bytes), (204, Vec::new()));
    account.ended(&account.conversion().await).await;
    stays.settled(&account, 3).await;
    assert_eq!(host.received(&gone.path).len(), 0);
    let mut bodies = vec![anonymous(&foreign)];
    let paths = ["", "/test", "/rotate-secret", "/deliveries"];
    for (method, rest) in ["GET", "POST", "POST", "GET"].into_iter().zip(paths) {
        let path = format!("{path}{rest}");
        let answer = account.client.send(method, &path, &[], None).await;
        assert_refused(&answer, 404, "webhook_not_found", &[]);
        bodies.push(anonymous(&answer));
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    let again = account.client.send("DELETE", &path, &[], None).await;
    assert_refused(&again, 404, "webhook_not_found", &[]);
    let list = account.client.get("/webhooks").await.json();
    let listed = list["webhooks"].as_array().unwrap();
    assert_eq!(listed.len(), 1, "{list}");
    assert_eq!(listed[0]["id"], stays.id.as_str());
    assert!(listed[0].get("secret").is_none(), "{list}");
}
