//! What tests are told of subscribers: what was sent, what was refused, what receivers got.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::Duration;

use domain::plan::Plan;
use domain::ports::{CallReceivers, Queues};
use domain::source::SourceUrl;
use domain::subscription::{DeliveryFault, Outcome};
use testkit::sample::subscription::{delivery, webhook};
use testkit::{Call, Fakes, Fault, World, sample};

#[tokio::test]
async fn tickets_that_the_queue_refuses_are_told_and_not_sent() {
    let fakes = Fakes::new();
    let account = sample::account(&fakes, Plan::Pro);
    let now = fakes.now();
    let [good, bad] = [webhook(&fakes, &account), webhook(&fakes, &account)];
    let tickets = [&good, &bad].map(|one| delivery(&fakes, one, now).ticket());
    fakes.refuse_tickets_of(&bad.id);
    let delay = Duration::from_secs(5);
    let taken = fakes.send_deliveries(&tickets, delay).await.unwrap();
    assert_eq!(taken, tickets[..1]);
    let sent = fakes.sent_deliveries();
    assert_eq!(sent.len(), 1);
    assert_eq!((&sent[0].ticket, sent[0].delay), (&tickets[0], delay));
}

#[tokio::test]
async fn what_remains_of_a_fan_out_and_what_is_no_event_are_kept_apart() {
    let fakes = Fakes::new();
    fakes.continue_fan_out("group", "rest").await.unwrap();
    fakes.reject("junk").await.unwrap();
    let continued = fakes.continuations();
    assert_eq!(continued.len(), 1);
    assert_eq!(
        (&*continued[0].group, &*continued[0].message),
        ("group", "rest")
    );
    assert_eq!(fakes.rejected(), ["junk"]);
}

fn answered(status: u16) -> Outcome {
    Outcome::Answered {
        status,
        retry_after: None,
    }
}

#[tokio::test(start_paused = true)]
async fn receivers_answer_as_told_and_keep_what_they_got() {
    let fakes = Fakes::new();
    let url = "https://receiver.example/a";
    fakes.receiver_answers(url, [answered(500), answered(204)]);
    let call = async || {
        let headers = [("webhook-id", "evt_1".to_owned())];
        let url = SourceUrl::new(url);
        fakes.call_receiver(&url, &headers, "{}").await
    };
    fakes.fail(Call::CallReceiver, Fault::Unavailable, 1);
    let slow = Fault::TimedOut(Duration::from_secs(15));
    fakes.fail(Call::CallReceiver, slow, 1);
    let unreachable = Outcome::NoAnswer(DeliveryFault::ConnectionFailed);
    assert_eq!(call().await, unreachable);
    assert_eq!(call().await, Outcome::NoAnswer(DeliveryFault::TimedOut));
    for status in [500, 204, 204] {
        assert_eq!(call().await, answered(status));
    }
    let calls = fakes.receiver_calls();
    assert_eq!(calls.len(), 3);
    assert_eq!((&*calls[0].url, &*calls[0].body), (url, "{}"));
    assert_eq!(calls[0].header("webhook-id"), Some("evt_1"));
    let other = SourceUrl::new("https://receiver.example/b");
    let untold = fakes.call_receiver(&other, &[], "{}").await;
    assert_eq!(untold, answered(200));
}
