//! Authentication and rate limiting.

use std::time::Duration;

use domain::account::{Admission, Credential, StoredKey};
use domain::burst::Burst;
use domain::key::SecretHash;
use domain::plan::Plan;
use domain::timestamp::Timestamp;
use futures::future::join_all;

use super::stored_account;
use crate::environment::{Environment, Ports};
use crate::sample;

/// Credentials are verified and limited per second.
pub async fn authentication<P: Ports, W: Environment>(ports: &P, env: &W) {
    a_valid_key_is_admitted_as_its_account(ports, env).await;
    requests_per_second_are_limited_by_the_plan(ports, env).await;
    a_wrong_secret_does_not_count_as_a_request(ports, env).await;
    stale_counters_do_not_limit_a_key(ports, env).await;
}

async fn key_of<P: Ports, W: Environment>(
    ports: &P,
    env: &W,
    plan: Plan,
) -> (StoredKey, SecretHash) {
    let account = stored_account(ports, env, plan).await;
    let (key, hash) = sample::key(env, &account);
    ports.create_key(&key).await.unwrap();
    (key, hash)
}

async fn a_valid_key_is_admitted_as_its_account<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (key, hash) = key_of(ports, env, Plan::Starter).await;
    let admission = ports.admit(&key.id, &hash, env.now()).await.unwrap();
    let Admission::Admitted { caller, burst } = admission else {
        panic!("{admission:?}");
    };
    assert_eq!(
        (&caller.account_id, &caller.credential),
        (&key.account_id, &Credential::Key(key.id.clone()))
    );
    assert_eq!((caller.plan, caller.scopes), (Plan::Starter, key.scopes));
    assert_eq!(
        burst,
        Burst {
            limit: 20,
            remaining: 19
        }
    );
}

async fn requests_per_second_are_limited_by_the_plan<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (key, hash) = key_of(ports, env, Plan::Free).await;
    let now = env.now();
    let attempts = (0..12).map(|_| ports.admit(&key.id, &hash, now));
    let responses: Vec<_> = join_all(attempts)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let admitted = |response: &&Admission| matches!(response, Admission::Admitted { .. });
    assert_eq!(responses.iter().filter(admitted).count(), 5);
    let too_fast = Admission::RateLimited(Burst {
        limit: 5,
        remaining: 0,
    });
    assert_eq!(
        responses
            .iter()
            .filter(|response| **response == too_fast)
            .count(),
        7
    );
    let next = now.plus(Duration::from_secs(1));
    let response = ports.admit(&key.id, &hash, next).await.unwrap();
    assert!(matches!(response, Admission::Admitted { burst, .. } if burst.remaining == 4));
}

async fn a_wrong_secret_does_not_count_as_a_request<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (key, hash) = key_of(ports, env, Plan::Free).await;
    let (_, wrong) = sample::key(env, &sample::account(env, Plan::Free));
    let now = env.now();
    for _ in 0..10 {
        let response = ports.admit(&key.id, &wrong, now).await.unwrap();
        assert_eq!(response, Admission::InvalidCredential);
    }
    for left in (0..5).rev() {
        let response = ports.admit(&key.id, &hash, now).await.unwrap();
        assert!(matches!(response, Admission::Admitted { burst, .. } if burst.remaining == left));
    }
    let response = ports.admit(&key.id, &wrong, now).await.unwrap();
    assert_eq!(
        response,
        Admission::InvalidCredential,
        "the rate limit reveals that the key exists"
    );
    let unknown = sample::api_key(env);
    let response = ports.admit(unknown.id(), &hash, now).await.unwrap();
    assert_eq!(response, Admission::InvalidCredential);
}

async fn stale_counters_do_not_limit_a_key<P: Ports, W: Environment>(ports: &P, env: &W) {
    let (key, hash) = key_of(ports, env, Plan::Free).await;
    for use_number in 0..140 {
        let now = Timestamp(env.now().milliseconds() + use_number * 20_000);
        let response = ports.admit(&key.id, &hash, now).await.unwrap();
        assert!(
            matches!(response, Admission::Admitted { burst, .. } if burst.remaining == 4),
            "use {use_number}: {response:?}"
        );
    }
}
