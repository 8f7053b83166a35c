//! Deliveries, their due times and their queue.

use std::collections::HashSet;
use std::time::Duration;

use domain::outbox::delivery_shard;
use domain::plan::Plan;
use domain::ports::DueDelivery;
use domain::subscription::{
    Delivery, DeliveryChange, DeliveryOutcome, DeliveryStatus, Lane, RESEND_AFTER, Subscription,
};
use domain::timestamp::Timestamp;

use crate::environment::{Environment, Ports};
use crate::sample;
use crate::sample::subscription::{delivery, webhook};

/// Deliveries are created once, changed conditionally, and found when they are due.
pub async fn deliveries<P: Ports, W: Environment>(ports: &P, env: &W) {
    an_event_is_delivered_once(ports, env).await;
    a_stale_change_writes_nothing(ports, env).await;
    a_redelivery_requested_during_an_attempt_stays_due(ports, env).await;
    a_pending_delivery_is_due(ports, env).await;
    a_stale_read_does_not_postpone_an_attempt(ports, env).await;
    a_finished_delivery_is_not_postponed(ports, env).await;
    pages_omit_and_repeat_nothing(ports, env).await;
    tickets_are_accepted(ports, env).await;
}

/// A webhook that is not stored, so that the function drops its tickets.
fn receiver(env: &impl Environment) -> Subscription {
    webhook(env, &sample::account(env, Plan::Pro))
}

async fn added<P: Ports>(ports: &P, delivery: &Delivery) {
    let added = ports.add_deliveries(vec![delivery.clone()]).await.unwrap();
    assert_eq!(added, std::slice::from_ref(delivery));
}

async fn stored<P: Ports>(ports: &P, one: &Delivery) -> Option<Delivery> {
    let found = ports.delivery(&one.subscription_id, &one.id);
    found.await.unwrap()
}

/// The due rows of a delivery at `now`.
async fn due<P: Ports>(ports: &P, one: &Delivery, now: Timestamp) -> Vec<DueDelivery> {
    let shard = delivery_shard(&one.subscription_id);
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = ports.due_deliveries(shard, now, after.as_ref(), 100);
        let page = page.await.unwrap();
        let own = page.deliveries.into_iter();
        found.extend(own.filter(|due| due.ticket.delivery_id == one.id));
        match page.next {
            Some(next) => after = Some(next),
            None => return found,
        }
    }
}

async fn applied<P: Ports>(ports: &P, change: &DeliveryChange) -> Delivery {
    assert!(ports.apply_delivery(change).await.unwrap(), "stale");
    change.delivery.clone()
}

fn responded(status: u16) -> DeliveryOutcome {
    DeliveryOutcome::Responded {
        status,
        retry_after: None,
    }
}

async fn an_event_is_delivered_once<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (one, now) = (receiver(env), env.now());
    let many: Vec<_> = (0..60).map(|_| delivery(env, &one, now)).collect();
    let known = many[..20].to_vec();
    assert_eq!(ports.add_deliveries(known.clone()).await.unwrap(), known);
    let claimed = applied(ports, &many[0].claim(now).unwrap()).await;
    let new = ports.add_deliveries(many.clone()).await.unwrap();
    assert_eq!(new, many[20..]);
    assert_eq!(ports.add_deliveries(many.clone()).await.unwrap(), []);
    assert_eq!(stored(ports, &many[0]).await, Some(claimed));
    assert_eq!(stored(ports, &many[59]).await, Some(many[59].clone()));
    assert_eq!(ports.add_deliveries(Vec::new()).await.unwrap(), []);
}

async fn a_stale_change_writes_nothing<P: Ports, W: Environment>(ports: &P, env: &W) {
    let now = env.now();
    let one = delivery(env, &receiver(env), now);
    let claim = one.claim(now).unwrap();
    assert!(
        !ports.apply_delivery(&claim).await.unwrap(),
        "created by the change"
    );
    assert_eq!(stored(ports, &one).await, None);
    added(ports, &one).await;
    let held = applied(ports, &claim).await;
    assert!(!ports.apply_delivery(&claim).await.unwrap());
    let skip = one.skip(now).unwrap();
    assert!(!ports.apply_delivery(&skip).await.unwrap());
    assert_eq!(stored(ports, &one).await, Some(held.clone()));
    let ended = applied(ports, &held.finish(responded(200), now, 0.5)).await;
    assert_eq!(ended.status, DeliveryStatus::Delivered);
    let late = held.finish(responded(500), now, 0.5);
    assert!(!ports.apply_delivery(&late).await.unwrap());
    assert_eq!(stored(ports, &one).await, Some(ended));
}

/// The owner requests a redelivery during an attempt: the outcome of that attempt is discarded.
async fn a_redelivery_requested_during_an_attempt_stays_due<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let now = env.now();
    let one = delivery(env, &receiver(env), now);
    added(ports, &one).await;
    let held = applied(ports, &one.claim(now).unwrap()).await;
    let expires = now.plus(Duration::from_secs(3_600));
    let again = held.resend(now, expires);
    let is_due = applied(ports, &again).await;
    assert!(!ports.apply_delivery(&again).await.unwrap());
    for status in [200, 410, 500] {
        let late = held.finish(responded(status), now, 0.5);
        assert!(!ports.apply_delivery(&late).await.unwrap(), "{status}");
    }
    assert_eq!(stored(ports, &one).await, Some(is_due.clone()));
    let found = due(ports, &one, again.due.unwrap()).await;
    assert_eq!(found.len(), 1);
    let tried = applied(ports, &is_due.claim(now).unwrap()).await;
    assert_eq!((tried.round, tried.attempts), (1, 2));
}

async fn a_pending_delivery_is_due<P: Ports, W: Environment>(ports: &P, env: &W) {
    let now = env.now();
    let one = delivery(env, &receiver(env), now);
    added(ports, &one).await;
    let found = |sent, due| {
        vec![DueDelivery {
            ticket: one.ticket(),
            sent,
            due,
        }]
    };
    let early = Timestamp(one.first_due().milliseconds() - 1);
    assert_eq!(due(ports, &one, early).await, []);
    let new = found(0, one.first_due());
    assert_eq!(due(ports, &one, one.first_due()).await, new);
    let later = now.plus(Duration::from_secs(3_600));
    ports.postpone_delivery(&new[0], later).await.unwrap();
    assert_eq!(due(ports, &one, one.first_due()).await, []);
    assert_eq!(due(ports, &one, later).await, found(1, later));
    let held = applied(ports, &one.claim(now).unwrap()).await;
    let lease = held.lease_until.unwrap();
    let reset = found(0, lease);
    assert_eq!(
        due(ports, &one, lease).await,
        reset,
        "a change resets `sent`"
    );
    let is_due = held.finish(responded(500), now, 0.5);
    let again = is_due.due.unwrap();
    applied(ports, &is_due).await;
    let early = Timestamp(again.milliseconds() - 1);
    assert_eq!(due(ports, &one, early).await, []);
    assert_eq!(due(ports, &one, again).await, found(0, again));
}

/// A `sweep` with a stale read postpones nothing.
async fn a_stale_read_does_not_postpone_an_attempt<P: Ports, W: Environment>(ports: &P, env: &W) {
    let now = env.now();
    let one = delivery(env, &receiver(env), now);
    added(ports, &one).await;
    let seen = due(ports, &one, one.first_due()).await.remove(0);
    let claim = one.claim(one.first_due()).unwrap();
    let lease = claim.due.unwrap();
    applied(ports, &claim).await;
    let far = now.plus(Duration::from_secs(86_400));
    ports.postpone_delivery(&seen, far).await.unwrap();
    let held = due(ports, &one, lease).await.remove(0);
    assert_eq!((held.due, held.sent), (lease, 0));
    let later = now.plus(Duration::from_secs(3_600));
    ports.postpone_delivery(&held, later).await.unwrap();
    ports.postpone_delivery(&held, far).await.unwrap();
    let put_off = due(ports, &one, later).await.remove(0);
    assert_eq!((put_off.due, put_off.sent), (later, 1));
}

async fn a_finished_delivery_is_not_postponed<P: Ports, W: Environment>(ports: &P, env: &W) {
    let now = env.now();
    let one = delivery(env, &receiver(env), now);
    let seen = DueDelivery {
        ticket: one.ticket(),
        sent: 0,
        due: one.first_due(),
    };
    ports.postpone_delivery(&seen, now).await.unwrap();
    assert_eq!(stored(ports, &one).await, None, "created by the update");
    added(ports, &one).await;
    let ended = applied(ports, &one.skip(now).unwrap()).await;
    ports.postpone_delivery(&seen, now).await.unwrap();
    let far = now.plus(RESEND_AFTER * 1_000);
    assert_eq!(due(ports, &one, far).await, []);
    assert_eq!(stored(ports, &one).await, Some(ended.clone()));
    let expires = now.plus(Duration::from_secs(3_600));
    let again = applied(ports, &ended.resend(now, expires)).await;
    assert_eq!(due(ports, &one, far).await.len(), 1);
    assert_eq!(stored(ports, &one).await, Some(again));
}

async fn pages_omit_and_repeat_nothing<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (one, other) = (receiver(env), receiver(env));
    let now = env.now();
    let at = |number| now.plus(Duration::from_secs(number));
    let all: Vec<_> = (0..5).map(|n| delivery(env, &one, at(n))).collect();
    ports.add_deliveries(all.clone()).await.unwrap();
    added(ports, &delivery(env, &other, now)).await;
    let newest_first: Vec<_> = all.iter().rev().cloned().collect();
    let (mut seen, mut before) = (Vec::new(), None);
    loop {
        let page = ports.deliveries(&one.id, before.as_ref(), 2).await.unwrap();
        assert!(page.deliveries.len() <= 2);
        seen.extend(page.deliveries);
        match page.next {
            Some(next) => before = Some(next),
            None => break,
        }
    }
    assert_eq!(seen, newest_first);
    let whole = ports.deliveries(&one.id, None, 5).await.unwrap();
    assert_eq!(whole.deliveries, newest_first);
    assert_eq!(whole.next, None, "the last page, though full");
}

async fn tickets_are_accepted<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (one, now) = (receiver(env), env.now());
    let tickets: Vec<_> = (0..23).map(|_| delivery(env, &one, now).ticket()).collect();
    for delay in [Duration::ZERO, Duration::from_secs(900)] {
        let taken = ports.send_deliveries(&tickets, delay).await.unwrap();
        assert_eq!(taken, tickets);
    }
    let lanes = tickets.into_iter().enumerate();
    let lanes = lanes.map(|(number, ticket)| ticket.in_lane(Lane::ALL[number % 2]));
    let mixed: HashSet<_> = lanes.collect();
    let sent: Vec<_> = mixed.iter().cloned().collect();
    let taken = ports.send_deliveries(&sent, Duration::ZERO).await.unwrap();
    assert_eq!(taken.len(), sent.len());
    assert_eq!(HashSet::from_iter(taken), mixed);
    let none = ports.send_deliveries(&[], Duration::ZERO).await.unwrap();
    assert_eq!(none, []);
}
