//! Listing deliveries, test events and redelivery.

use std::time::Duration;

use domain::plan::Plan;
use domain::ports::Subscriptions as _;
use domain::subscription::{
    Delivery, DeliveryOutcome, DeliveryStatus, DisabledReason, Lane, SlowMark,
};
use serde_json::{Value, json};
use testkit::{Call, Fault};

use super::Caller;

fn only(caller: &Caller) -> Delivery {
    let mut all = caller.fakes.all_deliveries();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[tokio::test]
async fn a_test_event_is_stored_enqueued_and_returned() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    let response = caller.post_empty(&format!("{webhook}/test")).await;
    let delivery = only(&caller);
    let payload = &delivery.payload;
    let listed_delivery = json!({
        "id": delivery.id, "eventId": payload.event_id, "type": "webhook.test", "status": "pending", "attempts": 0,
        "nextAttemptAt": delivery.created_at, "responseStatus": null, "createdAt": delivery.created_at,
    });
    assert_eq!((response.status, &response.body), (202, &listed_delivery));
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
        json!({"deliveries": [listed_delivery], "nextCursor": null})
    );
    // A second test has a new event.
    caller.post_empty(&format!("{webhook}/test")).await;
    assert_eq!(caller.fakes.all_deliveries().len(), 2);
}

#[tokio::test]
async fn deliveries_to_slow_receivers_use_the_slow_queue() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller.post_empty(&format!("{webhook}/test")).await;
    let delivery = only(&caller);
    let account = &delivery.account_id;
    let mark = SlowMark {
        until: delivery.created_at.plus(Duration::from_secs(600)),
        renew_before: delivery.created_at,
    };
    let noted = caller
        .fakes
        .record_slow(account, &delivery.subscription_id, &mark);
    noted.await.unwrap();
    let path = format!("{webhook}/deliveries/{}/redeliver", delivery.id);
    assert_eq!(caller.post_empty(&path).await.status, 202);
    caller.post_empty(&format!("{webhook}/test")).await;
    let sent = caller.fakes.sent_deliveries().into_iter();
    let lanes: Vec<_> = sent.map(|one| one.ticket.lane).collect();
    assert_eq!(lanes, [Lane::Ready, Lane::Slow, Lane::Slow]);
}

#[tokio::test]
async fn no_next_attempt_is_shown_during_an_attempt() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller.post_empty(&format!("{webhook}/test")).await;
    let delivery = only(&caller);
    let claimed = delivery.claim(delivery.created_at).unwrap();
    caller.fakes.put_delivery(claimed.delivery, claimed.due);
    let listed = caller.get(&format!("{webhook}/deliveries")).await.body;
    let line = &listed["deliveries"][0];
    let visible = (&line["status"], &line["attempts"], &line["nextAttemptAt"]);
    assert_eq!(visible, (&json!("pending"), &json!(1), &Value::Null));
}

#[tokio::test]
async fn a_delivery_stays_due_if_its_ticket_cannot_be_enqueued() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller
        .fakes
        .fail(Call::SendDeliveries, Fault::Unavailable, 1);
    assert_eq!(
        caller.post_empty(&format!("{webhook}/test")).await.status,
        202
    );
    let delivery = only(&caller);
    assert_eq!(
        caller.fakes.delivery_due(&delivery),
        Some(delivery.first_due())
    );
}

#[tokio::test]
async fn redelivery_sends_the_same_event_id_and_body() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller.post_empty(&format!("{webhook}/test")).await;
    let delivery = only(&caller);
    let response = DeliveryOutcome::Responded {
        status: 500,
        retry_after: None,
    };
    let failed = Delivery {
        attempts: 8,
        ..delivery.clone()
    };
    let finished = failed.finish(response, delivery.created_at, 0.5).delivery;
    assert_eq!(finished.status, DeliveryStatus::Failed);
    caller.fakes.put_delivery(finished, None);
    let path = format!("{webhook}/deliveries/{}/redeliver", delivery.id);
    let response = caller.post_empty(&path).await;
    let again = only(&caller);
    let expected = json!({
        "id": delivery.id, "eventId": delivery.payload.event_id, "type": "webhook.test", "status": "pending",
        "attempts": 8, "nextAttemptAt": again.updated_at, "responseStatus": 500, "createdAt": delivery.created_at,
    });
    assert_eq!((response.status, response.body), (202, expected));
    assert_eq!(
        (&again.payload, again.attempts_before),
        (&delivery.payload, 8)
    );
    assert_eq!(caller.fakes.sent_deliveries().len(), 2);
    assert!(again.expires_at >= delivery.expires_at);
    assert!(caller.fakes.delivery_due(&again).is_some());
}

#[tokio::test]
async fn disabled_webhooks_receive_nothing() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller.post_empty(&format!("{webhook}/test")).await;
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
    let rejected = caller.post_empty(&path).await;
    assert_eq!(rejected.error(), (409, "webhook_disabled"));
    let trial = caller.post_empty(&format!("{webhook}/test")).await;
    assert_eq!(trial.error(), (409, "webhook_disabled"));
    assert_eq!(only(&caller), delivered);
    assert_eq!(caller.fakes.sent_deliveries().len(), 1);
    // Unknown deliveries get 404 independent of the state of the webhook.
    let unknown = format!("{webhook}/deliveries/dlv_01kbqwz6f0x4t8v2m6n0c5h9rd/redeliver");
    let rejected = caller.post_empty(&unknown).await;
    assert_eq!(rejected.error(), (404, "delivery_not_found"));
}

#[tokio::test]
async fn redelivery_retries_after_a_concurrent_change() {
    let caller = Caller::on(Plan::Business).await;
    let webhook = caller.webhook().await;
    caller.post_empty(&format!("{webhook}/test")).await;
    let delivery = only(&caller);
    let claimed = delivery.claim(delivery.created_at).unwrap();
    caller.fakes.before(Call::ApplyDelivery, 0, move |fakes| {
        fakes.put_delivery(claimed.delivery, claimed.due);
    });
    let path = format!("{webhook}/deliveries/{}/redeliver", delivery.id);
    assert_eq!(caller.post_empty(&path).await.body["attempts"], 1);
}

#[tokio::test]
async fn deliveries_are_found_only_under_their_webhook() {
    let caller = Caller::on(Plan::Business).await;
    let (own, other) = (caller.webhook().await, caller.webhook().await);
    caller.post_empty(&format!("{own}/test")).await;
    let delivery = only(&caller);
    let mut expired = delivery.clone();
    for (webhook, id) in [
        (&other, delivery.id.as_str()),
        (&own, "dlv_01kbqwz6f0x4t8v2m6n0c5h9rd"),
        (&own, "nonsense"),
    ] {
        let response = caller
            .post_empty(&format!("{webhook}/deliveries/{id}/redeliver"))
            .await;
        assert_eq!(
            response.error(),
            (404, "delivery_not_found"),
            "{webhook} {id}"
        );
    }
    // DynamoDB deletes expired items with a delay; they are excluded here.
    expired.expires_at = expired.created_at;
    caller.fakes.put_delivery(expired, None);
    let response = caller
        .post_empty(&format!("{own}/deliveries/{}/redeliver", delivery.id))
        .await;
    assert_eq!(response.error(), (404, "delivery_not_found"));
    let listed = caller.get(&format!("{own}/deliveries")).await.body;
    assert_eq!(listed["deliveries"], json!([]));
}

#[tokio::test]
async fn deliveries_are_paged_newest_event_first() {
    let caller = Caller::on(Plan::Business).await;
    let (webhook, other) = (caller.webhook().await, caller.webhook().await);
    let mut all = Vec::new();
    for _ in 0..3 {
        let response = caller.post_empty(&format!("{webhook}/test")).await;
        all.insert(0, response.text("id").to_owned());
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
    assert_eq!(elsewhere.error(), (400, "invalid_cursor"));
}
