//! A receiver that does not answer, with much that waits for it, and another that is not held up by that.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tests::stack::stack;
use tests::trusted_host::{Reply, Served, TrustedHost};
use tokio::sync::watch;

use crate::account::Account;
use crate::aws;
use crate::subscriber::Subscriber;

/// More than a local stack has workers of deliveries, in both lanes, by far: a few of them may be handed to one worker.
const WAITING: usize = 60;
/// What goes to the other receiver meanwhile.
const MEANWHILE: usize = 20;

#[tokio::test]
async fn a_receiver_that_is_known_to_be_slow_delays_nobody_else() {
    let (theirs, account) = (Account::new("business"), Account::new("business"));
    let (open, gate) = watch::channel(false);
    let host = TrustedHost::reply(move |request, count| match request.path.as_str() {
        "/slow" if count == 1 => Reply::Silence,
        "/slow" => Reply::Held(gate.clone(), Served::status(204)),
        _ => Reply::Served(Served::status(204)),
    })
    .await;
    let slow = Subscriber::webhook(&theirs, "/slow", &["*"]).await;
    let quick = Subscriber::webhook(&account, "/quick", &["*"]).await;
    let first = slow.try_out(&theirs).await;
    let timed_out = |line: &Value| line["fault"] == "timed_out";
    slow.line(&theirs, &first, timed_out).await;
    let mut waiting = BTreeSet::new();
    for _ in 0..WAITING {
        waiting.insert(slow.try_out(&theirs).await);
    }
    for delivery in &waiting {
        send_ticket(&theirs, &slow, delivery).await;
    }
    for _ in 0..MEANWHILE {
        quick.try_out(&account).await;
    }
    host.receive(&quick.path, MEANWHILE).await;
    for line in slow.log(&theirs).await {
        let is_tried = line.get("fault").is_some() || !line["responseStatus"].is_null();
        let id = line["id"].as_str().unwrap();
        assert!(
            !is_tried || !waiting.contains(id),
            "its end came first: {line}"
        );
    }
    open.send(true).unwrap();
    for line in slow.settled(&theirs, WAITING + 1).await {
        assert_eq!(line["status"], "delivered", "{line}");
    }
    for webhook in [(&slow, &theirs), (&quick, &account)] {
        webhook.0.end(webhook.1).await;
    }
}

/// Sends a ticket to the queue of receivers that answer at once, as the sweep does, which does not know the receiver.
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
