//! Identities of account tokens.

use domain::account::{Admission, Caller, Credential, Identity};
use domain::burst::Burst;
use domain::id::AccountId;
use domain::plan::Plan;
use domain::scope::Scope;
use futures::future::join_all;

use super::stored_account;
use crate::environment::{Environment, Ports};

/// The first sign-in creates an account, later ones find it; the rate limit is that of a key.
pub async fn identities<P: Ports, W: Environment>(ports: &P, env: &W) {
    the_first_sign_in_creates_a_free_account(ports, env).await;
    concurrent_first_sign_ins_create_one_account(ports, env).await;
    requests_per_second_are_limited_by_the_plan(ports, env).await;
    a_plan_reaches_identities_too(ports, env).await;
    a_linked_identity_acts_for_its_account(ports, env).await;
}

fn new_identity(env: &impl Environment) -> Identity {
    Identity {
        issuer: "https://issuer.example/pool".to_owned(),
        subject: env.random().to_string(),
        email: Some("new_identity@mail.example".to_owned()),
    }
}

fn new_account(env: &impl Environment) -> AccountId {
    AccountId::mint(env.now(), env.random())
}

async fn admitted<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    identity: &Identity,
) -> (Caller, Burst) {
    let account = new_account(env);
    match ports.admit_identity(identity, &account, env.now()).await {
        Ok(Admission::Admitted { caller, burst }) => (caller, burst),
        other => panic!("{other:?}"),
    }
}

async fn the_first_sign_in_creates_a_free_account<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (identity, id) = (new_identity(env), new_account(env));
    let admission = ports.admit_identity(&identity, &id, env.now()).await;
    let Ok(Admission::Admitted { caller, burst }) = admission else {
        panic!("{admission:?}");
    };
    let expected = Caller {
        account_id: id.clone(),
        credential: Credential::Token,
        plan: Plan::Free,
        locale: None,
        scopes: Scope::ALL.to_vec(),
    };
    assert_eq!(caller, expected);
    assert_eq!((burst.limit, burst.remaining), (5, 4));
    let account = ports.account(&id).await.unwrap().unwrap();
    assert_eq!(
        (account.plan, account.email),
        (Plan::Free, identity.email.clone())
    );

    let (again, _) = admitted(ports, env, &identity).await;
    assert_eq!(again.account_id, id);
}

async fn concurrent_first_sign_ins_create_one_account<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
) {
    let identity = new_identity(env);
    let attempts = (0..5).map(|_| admitted(ports, env, &identity));
    let mut accounts: Vec<_> = join_all(attempts)
        .await
        .into_iter()
        .map(|(caller, _)| caller.account_id)
        .collect();
    accounts.dedup();
    assert_eq!(accounts.len(), 1);
}

async fn requests_per_second_are_limited_by_the_plan<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (identity, now) = (new_identity(env), env.now());
    let id = new_account(env);
    for _ in 0..5 {
        let admission = ports.admit_identity(&identity, &id, now).await.unwrap();
        assert!(matches!(admission, Admission::Admitted { .. }));
    }
    let admission = ports.admit_identity(&identity, &id, now).await.unwrap();
    assert_eq!(admission, Admission::RateLimited(Burst::after(5, 5)));
}

async fn a_plan_reaches_identities_too<P: Ports, W: Environment>(ports: &P, env: &W) {
    let identity = new_identity(env);
    let (caller, _) = admitted(ports, env, &identity).await;
    assert!(ports.set_plan(&caller.account_id, Plan::Pro).await.unwrap());
    let (caller, burst) = admitted(ports, env, &identity).await;
    assert_eq!((caller.plan, burst.limit), (Plan::Pro, 50));
}

async fn a_linked_identity_acts_for_its_account<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (identity, account) = (
        new_identity(env),
        stored_account(ports, env, Plan::Starter).await,
    );
    assert!(ports.link_identity(&account.id, &identity).await.unwrap());
    let (caller, burst) = admitted(ports, env, &identity).await;
    assert_eq!(
        (caller.account_id, caller.plan),
        (account.id, Plan::Starter)
    );
    assert_eq!(burst.limit, 20);
    let unknown = new_account(env);
    assert!(!ports.link_identity(&unknown, &identity).await.unwrap());
}
