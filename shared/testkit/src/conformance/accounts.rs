//! Accounts and keys.

use domain::account::Admission;
use domain::plan::Plan;
use domain::timestamp::Timestamp;
use domain::usage::Used;

use super::customer;
use crate::sample;
use crate::world::{Ports, World};

/// Accounts, their keys, their plans and their counters.
pub async fn accounts<P: Ports, W: World>(ports: &P, world: &W) {
    accounts_read_back(ports, world).await;
    a_key_belongs_to_an_account_that_is_there(ports, world).await;
    a_plan_reaches_every_key(ports, world).await;
    a_revoked_key_stops_at_once(ports, world).await;
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
    assert!(
        ports
            .create_key(&sample::key(world, &nobody).0)
            .await
            .is_err()
    );
    let account = customer(ports, world, Plan::Free).await;
    let (key, _) = sample::key(world, &account);
    ports.create_key(&key).await.unwrap();
    assert!(ports.create_key(&key).await.is_err(), "created twice");
    assert_eq!(ports.keys(&account.id).await.unwrap(), [key]);
    let mut of_another_plan = sample::key(world, &account).0;
    of_another_plan.plan = Plan::Business;
    assert!(
        ports.create_key(&of_another_plan).await.is_err(),
        "a plan for nothing"
    );
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
    assert!(ports.revoke_key(&key.id, first).await.unwrap());
    assert_eq!(admit().await.unwrap(), Admission::Refused);
    assert!(ports.revoke_key(&key.id, world.now()).await.unwrap());
    let revoked: Vec<_> = ports.keys(&account.id).await.unwrap();
    assert_eq!(revoked[0].revoked_at, Some(first), "the first time counts");
    let unknown = sample::key(world, &account).0;
    assert!(!ports.revoke_key(&unknown.id, world.now()).await.unwrap());
    assert_eq!(
        ports.keys(&account.id).await.unwrap().len(),
        1,
        "made by revoke_key"
    );
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
