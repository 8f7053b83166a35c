use super::*;
use domain::plan::Plan;
use domain::subscription::{Delivery, Subscription};
use testkit::{Call, Environment as _, Fakes, Fault, sample};

async fn swept(fakes: &Fakes, now: Timestamp) -> SweepReport {
    send(fakes, now, Instant::now() + Duration::from_secs(30)).await
}

/// A delivery to a new webhook.
fn added(fakes: &Fakes) -> (Subscription, Delivery) {
    let webhook = sample::subscription::webhook(fakes, &sample::account(fakes, Plan::Pro));
    let delivery = sample::subscription::delivery(fakes, &webhook, fakes.now());
    fakes.put_delivery(delivery.clone(), Some(delivery.first_due()));
    (webhook, delivery)
}

fn sent(deliveries: usize, failed: usize) -> SweepReport {
    SweepReport {
        deliveries,
        failed,
        ..SweepReport::default()
    }
}

#[tokio::test]
async fn a_lost_ticket_is_resent_with_exponential_backoff() {
    let fakes = Fakes::new();
    let (_, delivery) = added(&fakes);
    let mut due = delivery.first_due();
    for pause in [120, 240, 480] {
        let early = Timestamp(due.milliseconds() - 1);
        assert_eq!(swept(&fakes, early).await, sent(0, 0));
        assert_eq!(swept(&fakes, due).await, sent(1, 0));
        due = due.plus(Duration::from_secs(pause));
        assert_eq!(fakes.delivery_due(&delivery), Some(due));
    }
    let tickets = fakes.sent_deliveries();
    assert_eq!(tickets.len(), 3);
    let all = tickets.iter();
    assert!(
        all.map(|one| (&one.ticket, one.delay))
            .all(|one| one == (&delivery.ticket(), Duration::ZERO))
    );
}

#[tokio::test]
async fn every_shard_and_every_page_is_swept() {
    let fakes = Fakes::new();
    for _ in 0..100 {
        added(&fakes);
    }
    let (webhook, first) = added(&fakes);
    for _ in 0..250 {
        let delivery = sample::subscription::delivery(&fakes, &webhook, fakes.now());
        fakes.put_delivery(delivery.clone(), Some(delivery.first_due()));
    }
    assert_eq!(swept(&fakes, first.first_due()).await, sent(351, 0));
    assert_eq!(swept(&fakes, first.first_due()).await, sent(0, 0));
}

#[tokio::test]
async fn a_delivery_whose_ticket_is_rejected_stays_due_and_blocks_no_other() {
    let fakes = Fakes::new();
    let ((rejected, stays), (_, goes)) = (added(&fakes), added(&fakes));
    fakes.reject_tickets_of(&rejected.id);
    let due = stays.first_due();
    assert_eq!(swept(&fakes, due).await, sent(1, 1));
    assert_eq!(fakes.delivery_due(&stays), Some(due));
    assert!(fakes.delivery_due(&goes).is_some_and(|later| later > due));
}

#[tokio::test]
async fn a_failure_is_reported_and_the_delivery_is_sent_by_the_next_sweep() {
    for call in [
        Call::DueDeliveries,
        Call::SendDeliveries,
        Call::PostponeDelivery,
    ] {
        let fakes = Fakes::new();
        let (_, delivery) = added(&fakes);
        let due = delivery.first_due();
        let times = if call == Call::DueDeliveries { 16 } else { 1 };
        fakes.fail(call, Fault::Unavailable, times);
        assert_eq!(swept(&fakes, due).await, sent(0, times), "{call:?}");
        assert_eq!(swept(&fakes, due).await, sent(1, 0), "{call:?}");
    }
}

#[tokio::test]
async fn nothing_is_started_after_the_deadline() {
    let fakes = Fakes::new();
    let (_, delivery) = added(&fakes);
    assert_eq!(
        send(&fakes, delivery.first_due(), Instant::now()).await,
        sent(0, 0)
    );
    assert_eq!(fakes.sent_deliveries(), []);
}
