//! A receiver that does not respond and has many pending deliveries does not delay deliveries to others.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tests::stack::stack;
use tests::trusted_host::{StubAction, StubResponse, TrustedHost};
use tokio::sync::watch;

use crate::account::Account;
use crate::aws;
use crate::subscriber::Subscriber;

/// Far more than the delivery workers of a local stack in both lanes, because one worker can receive several tickets.
const SLOW_DELIVERIES: usize = 60;
/// Deliveries to the other receiver in the meantime.
const QUICK_DELIVERIES: usize = 20;

#[tokio::test]
async fn a_slow_receiver_does_not_delay_other_receivers() {
    let (theirs, account) = (Account::new("business"), Account::new("business"));
    let (open, gate) = watch::channel(false);
    let host = TrustedHost::serve_actions(move |request, count| match request.path.as_str() {
        "/slow" if count == 1 => StubAction::Silence,
        "/slow" => StubAction::WaitFor(gate.clone(), StubResponse::status(204)),
        _ => StubAction::Respond(StubResponse::status(204)),
    })
    .await;
    let slow = Subscriber::webhook(&theirs, "/slow", &["*"]).await;
    let quick = Subscriber::webhook(&account, "/quick", &["*"]).await;
    let first = slow.send_test_event(&theirs).await;
    let timed_out = |line: &Value| line["fault"] == "timed_out";
    slow.wait_for_delivery(&theirs, &first, timed_out).await;
    let mut slow_deliveries = BTreeSet::new();
    for _ in 0..SLOW_DELIVERIES {
        slow_deliveries.insert(slow.send_test_event(&theirs).await);
    }
    for delivery in &slow_deliveries {
        send_ticket(&theirs, &slow, delivery).await;
    }
    for _ in 0..QUICK_DELIVERIES {
        quick.send_test_event(&account).await;
    }
    host.receive(&quick.path, QUICK_DELIVERIES).await;
    let is_tried = |line: &&Value| {
        let is_one = slow_deliveries.contains(line["id"].as_str().unwrap());
        is_one && (line.get("fault").is_some() || !line["responseStatus"].is_null())
    };
    // Each attempt lasts until it times out, so that a few end if this test is slow. If workers were shared, nearly all would.
    let lines = slow.deliveries(&theirs).await;
    let tried = lines.iter().filter(is_tried).count();
    assert!(
        tried < SLOW_DELIVERIES / 2,
        "{tried} slow deliveries were attempted"
    );
    open.send(true).unwrap();
    for line in slow.wait_for_deliveries(&theirs, SLOW_DELIVERIES + 1).await {
        assert_eq!(line["status"], "delivered", "{line}");
    }
    for webhook in [(&slow, &theirs), (&quick, &account)] {
        webhook.0.delete(webhook.1).await;
    }
}

/// Sends a ticket to the queue of fast receivers, as `sweep` does, which has no information about receivers.
async fn send_ticket(account: &Account, webhook: &Subscriber, delivery: &str) {
    let queues = aws_sdk_sqs::Client::new(&aws::config().await);
    let ticket = json!({"version": 1, "accountId": account.id, "subscriptionId": webhook.id, "deliveryId": delivery});
    let send = queues
        .send_message()
        .queue_url(&stack().resources.queues["deliver"]);
    let send = send
        .message_group_id(&webhook.id)
        .message_body(ticket.to_string());
    send.send().await.unwrap();
}
