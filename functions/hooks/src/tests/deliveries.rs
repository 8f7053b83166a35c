//! Deliveries: listed, tried out, sent again.

use std::time::Duration;

use domain::plan::Plan;
use domain::ports::Subscriptions as _;
use domain::subscription::{Delivery, DeliveryStatus, DisabledReason, Lane, Outcome, SlowMark};
use serde_json::{Value, json};
use testkit::{Call, Fault};

use super::Caller;

fn only(caller: &Caller) -> Delivery {
    let mut all = caller.fakes.all_deliveries();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[tokio::test]
async fn a_trial_is_written_sent_and_told() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    let answer = caller.ask(&format!("{webhook}/test")).await;
    let delivery = only(&caller);
    let payload = &delivery.payload;
    let whole = json!({
        "id": delivery.id, "eventId": payload.event_id, "type": "webhook.test", "status": "pending", "attempts": 0,
        "nextAttemptAt": delivery.created_at, "responseStatus": null, "createdAt": delivery.created_at,
    });
    assert_eq!((answer.status, &answer.body), (202, &whole));
    let body: Value = serde_json::from_str(&payload.body).unwrap();
    let id = webhook.trim_start_matches("/webhooks/");
    let timestamp = delivery.created_at.to_string();
    let expected = json!({"id": payload.event_id, "type": "webhook.test", "timestamp": timestamp, "data": {"webhookId": id}});
    assert_eq!(body, expected);
    let sent = caller.fakes.sent_deliveries();
    assert_eq!(
        (sent[0].ticket.clone(), sent[0].delay),
        (delivery.ticket(), Duration::ZERO)
    );
    let listed = caller.get(&format!("{webhook}/deliveries")).await;
    assert_eq!(
        listed.body,
        json!({"deliveries": [whole], "nextCursor": null})
    );
    // Another trial is another event.
    caller.ask(&format!("{webhook}/test")).await;
    assert_eq!(caller.fakes.all_deliveries().len(), 2);
}

#[tokio::test]
async fn what_is_sent_to_a_slow_receiver_goes_by_the_queue_for_that() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller.ask(&format!("{webhook}/test")).await;
    let delivery = only(&caller);
    let account = &delivery.account_id;
    let mark = SlowMark {
        until: delivery.created_at.plus(Duration::from_secs(600)),
        enough: delivery.created_at,
    };
    let noted = caller
        .fakes
        .note_slow(account, &delivery.subscription_id, &mark);
    noted.await.unwrap();
    let path = format!("{webhook}/deliveries/{}/redeliver", delivery.id);
    assert_eq!(caller.ask(&path).await.status, 202);
    caller.ask(&format!("{webhook}/test")).await;
    let sent = caller.fakes.sent_deliveries().into_iter();
    let lanes: Vec<_> = sent.map(|one| one.ticket.lane).collect();
    assert_eq!(lanes, [Lane::Ready, Lane::Slow, Lane::Slow]);
}

#[tokio::test]
async fn no_next_attempt_is_told_of_while_one_is_made() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller.ask(&format!("{webhook}/test")).await;
    let delivery = only(&caller);
    let claimed = delivery.claim(delivery.created_at).unwrap();
    caller.fakes.put_delivery(claimed.delivery, claimed.due);
    let listed = caller.get(&format!("{webhook}/deliveries")).await.body;
    let line = &listed["deliveries"][0];
    let told = (&line["status"], &line["attempts"], &line["nextAttemptAt"]);
    assert_eq!(told, (&json!("pending"), &json!(1), &Value::Null));
}

#[tokio::test]
async fn a_delivery_whose_ticket_is_not_sent_is_due_all_the_same() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller
        .fakes
        .fail(Call::SendDeliveries, Fault::Unavailable, 1);
    assert_eq!(caller.ask(&format!("{webhook}/test")).await.status, 202);
    let delivery = only(&caller);
    assert_eq!(
        caller.fakes.delivery_due(&delivery),
        Some(delivery.first_due())
    );
}

#[tokio::test]
async fn a_delivery_that_ended_is_sent_again_with_the_same_event_and_body() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller.ask(&format!("{webhook}/test")).await;
    let delivery = only(&caller);
    let answered = Outcome::Answered {
        status: 500,
        retry_after: None,
    };
    let failed = Delivery {
        attempts: 8,
        ..delivery.clone()
    };
    let ended = failed.end(answered, delivery.created_at, 0.5).delivery;
    assert_eq!(ended.status, DeliveryStatus::Failed);
    caller.fakes.put_delivery(ended, None);
    let path = format!("{webhook}/deliveries/{}/redeliver", delivery.id);
    let answer = caller.ask(&path).await;
    let again = only(&caller);
    let whole = json!({
        "id": delivery.id, "eventId": delivery.payload.event_id, "type": "webhook.test", "status": "pending",
        "attempts": 8, "nextAttemptAt": again.updated_at, "responseStatus": 500, "createdAt": delivery.created_at,
    });
    assert_eq!((answer.status, answer.body), (202, whole));
    assert_eq!(
        (&again.payload, again.attempts_before),
        (&delivery.payload, 8)
    );
    assert_eq!(caller.fakes.sent_deliveries().len(), 2);
    assert!(again.expires_at >= delivery.expires_at);
    assert!(caller.fakes.delivery_due(&again).is_some());
}

#[tokio::test]
async fn to_a_disabled_webhook_nothing_is_sent() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller.ask(&format!("{webhook}/test")).await;
    let delivered = Delivery {
        status: DeliveryStatus::Delivered,
        attempts: 1,
        next_attempt_at: None,
        ..only(&caller)
    };
    caller.fakes.put_delivery(delivered.clone(), None);
    let (account, id) = (&delivered.account_id, &delivered.subscription_id);
    let disabled = caller
        .fakes
        .disable(account, id, DisabledReason::Gone, None);
    assert!(disabled.await.unwrap());
    let path = format!("{webhook}/deliveries/{}/redeliver", delivered.id);
    let refused = caller.ask(&path).await;
    assert_eq!(refused.refusal(), (409, "webhook_disabled"));
    let trial = caller.ask(&format!("{webhook}/test")).await;
    assert_eq!(trial.refusal(), (409, "webhook_disabled"));
    assert_eq!(only(&caller), delivered);
    assert_eq!(caller.fakes.sent_deliveries().len(), 1);
    // What is not there is not told apart by the state of the webhook.
    let unknown = format!("{webhook}/deliveries/dlv_01kbqwz6f0x4t8v2m6n0c5h9rd/redeliver");
    let refused = caller.ask(&unknown).await;
    assert_eq!(refused.refusal(), (404, "delivery_not_found"));
}

#[tokio::test]
async fn a_delivery_that_moves_meanwhile_is_sent_again_as_it_is_then() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller.ask(&format!("{webhook}/test")).await;
    let delivery = only(&caller);
    let claimed = delivery.claim(delivery.created_at).unwrap();
    caller.fakes.before(Call::ApplyDelivery, 0, move |fakes| {
        fakes.put_delivery(claimed.delivery, claimed.due);
    });
    let path = format!("{webhook}/deliveries/{}/redeliver", delivery.id);
    assert_eq!(caller.ask(&path).await.body["attempts"], 1);
}

#[tokio::test]
async fn a_delivery_is_found_at_its_own_webhook_alone() {
    let caller = Caller::on(Plan::Business).await;
    let (own, other) = (caller.webhook().await, caller.webhook().await);
    caller.ask(&format!("{own}/test")).await;
    let delivery = only(&caller);
    let mut expired = delivery.clone();
    for (webhook, id) in [
        (&other, delivery.id.as_str()),
        (&own, "dlv_01kbqwz6f0x4t8v2m6n0c5h9rd"),
        (&own, "nonsense"),
    ] {
        let answer = caller
            .ask(&format!("{webhook}/deliveries/{id}/redeliver"))
            .await;
        assert_eq!(
            answer.refusal(),
            (404, "delivery_not_found"),
            "{webhook} {id}"
        );
    }
    // What has expired is gone, however late the database deletes it.
    expired.expires_at = expired.created_at;
    caller.fakes.put_delivery(expired, None);
    let answer = caller
        .ask(&format!("{own}/deliveries/{}/redeliver", delivery.id))
        .await;
    assert_eq!(answer.refusal(), (404, "delivery_not_found"));
    let listed = caller.get(&format!("{own}/deliveries")).await.body;
    assert_eq!(listed["deliveries"], json!([]));
}

#[tokio::test]
async fn deliveries_are_listed_page_by_page_newest_event_first() {
    let caller = Caller::on(Plan::Business).await;
    let (webhook, other) = (caller.webhook().await, caller.webhook().await);
    let mut all = Vec::new();
    for _ in 0..3 {
        let answer = caller.ask(&format!("{webhook}/test")).await;
        all.insert(0, answer.text("id").to_owned());
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let first = caller
        .get(&format!("{webhook}/deliveries?limit=2"))
        .await
        .body;
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = caller
        .get(&format!("{webhook}/deliveries?limit=2&cursor={cursor}"))
        .await
        .body;
    let pages = [&first, &second].map(|page| page["deliveries"].as_array().unwrap());
    let seen: Vec<_> = pages
        .into_iter()
        .flatten()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        (seen, &second["nextCursor"]),
        (all.iter().map(String::as_str).collect(), &Value::Null)
    );
    let elsewhere = caller
        .get(&format!("{other}/deliveries?cursor={cursor}"))
        .await;
    assert_eq!(elsewhere.refusal(), (400, "invalid_cursor"));
}
