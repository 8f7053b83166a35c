//! Webhooks and automation hooks.

use std::time::Duration;

use domain::account::Account;
use domain::plan::Plan;
use domain::ports::{Subscribed, SubscriptionRequest};
use domain::subscription::{
    DisabledReason, FailedAttempt, LastDelivery, SealedSecret, SlowMark, Subscription,
    SubscriptionId, SubscriptionKind, SubscriptionStatus, Trigger,
};
use domain::timestamp::Timestamp;
use futures::future::join_all;

use super::customer;
use crate::sample;
use crate::sample::subscription::{hook, sealed, webhook};
use crate::world::{Ports, World};

/// Room for as many as a test needs.
const ROOM: u32 = 1_000;

/// Who subscribes, with which secrets, and how their receivers do.
pub async fn subscriptions<P: Ports, W: World>(ports: &P, world: &W) {
    as_many_subscribe_as_there_is_room_for(ports, world).await;
    what_is_disabled_makes_room_once(ports, world).await;
    a_request_subscribes_once(ports, world).await;
    a_subscription_is_seen_by_its_owner_alone(ports, world).await;
    pages_lose_and_repeat_nothing(ports, world).await;
    a_secret_opens_for_its_subscription_alone(ports, world).await;
    secrets_are_replaced_from_their_revision_alone(ports, world).await;
    notes_are_kept(ports, world).await;
    a_success_ends_a_row_of_failures_whatever_is_noted_first(ports, world).await;
    a_slow_receiver_is_marked_when_too_little_is_left_of_its_mark(ports, world).await;
    nothing_brings_back_what_is_gone(ports, world).await;
    a_plan_is_that_of_the_account(ports, world).await;
}

async fn subscribed<P: Ports>(ports: &P, one: &Subscription) {
    let subscribed = ports.subscribe(one, ROOM, None).await.unwrap();
    assert_eq!(subscribed, Subscribed::New);
}

async fn stored<P: Ports>(ports: &P, one: &Subscription) -> Option<Subscription> {
    let found = ports.subscription(&one.account_id, &one.id);
    found.await.unwrap()
}

async fn as_many_subscribe_as_there_is_room_for<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let all: Vec<_> = (0..8)
        .map(|number| match number % 2 {
            0 => webhook(world, &account),
            _ => hook(world, &account, Trigger::QrScanned),
        })
        .collect();
    let answers = join_all(all.iter().map(|one| ports.subscribe(one, 3, None))).await;
    let (mut new, mut refused) = (Vec::new(), 0);
    for (one, answer) in all.iter().zip(answers) {
        match answer.unwrap() {
            Subscribed::New => new.push(one),
            Subscribed::LimitReached => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((new.len(), refused), (3, 5));
    let (owner, first, now) = (&account.id, &new[0].id, world.now());
    assert!(ports.unsubscribe(owner, first, now).await.unwrap());
    assert!(!ports.unsubscribe(owner, first, now).await.unwrap());
    let after = [webhook(world, &account), webhook(world, &account)];
    let room = ports.subscribe(&after[0], 3, None).await.unwrap();
    let none = ports.subscribe(&after[1], 3, None).await.unwrap();
    assert_eq!((room, none), (Subscribed::New, Subscribed::LimitReached));
    assert_eq!(stored(ports, new[0]).await, None);
}

/// Each of them once, however often and in whichever way it ends.
async fn what_is_disabled_makes_room_once<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let (owner, now, reason) = (&account.id, world.now(), DisabledReason::Gone);
    let held = [
        webhook(world, &account),
        hook(world, &account, Trigger::QrScanned),
    ];
    for one in &held {
        let subscribed = ports.subscribe(one, 2, None).await.unwrap();
        assert_eq!(subscribed, Subscribed::New);
    }
    for one in &held {
        let (first, second) = futures::join!(
            ports.disable(owner, &one.id, reason, None),
            ports.disable(owner, &one.id, reason, None)
        );
        assert_eq!(u8::from(first.unwrap()) + u8::from(second.unwrap()), 1);
        let room = ports.subscribe(&webhook(world, &account), 2, None).await;
        assert_eq!(room.unwrap(), Subscribed::New);
        assert!(ports.unsubscribe(owner, &one.id, now).await.unwrap());
        assert!(!ports.unsubscribe(owner, &one.id, now).await.unwrap());
        assert_eq!(stored(ports, one).await, None);
        let none = ports.subscribe(&webhook(world, &account), 2, None).await;
        assert_eq!(none.unwrap(), Subscribed::LimitReached);
    }
}

async fn a_request_subscribes_once<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let request = |body: &str| SubscriptionRequest {
        fingerprint: format!("subscribe {}", account.id),
        body_hash: body.to_owned(),
        expires_at: world.now().plus(Duration::from_secs(3_600)),
    };
    let one = webhook(world, &account);
    let asked = request("body");
    let subscribe = async |one: &Subscription, asked: &SubscriptionRequest| {
        ports.subscribe(one, 1, Some(asked)).await.unwrap()
    };
    assert_eq!(subscribe(&one, &asked).await, Subscribed::New);
    // The answer to the first call was lost.
    assert_eq!(subscribe(&one, &asked).await, Subscribed::New);
    let mut again = webhook(world, &account);
    // Even when there is no room.
    let replayed = Subscribed::Replayed(Some(Box::new(one.clone())));
    assert_eq!(subscribe(&again, &asked).await, replayed);
    assert_eq!(stored(ports, &again).await, None);
    let reused = subscribe(&again, &request("other")).await;
    assert_eq!(reused, Subscribed::KeyReused);
    let now = world.now();
    assert!(ports.unsubscribe(&account.id, &one.id, now).await.unwrap());
    let gone = subscribe(&again, &asked).await;
    assert_eq!(gone, Subscribed::Replayed(None));
    again.created_at = asked.expires_at;
    let mut later = request("other");
    later.expires_at = asked.expires_at.plus(Duration::from_secs(3_600));
    assert_eq!(subscribe(&again, &later).await, Subscribed::New);
}

async fn a_subscription_is_seen_by_its_owner_alone<P: Ports, W: World>(ports: &P, world: &W) {
    let owner = customer(ports, world, Plan::Pro).await;
    let stranger = customer(ports, world, Plan::Pro).await;
    let one = webhook(world, &owner);
    subscribed(ports, &one).await;
    assert_eq!(stored(ports, &one).await, Some(one.clone()));
    let seen = ports.subscription(&stranger.id, &one.id).await.unwrap();
    assert_eq!(seen, None);
    let ended = ports.unsubscribe(&stranger.id, &one.id, world.now()).await;
    assert!(!ended.unwrap());
    assert_eq!(stored(ports, &one).await, Some(one));
}

async fn listed<P: Ports>(
    ports: &P,
    account: &Account,
    kind: SubscriptionKind,
) -> Vec<SubscriptionId> {
    let (mut ids, mut after) = (Vec::new(), None);
    loop {
        let page = ports.subscriptions(&account.id, kind, after.as_ref(), 2);
        let page = page.await.unwrap();
        assert!(page.subscriptions.len() <= 2);
        ids.extend(page.subscriptions.into_iter().map(|one| one.id));
        match page.next {
            Some(next) => after = Some(next),
            None => return ids,
        }
    }
}

async fn pages_lose_and_repeat_nothing<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let mut webhooks: Vec<_> = (0..5).map(|_| webhook(world, &account)).collect();
    webhooks.sort_by(|one, other| one.id.cmp(&other.id));
    let other = hook(world, &account, Trigger::PdfExported);
    for one in webhooks.iter().chain([&other]) {
        subscribed(ports, one).await;
    }
    let ids: Vec<_> = webhooks.iter().map(|one| one.id.clone()).collect();
    let found = listed(ports, &account, SubscriptionKind::Webhook).await;
    assert_eq!(found, ids);
    let found = listed(ports, &account, SubscriptionKind::Hook).await;
    assert_eq!(found, [other.id]);
    // Behind one that is gone by now.
    let (kind, now) = (SubscriptionKind::Webhook, world.now());
    assert!(ports.unsubscribe(&account.id, &ids[1], now).await.unwrap());
    let behind = ports.subscriptions(&account.id, kind, Some(&ids[1]), 10);
    let behind = behind.await.unwrap();
    assert_eq!(behind.subscriptions, webhooks[2..]);
    assert_eq!(behind.next, None);
    let whole = ports.subscriptions(&account.id, kind, None, 4).await;
    assert_eq!(whole.unwrap().next, None, "a full page that is the last");
}

async fn a_secret_opens_for_its_subscription_alone<P: Ports, W: World>(ports: &P, world: &W) {
    let account = sample::account(world, Plan::Pro);
    let (one, secret) = sealed(ports, world, webhook(world, &account)).await;
    let (other, _) = sealed(ports, world, webhook(world, &account)).await;
    let ciphertext = &one.secrets[0].ciphertext;
    assert!(!ciphertext.contains(&secret.reveal()));
    // The second time from memory.
    for _ in 0..2 {
        let opened = ports.open(&one.id, &one.secrets[0]).await.unwrap();
        assert_eq!(opened.reveal(), secret.reveal());
        assert!(ports.open(&other.id, &one.secrets[0]).await.is_err());
    }
    let junk = SealedSecret {
        ciphertext: "anVuaw==".to_owned(),
        valid_until: None,
    };
    assert!(ports.open(&one.id, &junk).await.is_err());
}

async fn secrets_are_replaced_from_their_revision_alone<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let one = webhook(world, &account);
    subscribed(ports, &one).await;
    let since = world.now();
    let failure = failed(None, since);
    let noted = ports.note_failing(&account.id, &one.id, &failure);
    noted.await.unwrap();
    let ends = world.now().plus(Duration::from_secs(86_400));
    let rotated = one.with_secret("bmV3".to_owned(), ends);
    assert!(ports.replace_secrets(&rotated, 1).await.unwrap());
    let late = one.with_secret("bGF0ZQ==".to_owned(), ends);
    assert!(!ports.replace_secrets(&late, 1).await.unwrap());
    // What was noted meanwhile stays.
    let expected = Subscription {
        failing_since: Some(since),
        failed_at: Some(since),
        ..rotated
    };
    assert_eq!(stored(ports, &one).await, Some(expected));
}

/// A failure at `at`, of a receiver that was known to fail since `seen`.
fn failed(seen: Option<Timestamp>, at: Timestamp) -> FailedAttempt {
    FailedAttempt {
        seen_since: seen,
        since: seen.unwrap_or(at),
        at,
    }
}

fn ended(at: Timestamp, attempts: u32) -> LastDelivery {
    LastDelivery {
        delivered: attempts == 1,
        status_code: (attempts != 2).then_some(204),
        attempts,
        at,
    }
}

async fn notes_are_kept<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let one = hook(world, &account, Trigger::ScanCreated);
    subscribed(ports, &one).await;
    let (owner, id, now) = (&account.id, &one.id, world.now());
    let later = now.plus(Duration::from_secs(60));
    for last in [ended(later, 2), ended(now, 1)] {
        ports.note_last_delivery(owner, id, &last).await.unwrap();
    }
    let noted = stored(ports, &one).await.unwrap();
    assert_eq!(noted.last_delivery, Some(ended(later, 2)));
    for (reason, first) in [
        (DisabledReason::Failing, true),
        (DisabledReason::Gone, false),
    ] {
        let disabled = ports.disable(owner, id, reason, None).await;
        assert_eq!(disabled.unwrap(), first);
    }
    let disabled = stored(ports, &one).await.unwrap();
    assert_eq!(disabled.status, SubscriptionStatus::Disabled);
    assert_eq!(disabled.disabled_reason, Some(DisabledReason::Failing));
}

async fn a_success_ends_a_row_of_failures_whatever_is_noted_first<P: Ports, W: World>(
    ports: &P,
    world: &W,
) {
    let account = customer(ports, world, Plan::Pro).await;
    let one = webhook(world, &account);
    subscribed(ports, &one).await;
    let (owner, id, began) = (&account.id, &one.id, world.now());
    let at = |seconds| began.plus(Duration::from_secs(seconds));
    let row = async || {
        let stored = stored(ports, &one).await.unwrap();
        (stored.failing_since, stored.failed_at, stored.worked_at)
    };
    let fail = async |failure| ports.note_failing(owner, id, &failure).await.unwrap();
    fail(failed(None, at(0))).await;
    // Another that saw no failure either.
    fail(failed(None, at(1))).await;
    assert_eq!(row().await, (Some(at(0)), Some(at(0)), None));
    fail(failed(Some(at(0)), at(100))).await;
    assert_eq!(row().await, (Some(at(0)), Some(at(100)), None));
    ports.note_working(owner, id, at(200)).await.unwrap();
    assert_eq!(row().await, (None, None, Some(at(200))));
    // Of before the success, noted after it; of the row that it ended; and of a moment for which it stands.
    fail(failed(None, at(199))).await;
    fail(failed(Some(at(0)), at(300))).await;
    fail(failed(None, at(260))).await;
    ports.note_working(owner, id, at(150)).await.unwrap();
    assert_eq!(row().await, (None, None, Some(at(200))));
    fail(failed(None, at(261))).await;
    assert_eq!(row().await, (Some(at(261)), Some(at(261)), Some(at(200))));
    // After days without any attempt.
    let again = FailedAttempt {
        seen_since: Some(at(261)),
        ..failed(None, at(500_000))
    };
    fail(again).await;
    let begun_anew = (Some(at(500_000)), Some(at(500_000)), Some(at(200)));
    assert_eq!(row().await, begun_anew);
    // Given up only for the row that was seen.
    let reason = DisabledReason::Failing;
    for (since, disabled) in [(at(261), false), (at(500_000), true)] {
        let answer = ports.disable(owner, id, reason, Some(since)).await;
        assert_eq!(answer.unwrap(), disabled);
    }
}

async fn a_slow_receiver_is_marked_when_too_little_is_left_of_its_mark<P: Ports, W: World>(
    ports: &P,
    world: &W,
) {
    let account = customer(ports, world, Plan::Pro).await;
    let one = webhook(world, &account);
    subscribed(ports, &one).await;
    let (owner, id, began) = (&account.id, &one.id, world.now());
    let at = |seconds| began.plus(Duration::from_secs(seconds));
    for (until, enough, kept) in [(900, 600, 900), (1_000, 900, 900), (1_001, 901, 1_001)] {
        let mark = SlowMark {
            until: at(until),
            enough: at(enough),
        };
        ports.note_slow(owner, id, &mark).await.unwrap();
        let expected = Subscription {
            slow_until: Some(at(kept)),
            ..one.clone()
        };
        assert_eq!(stored(ports, &one).await, Some(expected));
    }
}

async fn nothing_brings_back_what_is_gone<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let one = webhook(world, &account);
    subscribed(ports, &one).await;
    let (owner, id, now) = (&account.id, &one.id, world.now());
    assert!(ports.unsubscribe(owner, id, now).await.unwrap());
    for seen in [None, Some(now)] {
        let failure = failed(seen, now);
        ports.note_failing(owner, id, &failure).await.unwrap();
    }
    ports.note_working(owner, id, now).await.unwrap();
    let mark = one.mark_slow(now).unwrap();
    ports.note_slow(owner, id, &mark).await.unwrap();
    let last = ended(now, 1);
    ports.note_last_delivery(owner, id, &last).await.unwrap();
    let reason = DisabledReason::Gone;
    assert!(!ports.disable(owner, id, reason, None).await.unwrap());
    let rotated = one.with_secret("bmV3".to_owned(), now);
    assert!(!ports.replace_secrets(&rotated, 1).await.unwrap());
    assert_eq!(stored(ports, &one).await, None);
    let kind = SubscriptionKind::Webhook;
    assert_eq!(listed(ports, &account, kind).await, []);
}

async fn a_plan_is_that_of_the_account<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Starter).await;
    assert_eq!(ports.plan(&account.id).await.unwrap(), Some(Plan::Starter));
    let unknown = sample::account(world, Plan::Pro);
    assert_eq!(ports.plan(&unknown.id).await.unwrap(), None);
}
