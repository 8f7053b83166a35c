//! Whom account tokens stand for.

use domain::account::{Admission, Caller, Credential, Identity};
use domain::burst::Burst;
use domain::id::AccountId;
use domain::plan::Plan;
use domain::scope::Scope;
use futures::future::join_all;

use super::customer;
use crate::world::{Ports, World};

/// The first sign-in creates an account, later ones find it, and it counts like a key.
pub async fn identities<P: Ports, W: World>(ports: &P, world: &W) {
    the_first_sign_in_creates_a_free_account(ports, world).await;
    first_sign_ins_at_the_same_time_create_one_account(ports, world).await;
    a_second_takes_as_many_as_the_plan_says(ports, world).await;
    a_plan_reaches_identities_too(ports, world).await;
    a_linked_identity_acts_for_its_account(ports, world).await;
}

fn somebody(world: &impl World) -> Identity {
    Identity {
        issuer: "https://issuer.example/pool".to_owned(),
        subject: world.random().to_string(),
        email: Some("somebody@mail.example".to_owned()),
    }
}

fn new_account(world: &impl World) -> AccountId {
    AccountId::mint(world.now(), world.random())
}

async fn admitted<P: Ports, W: World>(
    ports: &P,
    world: &W,
    identity: &Identity,
) -> (Caller, Burst) {
    let account = new_account(world);
    match ports.admit_identity(identity, &account, world.now()).await {
        Ok(Admission::Admitted { caller, burst }) => (caller, burst),
        other => panic!("{other:?}"),
    }
}

async fn the_first_sign_in_creates_a_free_account<P: Ports, W: World>(ports: &P, world: &W) {
    let (identity, id) = (somebody(world), new_account(world));
    let admission = ports.admit_identity(&identity, &id, world.now()).await;
    let Ok(Admission::Admitted { caller, burst }) = admission else {
        panic!("{admission:?}");
    };
    let expected = Caller {
        account_id: id.clone(),
        credential: Credential::Token,
        plan: Plan::Free,
        scopes: Scope::ALL.to_vec(),
    };
    assert_eq!(caller, expected);
    assert_eq!((burst.limit, burst.remaining), (5, 4));
    let account = ports.account(&id).await.unwrap().unwrap();
    assert_eq!(
        (account.plan, account.email),
        (Plan::Free, identity.email.clone())
    );

    let (again, _) = admitted(ports, world, &identity).await;
    assert_eq!(again.account_id, id);
}

async fn first_sign_ins_at_the_same_time_create_one_account<P: Ports, W: World>(
    ports: &P,
    world: &W,
) {
    let identity = somebody(world);
    let attempts = (0..5).map(|_| admitted(ports, world, &identity));
    let mut accounts: Vec<_> = join_all(attempts)
        .await
        .into_iter()
        .map(|(caller, _)| caller.account_id)
        .collect();
    accounts.dedup();
    assert_eq!(accounts.len(), 1);
}

async fn a_second_takes_as_many_as_the_plan_says<P: Ports, W: World>(ports: &P, world: &W) {
    let (identity, now) = (somebody(world), world.now());
    let id = new_account(world);
    for _ in 0..5 {
        let admission = ports.admit_identity(&identity, &id, now).await.unwrap();
        assert!(matches!(admission, Admission::Admitted { .. }));
    }
    let admission = ports.admit_identity(&identity, &id, now).await.unwrap();
    assert_eq!(admission, Admission::TooFast(Burst::after(5, 5)));
}

async fn a_plan_reaches_identities_too<P: Ports, W: World>(ports: &P, world: &W) {
    let identity = somebody(world);
    let (caller, _) = admitted(ports, world, &identity).await;
    assert!(ports.set_plan(&caller.account_id, Plan::Pro).await.unwrap());
    let (caller, burst) = admitted(ports, world, &identity).await;
    assert_eq!((caller.plan, burst.limit), (Plan::Pro, 50));
}

async fn a_linked_identity_acts_for_its_account<P: Ports, W: World>(ports: &P, world: &W) {
    let (identity, account) = (somebody(world), customer(ports, world, Plan::Starter).await);
    assert!(ports.link_identity(&account.id, &identity).await.unwrap());
    let (caller, burst) = admitted(ports, world, &identity).await;
    assert_eq!(
        (caller.account_id, caller.plan),
        (account.id, Plan::Starter)
    );
    assert_eq!(burst.limit, 20);
    let unknown = new_account(world);
    assert!(!ports.link_identity(&unknown, &identity).await.unwrap());
}
