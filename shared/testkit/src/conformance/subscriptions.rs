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

use super::stored_account;
use crate::environment::{Environment, Ports};
use crate::sample;
use crate::sample::subscription::{hook, sealed, webhook};

/// Limit of subscriptions that no test reaches.
const LIMIT: u32 = 1_000;

/// Subscriptions with their limit, secrets and receiver health.
pub async fn subscriptions<P: Ports, W: Environment>(ports: &P, env: &W) {
    subscriptions_are_limited(ports, env).await;
    an_ended_subscription_frees_one_slot(ports, env).await;
    a_request_subscribes_once(ports, env).await;
    a_subscription_is_visible_to_its_owner_only(ports, env).await;
    pages_omit_and_repeat_nothing(ports, env).await;
    a_secret_is_decrypted_for_its_subscription_only(ports, env).await;
    secrets_are_replaced_at_their_revision_only(ports, env).await;
    health_is_recorded(ports, env).await;
    a_success_ends_a_series_of_failures_in_any_order_of_writes(ports, env).await;
    the_mark_of_a_slow_receiver_is_renewed_shortly_before_it_expires(ports, env).await;
    no_update_recreates_a_removed_subscription(ports, env).await;
    the_plan_is_read_from_the_account(ports, env).await;
}

async fn subscribed<P: Ports>(ports: &P, one: &Subscription) {
    let subscribed = ports.subscribe(one, LIMIT, None).await.unwrap();
    assert_eq!(subscribed, Subscribed::New);
}

async fn stored<P: Ports>(ports: &P, one: &Subscription) -> Option<Subscription> {
    let found = ports.subscription(&one.account_id, &one.id);
    found.await.unwrap()
}

async fn subscriptions_are_limited<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Free).await;
    let all: Vec<_> = (0..8)
        .map(|number| match number % 2 {
            0 => webhook(env, &account),
            _ => hook(env, &account, Trigger::QrScanned),
        })
        .collect();
    let responses = join_all(all.iter().map(|one| ports.subscribe(one, 3, None))).await;
    let (mut new, mut refused) = (Vec::new(), 0);
    for (one, response) in all.iter().zip(responses) {
        match response.unwrap() {
            Subscribed::New => new.push(one),
            Subscribed::LimitReached => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((new.len(), refused), (3, 5));
    let (owner, first, now) = (&account.id, &new[0].id, env.now());
    assert!(ports.unsubscribe(owner, first, now).await.unwrap());
    assert!(!ports.unsubscribe(owner, first, now).await.unwrap());
    let after = [webhook(env, &account), webhook(env, &account)];
    let room = ports.subscribe(&after[0], 3, None).await.unwrap();
    let none = ports.subscribe(&after[1], 3, None).await.unwrap();
    assert_eq!((room, none), (Subscribed::New, Subscribed::LimitReached));
    assert_eq!(stored(ports, new[0]).await, None);
}

/// A subscription that ends repeatedly or in several ways frees one slot.
async fn an_ended_subscription_frees_one_slot<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Free).await;
    let (owner, now, reason) = (&account.id, env.now(), DisabledReason::Gone);
    let held = [
        webhook(env, &account),
        hook(env, &account, Trigger::QrScanned),
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
        let room = ports.subscribe(&webhook(env, &account), 2, None).await;
        assert_eq!(room.unwrap(), Subscribed::New);
        assert!(ports.unsubscribe(owner, &one.id, now).await.unwrap());
        assert!(!ports.unsubscribe(owner, &one.id, now).await.unwrap());
        assert_eq!(stored(ports, one).await, None);
        let none = ports.subscribe(&webhook(env, &account), 2, None).await;
        assert_eq!(none.unwrap(), Subscribed::LimitReached);
    }
}

async fn a_request_subscribes_once<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Free).await;
    let request = |body: &str| SubscriptionRequest {
        fingerprint: format!("subscribe {}", account.id),
        body_hash: body.to_owned(),
        expires_at: env.now().plus(Duration::from_secs(3_600)),
    };
    let one = webhook(env, &account);
    let requested = request("body");
    let subscribe = async |one: &Subscription, requested: &SubscriptionRequest| {
        ports.subscribe(one, 1, Some(requested)).await.unwrap()
    };
    assert_eq!(subscribe(&one, &requested).await, Subscribed::New);
    // The response to the first call was lost.
    assert_eq!(subscribe(&one, &requested).await, Subscribed::New);
    let mut again = webhook(env, &account);
    // A replay succeeds even if the limit is reached.
    let replayed = Subscribed::Replayed(Some(Box::new(one.clone())));
    assert_eq!(subscribe(&again, &requested).await, replayed);
    assert_eq!(stored(ports, &again).await, None);
    let reused = subscribe(&again, &request("other")).await;
    assert_eq!(reused, Subscribed::KeyReused);
    let now = env.now();
    assert!(ports.unsubscribe(&account.id, &one.id, now).await.unwrap());
    let gone = subscribe(&again, &requested).await;
    assert_eq!(gone, Subscribed::Replayed(None));
    again.created_at = requested.expires_at;
    let mut later = request("other");
    later.expires_at = requested.expires_at.plus(Duration::from_secs(3_600));
    assert_eq!(subscribe(&again, &later).await, Subscribed::New);
}

async fn a_subscription_is_visible_to_its_owner_only<P: Ports, W: Environment>(ports: &P, env: &W) {
    let owner = stored_account(ports, env, Plan::Pro).await;
    let stranger = stored_account(ports, env, Plan::Pro).await;
    let one = webhook(env, &owner);
    subscribed(ports, &one).await;
    assert_eq!(stored(ports, &one).await, Some(one.clone()));
    let seen = ports.subscription(&stranger.id, &one.id).await.unwrap();
    assert_eq!(seen, None);
    let ended = ports.unsubscribe(&stranger.id, &one.id, env.now()).await;
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

async fn pages_omit_and_repeat_nothing<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let mut webhooks: Vec<_> = (0..5).map(|_| webhook(env, &account)).collect();
    webhooks.sort_by(|one, other| one.id.cmp(&other.id));
    let other = hook(env, &account, Trigger::PdfExported);
    for one in webhooks.iter().chain([&other]) {
        subscribed(ports, one).await;
    }
    let ids: Vec<_> = webhooks.iter().map(|one| one.id.clone()).collect();
    let found = listed(ports, &account, SubscriptionKind::Webhook).await;
    assert_eq!(found, ids);
    let found = listed(ports, &account, SubscriptionKind::Hook).await;
    assert_eq!(found, [other.id]);
    // The page after a subscription that is removed meanwhile.
    let (kind, now) = (SubscriptionKind::Webhook, env.now());
    assert!(ports.unsubscribe(&account.id, &ids[1], now).await.unwrap());
    let behind = ports.subscriptions(&account.id, kind, Some(&ids[1]), 10);
    let behind = behind.await.unwrap();
    assert_eq!(behind.subscriptions, webhooks[2..]);
    assert_eq!(behind.next, None);
    let whole = ports.subscriptions(&account.id, kind, None, 4).await;
    assert_eq!(whole.unwrap().next, None, "the last page, though full");
}

async fn a_secret_is_decrypted_for_its_subscription_only<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = sample::account(env, Plan::Pro);
    let (one, secret) = sealed(ports, env, webhook(env, &account)).await;
    let (other, _) = sealed(ports, env, webhook(env, &account)).await;
    let ciphertext = &one.secrets[0].ciphertext;
    assert!(!ciphertext.contains(&secret.reveal()));
    // The second time from the cache.
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

async fn secrets_are_replaced_at_their_revision_only<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let one = webhook(env, &account);
    subscribed(ports, &one).await;
    let since = env.now();
    let failure = failed(None, since);
    let noted = ports.record_failure(&account.id, &one.id, &failure);
    noted.await.unwrap();
    let ends = env.now().plus(Duration::from_secs(86_400));
    let rotated = one.with_secret("bmV3".to_owned(), ends);
    assert!(ports.replace_secrets(&rotated, 1).await.unwrap());
    let late = one.with_secret("bGF0ZQ==".to_owned(), ends);
    assert!(!ports.replace_secrets(&late, 1).await.unwrap());
    // Health recorded meanwhile is kept.
    let expected = Subscription {
        failing_since: Some(since),
        last_failure_at: Some(since),
        ..rotated
    };
    assert_eq!(stored(ports, &one).await, Some(expected));
}

/// A failed attempt at `at` for a receiver whose recorded failures started at `expected_since`.
fn failed(expected_since: Option<Timestamp>, at: Timestamp) -> FailedAttempt {
    FailedAttempt {
        expected_since,
        since: expected_since.unwrap_or(at),
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

async fn health_is_recorded<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let one = hook(env, &account, Trigger::ScanCreated);
    subscribed(ports, &one).await;
    let (owner, id, now) = (&account.id, &one.id, env.now());
    let later = now.plus(Duration::from_secs(60));
    for last in [ended(later, 2), ended(now, 1)] {
        ports.record_last_delivery(owner, id, &last).await.unwrap();
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

async fn a_success_ends_a_series_of_failures_in_any_order_of_writes<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let one = webhook(env, &account);
    subscribed(ports, &one).await;
    let (owner, id, began) = (&account.id, &one.id, env.now());
    let at = |seconds| began.plus(Duration::from_secs(seconds));
    let row = async || {
        let stored = stored(ports, &one).await.unwrap();
        (
            stored.failing_since,
            stored.last_failure_at,
            stored.last_success_at,
        )
    };
    let fail = async |failure| ports.record_failure(owner, id, &failure).await.unwrap();
    fail(failed(None, at(0))).await;
    // A concurrent attempt that read no failure either.
    fail(failed(None, at(1))).await;
    assert_eq!(row().await, (Some(at(0)), Some(at(0)), None));
    fail(failed(Some(at(0)), at(100))).await;
    assert_eq!(row().await, (Some(at(0)), Some(at(100)), None));
    ports.record_success(owner, id, at(200)).await.unwrap();
    assert_eq!(row().await, (None, None, Some(at(200))));
    // Stale failures are ignored: one before the success but recorded after it, one of the failure series that the success
    // ended, and a concurrent one.
    fail(failed(None, at(199))).await;
    fail(failed(Some(at(0)), at(300))).await;
    fail(failed(None, at(260))).await;
    ports.record_success(owner, id, at(150)).await.unwrap();
    assert_eq!(row().await, (None, None, Some(at(200))));
    fail(failed(None, at(261))).await;
    assert_eq!(row().await, (Some(at(261)), Some(at(261)), Some(at(200))));
    // A failed attempt after days without one.
    let again = FailedAttempt {
        expected_since: Some(at(261)),
        ..failed(None, at(500_000))
    };
    fail(again).await;
    let begun_anew = (Some(at(500_000)), Some(at(500_000)), Some(at(200)));
    assert_eq!(row().await, begun_anew);
    // Disabled only for the series that was read.
    let reason = DisabledReason::Failing;
    for (since, disabled) in [(at(261), false), (at(500_000), true)] {
        let response = ports.disable(owner, id, reason, Some(since)).await;
        assert_eq!(response.unwrap(), disabled);
    }
}

async fn the_mark_of_a_slow_receiver_is_renewed_shortly_before_it_expires<
    P: Ports,
    W: Environment,
>(
    ports: &P,
    env: &W,
) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let one = webhook(env, &account);
    subscribed(ports, &one).await;
    let (owner, id, began) = (&account.id, &one.id, env.now());
    let at = |seconds| began.plus(Duration::from_secs(seconds));
    for (until, enough, kept) in [(900, 600, 900), (1_000, 900, 900), (1_001, 901, 1_001)] {
        let mark = SlowMark {
            until: at(until),
            renew_before: at(enough),
        };
        ports.record_slow(owner, id, &mark).await.unwrap();
        let expected = Subscription {
            slow_until: Some(at(kept)),
            ..one.clone()
        };
        assert_eq!(stored(ports, &one).await, Some(expected));
    }
}

async fn no_update_recreates_a_removed_subscription<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let one = webhook(env, &account);
    subscribed(ports, &one).await;
    let (owner, id, now) = (&account.id, &one.id, env.now());
    assert!(ports.unsubscribe(owner, id, now).await.unwrap());
    for seen in [None, Some(now)] {
        let failure = failed(seen, now);
        ports.record_failure(owner, id, &failure).await.unwrap();
    }
    ports.record_success(owner, id, now).await.unwrap();
    let mark = one.mark_slow(now).unwrap();
    ports.record_slow(owner, id, &mark).await.unwrap();
    let last = ended(now, 1);
    ports.record_last_delivery(owner, id, &last).await.unwrap();
    let reason = DisabledReason::Gone;
    assert!(!ports.disable(owner, id, reason, None).await.unwrap());
    let rotated = one.with_secret("bmV3".to_owned(), now);
    assert!(!ports.replace_secrets(&rotated, 1).await.unwrap());
    assert_eq!(stored(ports, &one).await, None);
    let kind = SubscriptionKind::Webhook;
    assert_eq!(listed(ports, &account, kind).await, []);
}

async fn the_plan_is_read_from_the_account<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Starter).await;
    assert_eq!(ports.plan(&account.id).await.unwrap(), Some(Plan::Starter));
    let unknown = sample::account(env, Plan::Pro);
    assert_eq!(ports.plan(&unknown.id).await.unwrap(), None);
}
