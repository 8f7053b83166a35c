//! Accounts and keys.

use domain::account::{Account, Admission};
use domain::plan::Plan;
use domain::ports::KeyCreation;
use domain::timestamp::Timestamp;
use domain::usage::Used;
use futures::future::join_all;

use super::customer;
use crate::sample;
use crate::world::{Ports, World};

/// Accounts, their keys, their plans and their counters.
pub async fn accounts<P: Ports, W: World>(ports: &P, world: &W) {
    accounts_read_back(ports, world).await;
    a_key_belongs_to_an_account_that_is_there(ports, world).await;
    a_plan_reaches_every_key(ports, world).await;
    a_revoked_key_stops_at_once(ports, world).await;
    a_key_is_revoked_by_its_owner_alone(ports, world).await;
    no_more_keys_live_than_the_plan_allows(ports, world).await;
    a_smaller_plan_takes_no_more_keys_until_it_has_room(ports, world).await;
    counters_are_set_one_by_one(ports, world).await;
}

async fn accounts_read_back<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    assert_eq!(
        ports.account(&account.id).await.unwrap(),
        Some(account.clone())
    );
    assert!(
        ports.create_account(&account).await.is_err(),
        "created twice"
    );
    let unknown = sample::account(world, Plan::Pro);
    assert_eq!(ports.account(&unknown.id).await.unwrap(), None);
}

async fn a_key_belongs_to_an_account_that_is_there<P: Ports, W: World>(ports: &P, world: &W) {
    let nobody = sample::account(world, Plan::Free);
    let created = ports.create_key(&sample::key(world, &nobody).0).await;
    assert_eq!(created.unwrap(), KeyCreation::AccountChanged);
    let account = customer(ports, world, Plan::Free).await;
    let (key, _) = sample::key(world, &account);
    let created = ports.create_key(&key).await.unwrap();
    assert_eq!(created, KeyCreation::Created);
    assert!(ports.create_key(&key).await.is_err(), "created twice");
    assert_eq!(ports.keys(&account.id).await.unwrap(), [key]);
    let mut of_another_plan = sample::key(world, &account).0;
    of_another_plan.plan = Plan::Business;
    let created = ports.create_key(&of_another_plan).await.unwrap();
    assert_eq!(created, KeyCreation::AccountChanged, "a plan for nothing");
    assert_eq!(ports.keys(&account.id).await.unwrap().len(), 1);
}

async fn a_plan_reaches_every_key<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let mut hashes = Vec::new();
    for _ in 0..3 {
        let (key, hash) = sample::key(world, &account);
        ports.create_key(&key).await.unwrap();
        hashes.push((key.id, hash));
    }
    assert!(ports.set_plan(&account.id, Plan::Business).await.unwrap());
    assert_eq!(
        ports.account(&account.id).await.unwrap().unwrap().plan,
        Plan::Business
    );
    for (key, hash) in hashes {
        let admission = ports.admit(&key, &hash, world.now()).await.unwrap();
        let Admission::Admitted { caller, burst } = admission else {
            panic!("{admission:?}");
        };
        assert_eq!((caller.plan, burst.limit), (Plan::Business, 200));
    }
    let unknown = sample::account(world, Plan::Free);
    assert!(!ports.set_plan(&unknown.id, Plan::Pro).await.unwrap());
    assert_eq!(
        ports.account(&unknown.id).await.unwrap(),
        None,
        "made by set_plan"
    );
}

async fn a_revoked_key_stops_at_once<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Pro).await;
    let (key, hash) = sample::key(world, &account);
    ports.create_key(&key).await.unwrap();
    let admit = || ports.admit(&key.id, &hash, world.now());
    assert!(matches!(admit().await.unwrap(), Admission::Admitted { .. }));
    let first = Timestamp(world.now().milliseconds() - 5);
    assert!(ports.revoke_key(&key.id, None, first).await.unwrap());
    assert_eq!(admit().await.unwrap(), Admission::Refused);
    assert!(ports.revoke_key(&key.id, None, world.now()).await.unwrap());
    let revoked: Vec<_> = ports.keys(&account.id).await.unwrap();
    assert_eq!(revoked[0].revoked_at, Some(first), "the first time counts");
    let unknown = sample::key(world, &account).0;
    let revoked = ports.revoke_key(&unknown.id, None, world.now()).await;
    assert!(!revoked.unwrap());
    assert_eq!(
        ports.keys(&account.id).await.unwrap().len(),
        1,
        "made by revoke_key"
    );
}

async fn a_key_is_revoked_by_its_owner_alone<P: Ports, W: World>(ports: &P, world: &W) {
    let owner = customer(ports, world, Plan::Pro).await;
    let other = customer(ports, world, Plan::Pro).await;
    let (key, hash) = sample::key(world, &owner);
    ports.create_key(&key).await.unwrap();
    let revoke = |owner| ports.revoke_key(&key.id, Some(owner), world.now());
    let admit = || ports.admit(&key.id, &hash, world.now());
    assert!(!revoke(&other.id).await.unwrap(), "a foreign key");
    assert!(matches!(admit().await.unwrap(), Admission::Admitted { .. }));
    assert!(revoke(&owner.id).await.unwrap());
    assert_eq!(admit().await.unwrap(), Admission::Refused);
    assert!(!revoke(&other.id).await.unwrap(), "a foreign key, revoked");
}

/// Creates `count` keys at the same time and says how many are there now that were not before.
async fn create_at_once<P: Ports, W: World>(
    ports: &P,
    world: &W,
    account: &Account,
    count: usize,
) -> usize {
    let keys: Vec<_> = (0..count).map(|_| sample::key(world, account).0).collect();
    let answers = join_all(keys.iter().map(|key| ports.create_key(key))).await;
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    let stored = ports.keys(&account.id).await.unwrap();
    for (key, answer) in keys.iter().zip(&answers) {
        let expected = match stored.contains(key) {
            true => KeyCreation::Created,
            false => KeyCreation::LimitReached,
        };
        assert_eq!(*answer, expected);
    }
    let created = answers
        .iter()
        .filter(|answer| **answer == KeyCreation::Created);
    created.count()
}

async fn no_more_keys_live_than_the_plan_allows<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let create = async |count| create_at_once(ports, world, &account, count).await;
    let (first, _) = sample::key(world, &account);
    ports.create_key(&first).await.unwrap();
    assert_eq!(create(18).await, 18);
    assert_eq!(create(10).await, 1, "19 of 20 lived");
    assert_eq!(create(3).await, 0);
    // However often and from how many sides a key is revoked, it makes room for one.
    let revoke = || ports.revoke_key(&first.id, None, world.now());
    for revoked in join_all((0..5).map(|_| revoke())).await {
        assert!(revoked.unwrap());
    }
    assert!(revoke().await.unwrap());
    assert_eq!(create(10).await, 1, "one was revoked");
    let keys = ports.keys(&account.id).await.unwrap();
    let live = keys.iter().filter(|key| key.revoked_at.is_none()).count();
    assert_eq!((keys.len(), live), (21, 20));
}

async fn a_smaller_plan_takes_no_more_keys_until_it_has_room<P: Ports, W: World>(
    ports: &P,
    world: &W,
) {
    let mut account = customer(ports, world, Plan::Starter).await;
    assert_eq!(create_at_once(ports, world, &account, 21).await, 21);
    assert!(ports.set_plan(&account.id, Plan::Free).await.unwrap());
    account.plan = Plan::Free;
    let keys = ports.keys(&account.id).await.unwrap();
    for key in &keys[..2] {
        assert_eq!(create_at_once(ports, world, &account, 2).await, 0);
        let revoked = ports.revoke_key(&key.id, None, world.now()).await;
        assert!(revoked.unwrap());
    }
    assert_eq!(create_at_once(ports, world, &account, 2).await, 1);
}

async fn counters_are_set_one_by_one<P: Ports, W: World>(ports: &P, world: &W) {
    let account = customer(ports, world, Plan::Free).await;
    let period = world.now().period();
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
