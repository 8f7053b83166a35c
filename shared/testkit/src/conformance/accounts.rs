//! Accounts and keys.

use domain::account::{Account, Admission};
use domain::plan::Plan;
use domain::ports::KeyCreation;
use domain::timestamp::Timestamp;
use domain::usage::Used;
use futures::future::join_all;

use super::stored_account;
use crate::environment::{Environment, Ports};
use crate::sample;

/// Accounts, their keys, their plans and their counters.
pub async fn accounts<P: Ports, W: Environment>(ports: &P, env: &W) {
    accounts_read_back(ports, env).await;
    a_key_needs_an_existing_account(ports, env).await;
    a_plan_reaches_every_key(ports, env).await;
    a_locale_reaches_every_key(ports, env).await;
    a_revoked_key_stops_at_once(ports, env).await;
    a_key_is_revoked_by_its_owner_only(ports, env).await;
    an_account_has_at_most_the_keys_of_its_plan(ports, env).await;
    after_a_downgrade_keys_are_rejected_until_enough_are_revoked(ports, env).await;
    counters_are_set_one_by_one(ports, env).await;
}

async fn accounts_read_back<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    assert_eq!(
        ports.account(&account.id).await.unwrap(),
        Some(account.clone())
    );
    assert!(
        ports.create_account(&account).await.is_err(),
        "created twice"
    );
    let unknown = sample::account(env, Plan::Pro);
    assert_eq!(ports.account(&unknown.id).await.unwrap(), None);
}

async fn a_key_needs_an_existing_account<P: Ports, W: Environment>(ports: &P, env: &W) {
    let unknown = sample::account(env, Plan::Free);
    let created = ports.create_key(&sample::key(env, &unknown).0).await;
    assert_eq!(created.unwrap(), KeyCreation::AccountChanged);
    let account = stored_account(ports, env, Plan::Free).await;
    let (key, _) = sample::key(env, &account);
    let created = ports.create_key(&key).await.unwrap();
    assert_eq!(created, KeyCreation::Created);
    assert!(ports.create_key(&key).await.is_err(), "created twice");
    assert_eq!(ports.keys(&account.id).await.unwrap(), [key]);
    let mut of_another_plan = sample::key(env, &account).0;
    of_another_plan.plan = Plan::Business;
    let created = ports.create_key(&of_another_plan).await.unwrap();
    assert_eq!(
        created,
        KeyCreation::AccountChanged,
        "the account does not exist"
    );
    assert_eq!(ports.keys(&account.id).await.unwrap().len(), 1);
}

async fn a_plan_reaches_every_key<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Free).await;
    let mut hashes = Vec::new();
    for _ in 0..3 {
        let (key, hash) = sample::key(env, &account);
        ports.create_key(&key).await.unwrap();
        hashes.push((key.id, hash));
    }
    assert!(ports.set_plan(&account.id, Plan::Business).await.unwrap());
    assert_eq!(
        ports.account(&account.id).await.unwrap().unwrap().plan,
        Plan::Business
    );
    for (key, hash) in hashes {
        let admission = ports.admit(&key, &hash, env.now()).await.unwrap();
        let Admission::Admitted { caller, burst } = admission else {
            panic!("{admission:?}");
        };
        assert_eq!((caller.plan, burst.limit), (Plan::Business, 200));
    }
    let unknown = sample::account(env, Plan::Free);
    assert!(!ports.set_plan(&unknown.id, Plan::Pro).await.unwrap());
    assert_eq!(
        ports.account(&unknown.id).await.unwrap(),
        None,
        "created by set_plan"
    );
}

async fn a_locale_reaches_every_key<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Free).await;
    let (key, hash) = sample::key(env, &account);
    ports.create_key(&key).await.unwrap();
    let german = "de-DE".parse().ok();
    for locale in [german, None] {
        assert!(ports.set_locale(&account.id, locale).await.unwrap());
        let stored = ports.account(&account.id).await.unwrap().unwrap();
        assert_eq!(stored.locale, locale);
        let admission = ports.admit(&key.id, &hash, env.now()).await.unwrap();
        let Admission::Admitted { caller, .. } = admission else {
            panic!("{admission:?}");
        };
        assert_eq!(caller.locale, locale);
    }
    let unknown = sample::account(env, Plan::Free);
    assert!(!ports.set_locale(&unknown.id, german).await.unwrap());
}

async fn a_revoked_key_stops_at_once<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Pro).await;
    let (key, hash) = sample::key(env, &account);
    ports.create_key(&key).await.unwrap();
    let admit = || ports.admit(&key.id, &hash, env.now());
    assert!(matches!(admit().await.unwrap(), Admission::Admitted { .. }));
    let first = Timestamp(env.now().milliseconds() - 5);
    assert!(ports.revoke_key(&key.id, None, first).await.unwrap());
    assert_eq!(admit().await.unwrap(), Admission::InvalidCredential);
    assert!(ports.revoke_key(&key.id, None, env.now()).await.unwrap());
    let revoked: Vec<_> = ports.keys(&account.id).await.unwrap();
    assert_eq!(
        revoked[0].revoked_at,
        Some(first),
        "the first revocation's time is kept"
    );
    let unknown = sample::key(env, &account).0;
    let revoked = ports.revoke_key(&unknown.id, None, env.now()).await;
    assert!(!revoked.unwrap());
    assert_eq!(
        ports.keys(&account.id).await.unwrap().len(),
        1,
        "created by revoke_key"
    );
}

async fn a_key_is_revoked_by_its_owner_only<P: Ports, W: Environment>(ports: &P, env: &W) {
    let owner = stored_account(ports, env, Plan::Pro).await;
    let other = stored_account(ports, env, Plan::Pro).await;
    let (key, hash) = sample::key(env, &owner);
    ports.create_key(&key).await.unwrap();
    let revoke = |owner| ports.revoke_key(&key.id, Some(owner), env.now());
    let admit = || ports.admit(&key.id, &hash, env.now());
    assert!(!revoke(&other.id).await.unwrap(), "a foreign key");
    assert!(matches!(admit().await.unwrap(), Admission::Admitted { .. }));
    assert!(revoke(&owner.id).await.unwrap());
    assert_eq!(admit().await.unwrap(), Admission::InvalidCredential);
    assert!(!revoke(&other.id).await.unwrap(), "a foreign key, revoked");
}

/// Creates `count` keys concurrently and returns how many were added.
async fn create_concurrently<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    account: &Account,
    count: usize,
) -> usize {
    let keys: Vec<_> = (0..count).map(|_| sample::key(env, account).0).collect();
    let responses = join_all(keys.iter().map(|key| ports.create_key(key))).await;
    let responses: Vec<_> = responses.into_iter().map(Result::unwrap).collect();
    let stored = ports.keys(&account.id).await.unwrap();
    for (key, response) in keys.iter().zip(&responses) {
        let expected = match stored.contains(key) {
            true => KeyCreation::Created,
            false => KeyCreation::LimitReached,
        };
        assert_eq!(*response, expected);
    }
    let created = responses
        .iter()
        .filter(|response| **response == KeyCreation::Created);
    created.count()
}

async fn an_account_has_at_most_the_keys_of_its_plan<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Free).await;
    let create = async |count| create_concurrently(ports, env, &account, count).await;
    let (first, _) = sample::key(env, &account);
    ports.create_key(&first).await.unwrap();
    assert_eq!(create(18).await, 18);
    assert_eq!(create(10).await, 1, "19 of 20 lived");
    assert_eq!(create(3).await, 0);
    // Repeated and concurrent revocations of one key free one slot.
    let revoke = || ports.revoke_key(&first.id, None, env.now());
    for revoked in join_all((0..5).map(|_| revoke())).await {
        assert!(revoked.unwrap());
    }
    assert!(revoke().await.unwrap());
    assert_eq!(create(10).await, 1, "one was revoked");
    let keys = ports.keys(&account.id).await.unwrap();
    let live = keys.iter().filter(|key| key.revoked_at.is_none()).count();
    assert_eq!((keys.len(), live), (21, 20));
}

async fn after_a_downgrade_keys_are_rejected_until_enough_are_revoked<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let mut account = stored_account(ports, env, Plan::Starter).await;
    assert_eq!(create_concurrently(ports, env, &account, 21).await, 21);
    assert!(ports.set_plan(&account.id, Plan::Free).await.unwrap());
    account.plan = Plan::Free;
    let keys = ports.keys(&account.id).await.unwrap();
    for key in &keys[..2] {
        assert_eq!(create_concurrently(ports, env, &account, 2).await, 0);
        let revoked = ports.revoke_key(&key.id, None, env.now()).await;
        assert!(revoked.unwrap());
    }
    assert_eq!(create_concurrently(ports, env, &account, 2).await, 1);
}

async fn counters_are_set_one_by_one<P: Ports, W: Environment>(ports: &P, env: &W) {
    let account = stored_account(ports, env, Plan::Free).await;
    let period = env.now().period();
    let used = || ports.used(&account.id, period);
    assert_eq!(used().await.unwrap(), Used::default());
    ports
        .set_used(&account.id, period, Some(3), None)
        .await
        .unwrap();
    ports
        .set_used(&account.id, period, None, Some(40))
        .await
        .unwrap();
    ports
        .set_used(&account.id, period, None, None)
        .await
        .unwrap();
    let expected = Used {
        today: 3,
        this_month: 40,
    };
    assert_eq!(used().await.unwrap(), expected);
}
