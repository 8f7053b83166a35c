//! The fakes record sent tickets, rejected messages and requests to receivers.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::Duration;

use domain::plan::Plan;
use domain::ports::{CallReceivers, Queues};
use domain::source::SourceUrl;
use domain::subscription::{DeliveryFailure, DeliveryOutcome};
use testkit::sample::subscription::{delivery, webhook};
use testkit::{Call, Environment, Fakes, Fault, sample};

#[tokio::test]
async fn rejected_tickets_are_reported_and_not_sent() {
    let fakes = Fakes::new();
    let account = sample::account(&fakes, Plan::Pro);
    let now = fakes.now();
    let [good, bad] = [webhook(&fakes, &account), webhook(&fakes, &account)];
    let tickets = [&good, &bad].map(|one| delivery(&fakes, one, now).ticket());
    fakes.reject_tickets_of(&bad.id);
    let delay = Duration::from_secs(5);
    let taken = fakes.send_deliveries(&tickets, delay).await.unwrap();
    assert_eq!(taken, tickets[..1]);
    let sent = fakes.sent_deliveries();
    assert_eq!(sent.len(), 1);
    assert_eq!((&sent[0].ticket, sent[0].delay), (&tickets[0], delay));
}

#[tokio::test]
async fn continuations_and_rejected_messages_are_recorded_separately() {
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

fn responded(status: u16) -> DeliveryOutcome {
    DeliveryOutcome::Responded {
        status,
        retry_after: None,
    }
}

#[tokio::test(start_paused = true)]
async fn receivers_respond_as_scripted_and_record_their_requests() {
    let fakes = Fakes::new();
    let url = "https://receiver.example/a";
    fakes.set_receiver_outcomes(url, [responded(500), responded(204)]);
    let call = async || {
        let headers = [("webhook-id", "evt_1".to_owned())];
        let url = SourceUrl::new(url);
        fakes.call_receiver(&url, &headers, "{}").await
    };
    fakes.fail(Call::CallReceiver, Fault::Unavailable, 1);
    let slow = Fault::TimedOut(Duration::from_secs(15));
    fakes.fail(Call::CallReceiver, slow, 1);
    let unreachable = DeliveryOutcome::NoResponse(DeliveryFailure::ConnectionFailed);
    assert_eq!(call().await, unreachable);
    assert_eq!(
        call().await,
        DeliveryOutcome::NoResponse(DeliveryFailure::TimedOut)
    );
    for status in [500, 204, 204] {
        assert_eq!(call().await, responded(status));
    }
    let calls = fakes.receiver_calls();
    assert_eq!(calls.len(), 3);
    assert_eq!((&*calls[0].url, &*calls[0].body), (url, "{}"));
    assert_eq!(calls[0].header("webhook-id"), Some("evt_1"));
    let other = SourceUrl::new("https://receiver.example/b");
    let default_outcome = fakes.call_receiver(&other, &[], "{}").await;
    assert_eq!(default_outcome, responded(200));
}
