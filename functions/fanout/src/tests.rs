//! Which subscriptions receive an event, with in-memory ports.

use std::collections::BTreeSet;
use std::time::Duration;

use contract::event::{event_sample, trigger_detail_sample, trigger_sample, webhook_payload};
use domain::account::Account;
use domain::event::{Event, EventType};
use domain::plan::Plan;
use domain::ports::{Accounts as _, PortError};
use domain::subscription::{
    Delivery, Lane, Subscription, SubscriptionStatus, Trigger, delivery_retention,
};
use serde_json::{Value, json};
use testkit::{Call, Environment as _, Fakes, Fault, logs, sample};
use tracing::Level;

async fn account(fakes: &Fakes, plan: Plan) -> Account {
    let account = sample::account(fakes, plan);
    fakes.create_account(&account).await.unwrap();
    account
}

fn webhook(fakes: &Fakes, account: &Account, events: &[&str]) -> Subscription {
    let webhook = Subscription {
        events: events.iter().map(|name| name.parse().unwrap()).collect(),
        ..sample::subscription::webhook(fakes, account)
    };
    fakes.put_subscription(webhook.clone());
    webhook
}

fn hook(fakes: &Fakes, account: &Account, trigger: Trigger) -> Subscription {
    let hook = sample::subscription::hook(fakes, account, trigger);
    fakes.put_subscription(hook.clone());
    hook
}

fn wrapped(source: &str, detail_type: &str, detail: &Value) -> Value {
    json!({"version": "0", "id": "bus", "source": source, "detail-type": detail_type, "detail": detail})
}

fn event_of(account: &Account, event_type: EventType) -> (Event, String) {
    let event = Event {
        account_id: account.id.clone(),
        ..event_sample(event_type)
    };
    let message = wrapped("octavo", event_type.name(), &json!(event));
    (event, message.to_string())
}

fn trigger_of(account: &Account, trigger: Trigger) -> String {
    let mut detail = trigger_detail_sample(trigger);
    detail["accountId"] = json!(account.id);
    wrapped("octavo.app", trigger.name(), &detail).to_string()
}

async fn fan_out(fakes: &Fakes, message: &str) -> Result<(), PortError> {
    crate::fan_out(fakes, message, fakes.now(), delivery_retention(30)).await
}

/// Processes a message and its continuations; returns the number of messages.
async fn fan_out_all(fakes: &Fakes, message: &str) -> usize {
    let mut next = Some(message.to_owned());
    let mut messages = 0;
    while let Some(message) = next {
        let before = fakes.continuations().len();
        fan_out(fakes, &message).await.unwrap();
        messages += 1;
        next = fakes
            .continuations()
            .get(before)
            .map(|one| one.message.clone());
    }
    messages
}

/// The subscriptions that have a delivery.
fn delivered_to(fakes: &Fakes) -> BTreeSet<String> {
    let deliveries = fakes.all_deliveries();
    let receivers: BTreeSet<_> = deliveries
        .iter()
        .map(|one| one.subscription_id.to_string())
        .collect();
    assert_eq!(
        receivers.len(),
        deliveries.len(),
        "more than one delivery of an event"
    );
    receivers
}

fn names<'a>(subscriptions: impl IntoIterator<Item = &'a Subscription>) -> BTreeSet<String> {
    subscriptions
        .into_iter()
        .map(|one| one.id.to_string())
        .collect()
}

#[tokio::test]
async fn a_redelivered_event_creates_one_delivery_per_subscription() {
    let fakes = Fakes::new();
    let account = account(&fakes, Plan::Free).await;
    let webhook = webhook(&fakes, &account, &["*"]);
    let (event, message) = event_of(&account, EventType::JobCompleted);
    for _ in 0..2 {
        fan_out(&fakes, &message).await.unwrap();
    }
    let now = fakes.now();
    let expires = now.plus(Duration::from_secs(37 * 24 * 3_600));
    let expected = Delivery::new(&webhook, webhook_payload(&event), now, expires);
    assert_eq!(fakes.all_deliveries(), std::slice::from_ref(&expected));
    let sent: Vec<_> = fakes
        .sent_deliveries()
        .into_iter()
        .map(|one| (one.ticket, one.delay))
        .collect();
    assert_eq!(sent, [(expected.ticket(), Duration::ZERO)]);
}

#[tokio::test]
async fn the_numbers_of_matching_subscriptions_and_new_deliveries_are_logged() {
    let fakes = Fakes::new();
    let account = account(&fakes, Plan::Free).await;
    hook(&fakes, &account, Trigger::QrScanned);
    let message = trigger_of(&account, Trigger::QrScanned);
    let mut logged = Vec::new();
    for _ in 0..2 {
        let (done, lines) = logs::of(Level::INFO, fan_out(&fakes, &message)).await;
        done.unwrap();
        let line = lines.iter().find(|line| line["matching"].is_u64());
        logged.push((
            line.unwrap()["matching"].clone(),
            line.unwrap()["new"].clone(),
        ));
        hook(&fakes, &account, Trigger::QrScanned);
    }
    assert_eq!(logged, [(json!(1), json!(1)), (json!(2), json!(1))]);
}

#[tokio::test]
async fn only_active_matching_subscriptions_receive_an_event() {
    let fakes = Fakes::new();
    let (own, other) = (
        account(&fakes, Plan::Free).await,
        account(&fakes, Plan::Free).await,
    );
    let all = webhook(&fakes, &own, &["*"]);
    let group = webhook(&fakes, &own, &["document.*", "job.*"]);
    let one = webhook(&fakes, &own, &["job.completed"]);
    let two = webhook(&fakes, &own, &["job.failed"]);
    webhook(&fakes, &own, &["document.*"]);
    webhook(&fakes, &other, &["*"]);
    hook(&fakes, &own, Trigger::QrScanned);
    let mut disabled = webhook(&fakes, &own, &["*"]);
    disabled.status = SubscriptionStatus::Disabled;
    fakes.put_subscription(disabled);
    fan_out(&fakes, &event_of(&own, EventType::JobCompleted).1)
        .await
        .unwrap();
    assert_eq!(delivered_to(&fakes), names([&all, &group, &one]));
    fan_out(&fakes, &event_of(&own, EventType::JobFailed).1)
        .await
        .unwrap();
    let failed = fakes.all_deliveries().into_iter();
    let failed = failed.filter(|delivery| delivery.payload.event == "job.failed");
    let failed: BTreeSet<_> = failed.map(|one| one.subscription_id.to_string()).collect();
    assert_eq!(failed, names([&all, &group, &two]));
    assert_eq!(fakes.rejected(), [""; 0]);
}

#[tokio::test]
async fn a_trigger_reaches_its_hooks_while_the_plan_includes_it() {
    let fakes = Fakes::new();
    let (pro, free) = (
        account(&fakes, Plan::Pro).await,
        account(&fakes, Plan::Free).await,
    );
    let included = hook(&fakes, &pro, Trigger::OcrCompleted);
    hook(&fakes, &pro, Trigger::QrScanned);
    webhook(&fakes, &pro, &["*"]);
    // Created on a larger plan, before a downgrade.
    hook(&fakes, &free, Trigger::OcrCompleted);
    for account in [&pro, &free] {
        fan_out(&fakes, &trigger_of(account, Trigger::OcrCompleted))
            .await
            .unwrap();
    }
    assert_eq!(delivered_to(&fakes), names([&included]));
    let delivery = fakes.all_deliveries().remove(0);
    let mut body = trigger_sample(Trigger::OcrCompleted);
    body["id"] = json!(delivery.payload.event_id);
    let sent: Value = serde_json::from_str(&delivery.payload.body).unwrap();
    assert_eq!((sent, fakes.rejected()), (body, vec![]));
}

#[tokio::test]
async fn many_subscriptions_are_processed_in_pages_and_none_twice() {
    let fakes = Fakes::new();
    let account = account(&fakes, Plan::Business).await;
    let all: Vec<_> = (0..1_200)
        .map(|_| webhook(&fakes, &account, &["*"]))
        .collect();
    let (_, message) = event_of(&account, EventType::DocumentDeleted);
    assert_eq!(fan_out_all(&fakes, &message).await, 3);
    assert_eq!(delivered_to(&fakes), names(&all));
    let sent = fakes.sent_deliveries();
    let sent: BTreeSet<_> = sent
        .iter()
        .map(|one| one.ticket.subscription_id.to_string())
        .collect();
    assert_eq!((sent, fakes.sent_deliveries().len()), (names(&all), 1_200));
    let groups = fakes.continuations();
    assert!(groups.iter().all(|one| one.group == account.id.as_str()));
    // Redelivery of any of the messages changes nothing.
    let rest = fakes.continuations().remove(0).message;
    fan_out_all(&fakes, &rest).await;
    fan_out_all(&fakes, &message).await;
    assert_eq!(
        (delivered_to(&fakes).len(), fakes.sent_deliveries().len()),
        (1_200, 1_200)
    );
}

#[tokio::test]
async fn an_unreadable_subscription_is_reported_and_hides_no_other() {
    let fakes = Fakes::new();
    let account = account(&fakes, Plan::Free).await;
    let all = [0; 3].map(|_| webhook(&fakes, &account, &["*"]));
    fakes.make_unreadable(&all[1]);
    let (_, message) = event_of(&account, EventType::JobCompleted);
    let (done, lines) = logs::of(Level::INFO, fan_out(&fakes, &message)).await;
    done.unwrap();
    assert_eq!(delivered_to(&fakes), names([&all[0], &all[2]]));
    let rows = lines.iter().find(|line| line["level"] == "ERROR").unwrap();
    assert_eq!(
        (&rows["rows"], &rows["first"]),
        (&json!(1), &json!(all[1].id))
    );
    let metric = |line: &Value| line["SubscriptionRowsUnreadable"].as_u64();
    assert_eq!(lines.iter().find_map(metric), Some(1));
}

#[tokio::test]
async fn tickets_of_slow_receivers_go_to_the_slow_queue() {
    let fakes = Fakes::new();
    let account = account(&fakes, Plan::Business).await;
    // More than one batch, every third receiver slow.
    let all: Vec<_> = (0..250)
        .map(|_| webhook(&fakes, &account, &["*"]))
        .collect();
    let slow: Vec<_> = all.iter().step_by(3).cloned().collect();
    let now = fakes.now();
    for one in &slow {
        fakes.put_subscription(Subscription {
            slow_until: Some(now.plus(Duration::from_secs(600))),
            ..one.clone()
        });
    }
    // A receiver whose slow mark has expired.
    fakes.put_subscription(Subscription {
        slow_until: Some(now),
        ..all[1].clone()
    });
    let (_, message) = event_of(&account, EventType::JobCompleted);
    crate::fan_out(&fakes, &message, now, delivery_retention(30))
        .await
        .unwrap();
    let sent = fakes.sent_deliveries();
    let in_slow = sent.iter().filter(|one| one.ticket.lane == Lane::Slow);
    let in_slow: BTreeSet<_> = in_slow
        .map(|one| one.ticket.subscription_id.to_string())
        .collect();
    assert_eq!((in_slow, sent.len()), (names(&slow), all.len()));
}

#[tokio::test]
async fn after_a_crash_and_a_redelivery_every_subscription_has_one_delivery() {
    let calls = [
        Call::ReadSubscriptions,
        Call::AddDeliveries,
        Call::SendDeliveries,
        Call::ContinueFanOut,
    ];
    for call in calls {
        for fault in [Fault::Unavailable, Fault::ResponseLost] {
            // The sixth batch is the first of the second page.
            for passing in 0..7 {
                let fakes = Fakes::new();
                let account = account(&fakes, Plan::Business).await;
                let all: Vec<_> = (0..620)
                    .map(|_| webhook(&fakes, &account, &["*"]))
                    .collect();
                let (_, message) = event_of(&account, EventType::JobCompleted);
                fakes.succeed_next(call, passing);
                fakes.fail(call, fault, 1);
                let mut queue = vec![message];
                while let Some(message) = queue.pop() {
                    let before = fakes.continuations().len();
                    let again = fan_out(&fakes, &message).await.is_err();
                    let more = fakes.continuations().split_off(before);
                    queue.extend(more.into_iter().map(|one| one.message));
                    queue.extend(again.then_some(message));
                }
                assert_eq!(
                    delivered_to(&fakes),
                    names(&all),
                    "{call:?} {fault:?} {passing}"
                );
                let due = fakes.all_deliveries();
                assert!(due.iter().all(|one| fakes.delivery_due(one).is_some()));
            }
        }
    }
}

#[tokio::test]
async fn an_invalid_event_is_rejected_with_its_reason_and_blocks_no_other() {
    let fakes = Fakes::new();
    let known = account(&fakes, Plan::Free).await;
    let webhook = webhook(&fakes, &known, &["*"]);
    let (event, good) = event_of(&known, EventType::JobCompleted);
    let (event, stranger) = (json!(event), sample::account(&fakes, Plan::Free));
    let with = |member: &str, value: Value| {
        let mut message: Value = serde_json::from_str(&good).unwrap();
        message[member] = value;
        message
    };
    let trial = event_of(&known, EventType::WebhookTest).1;
    let mut app: Value = serde_json::from_str(&trigger_of(&known, Trigger::QrScanned)).unwrap();
    app["detail"]["data"] = json!({"text": 5});
    let mut large = app.clone();
    large["detail"]["data"] = json!({"text": "x".repeat(300_000)});
    let unknown = trigger_of(&stranger, Trigger::QrScanned);
    for (message, named) in [
        (json!({"detail": {}}), "source"),
        (with("source", json!("aws.s3")), "aws.s3"),
        (with("detail-type", json!(7)), "detail-type"),
        (with("detail-type", json!("job.failed")), "job.completed"),
        (
            with("continuation", json!({"after": "hook_x"})),
            "continuation",
        ),
        (serde_json::from_str(&trial).unwrap(), "webhook.test"),
        (app, "$.data.text"),
        (large, "300"),
        (
            wrapped("octavo.app", "scan.deleted", &event),
            "scan.deleted",
        ),
        (
            serde_json::from_str(&unknown).unwrap(),
            stranger.id.as_str(),
        ),
    ] {
        let before = fakes.rejected().len();
        fan_out(&fakes, &message.to_string()).await.unwrap();
        let rejected: Value = serde_json::from_str(&fakes.rejected()[before]).unwrap();
        assert!(
            rejected["reason"].as_str().unwrap().contains(named),
            "{rejected}"
        );
        assert_eq!(
            rejected,
            json!({"reason": rejected["reason"], "event": message})
        );
        // Redriven unchanged, it is rejected again in the same form.
        fan_out(&fakes, &rejected.to_string()).await.unwrap();
        assert_eq!(fakes.rejected()[before], fakes.rejected()[before + 1]);
    }
    fan_out(&fakes, "good morning").await.unwrap();
    let rejected: Value = serde_json::from_str(fakes.rejected().last().unwrap()).unwrap();
    assert_eq!(rejected["event"], "good morning");
    assert_eq!(delivered_to(&fakes), BTreeSet::new());
    // An event that an older release rejected is delivered after a redrive.
    let message: Value = serde_json::from_str(&good).unwrap();
    let again = json!({"reason": "not known then", "event": message});
    fan_out(&fakes, &again.to_string()).await.unwrap();
    assert_eq!(delivered_to(&fakes), names([&webhook]));
}

#[tokio::test]
async fn an_event_of_a_newer_release_stays_in_its_queue_and_unknown_members_are_accepted() {
    let fakes = Fakes::new();
    let account = account(&fakes, Plan::Free).await;
    let webhook = webhook(&fakes, &account, &["*"]);
    let message = |event_type, change: fn(&mut Value)| {
        let message = event_of(&account, event_type).1;
        let mut message: Value = serde_json::from_str(&message).unwrap();
        change(&mut message);
        message.to_string()
    };
    for newer in [
        message(EventType::JobCompleted, |it| {
            it["detail-type"] = json!("job.archived");
            it["detail"]["type"] = json!("job.archived");
        }),
        message(EventType::JobCompleted, |it| {
            it["detail"]["data"]["status"] = json!("archived");
        }),
    ] {
        assert!(fan_out(&fakes, &newer).await.is_err());
        assert_eq!(
            (delivered_to(&fakes), fakes.rejected()),
            (BTreeSet::new(), vec![])
        );
    }
    let more = message(EventType::DocumentDeleted, |it| {
        it["detail"]["data"]["pages"] = json!(3);
        it["detail"]["region"] = json!("eu");
    });
    fan_out(&fakes, &more).await.unwrap();
    assert_eq!(
        (delivered_to(&fakes), fakes.rejected()),
        (names([&webhook]), vec![])
    );
}

#[tokio::test]
async fn a_message_that_cannot_be_rejected_stays_in_its_queue() {
    let fakes = Fakes::new();
    fakes.fail(Call::Reject, Fault::Unavailable, 1);
    assert!(fan_out(&fakes, "good morning").await.is_err());
    fan_out(&fakes, "good morning").await.unwrap();
    assert_eq!(fakes.rejected().len(), 1);
}

#[tokio::test]
async fn a_trigger_whose_plan_cannot_be_read_stays_in_its_queue() {
    let fakes = Fakes::new();
    let account = account(&fakes, Plan::Free).await;
    let hook = hook(&fakes, &account, Trigger::QrScanned);
    let message = trigger_of(&account, Trigger::QrScanned);
    fakes.fail(Call::Plan, Fault::Contended, 1);
    assert!(fan_out(&fakes, &message).await.is_err());
    assert_eq!(
        (delivered_to(&fakes), fakes.rejected()),
        (BTreeSet::new(), vec![])
    );
    fan_out(&fakes, &message).await.unwrap();
    assert_eq!(delivered_to(&fakes), names([&hook]));
}

#[tokio::test]
async fn rejected_tickets_are_left_to_sweep() {
    let fakes = Fakes::new();
    let account = account(&fakes, Plan::Free).await;
    let (one, other) = (
        webhook(&fakes, &account, &["*"]),
        webhook(&fakes, &account, &["*"]),
    );
    fakes.reject_tickets_of(&one.id);
    fan_out(&fakes, &event_of(&account, EventType::JobCreated).1)
        .await
        .unwrap();
    let sent: Vec<_> = fakes
        .sent_deliveries()
        .into_iter()
        .map(|one| one.ticket.subscription_id)
        .collect();
    assert_eq!(sent, [other.id]);
    let due = fakes.all_deliveries();
    assert_eq!(
        due.iter()
            .filter(|one| fakes.delivery_due(one).is_some())
            .count(),
        2
    );
}
