//! The gate.

use std::time::Duration;

use domain::account::{Admission, Credential, StoredKey};
use domain::burst::Burst;
use domain::key::SecretHash;
use domain::plan::Plan;
use domain::timestamp::Timestamp;
use futures::future::join_all;

use super::customer;
use crate::sample;
use crate::world::{Ports, World};

/// Who is admitted, and how often in a second.
pub async fn gate<P: Ports, W: World>(ports: &P, world: &W) {
    a_right_key_is_told_who_it_is(ports, world).await;
    a_second_takes_as_many_as_the_plan_says(ports, world).await;
    a_wrong_secret_uses_nothing_up(ports, world).await;
    an_old_key_works_like_a_new_one(ports, world).await;
}

async fn key_of<P: Ports, W: World>(ports: &P, world: &W, plan: Plan) -> (StoredKey, SecretHash) {
    let account = customer(ports, world, plan).await;
    let (key, hash) = sample::key(world, &account);
    ports.create_key(&key).await.unwrap();
    (key, hash)
}

async fn a_right_key_is_told_who_it_is<P: Ports, W: World>(ports: &P, world: &W) {
    let (key, hash) = key_of(ports, world, Plan::Starter).await;
    let admission = ports.admit(&key.id, &hash, world.now()).await.unwrap();
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

async fn a_second_takes_as_many_as_the_plan_says<P: Ports, W: World>(ports: &P, world: &W) {
    let (key, hash) = key_of(ports, world, Plan::Free).await;
    let now = world.now();
    let attempts = (0..12).map(|_| ports.admit(&key.id, &hash, now));
    let answers: Vec<_> = join_all(attempts)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let admitted = |answer: &&Admission| matches!(answer, Admission::Admitted { .. });
    assert_eq!(answers.iter().filter(admitted).count(), 5);
    let too_fast = Admission::TooFast(Burst {
        limit: 5,
        remaining: 0,
    });
    assert_eq!(
        answers.iter().filter(|answer| **answer == too_fast).count(),
        7
    );
    let next = now.plus(Duration::from_secs(1));
    let answer = ports.admit(&key.id, &hash, next).await.unwrap();
    assert!(matches!(answer, Admission::Admitted { burst, .. } if burst.remaining == 4));
}

async fn a_wrong_secret_uses_nothing_up<P: Ports, W: World>(ports: &P, world: &W) {
    let (key, hash) = key_of(ports, world, Plan::Free).await;
    let (_, wrong) = sample::key(world, &sample::account(world, Plan::Free));
    let now = world.now();
    for _ in 0..10 {
        let answer = ports.admit(&key.id, &wrong, now).await.unwrap();
        assert_eq!(answer, Admission::Refused);
    }
    for left in (0..5).rev() {
        let answer = ports.admit(&key.id, &hash, now).await.unwrap();
        assert!(matches!(answer, Admission::Admitted { burst, .. } if burst.remaining == left));
    }
    let answer = ports.admit(&key.id, &wrong, now).await.unwrap();
    assert_eq!(
        answer,
        Admission::Refused,
        "the burst tells that the key exists"
    );
    let unknown = sample::api_key(world);
    let answer = ports.admit(unknown.id(), &hash, now).await.unwrap();
    assert_eq!(answer, Admission::Refused);
}

async fn an_old_key_works_like_a_new_one<P: Ports, W: World>(ports: &P, world: &W) {
    let (key, hash) = key_of(ports, world, Plan::Free).await;
    for use_number in 0..140 {
        let now = Timestamp(world.now().milliseconds() + use_number * 20_000);
        let answer = ports.admit(&key.id, &hash, now).await.unwrap();
        assert!(
            matches!(answer, Admission::Admitted { burst, .. } if burst.remaining == 4),
            "use {use_number}: {answer:?}"
        );
    }
}
