//! Many requests at the same moment: nothing is accepted or charged twice, and nothing above the limit.

use futures::future::join_all;
use serde_json::{Value, json};
use tests::client::{Answer, unique};

use crate::account::{Account, job_id};

/// Posts all of these at the same time; each is a body and its idempotency key.
async fn post_at_once(account: &Account, posts: &[(Value, String)]) -> Vec<Answer> {
    let posts = posts.iter();
    join_all(posts.map(|(body, key)| account.client.create_job(body, Some(key)))).await
}

fn with_status(answers: &[Answer], status: u16) -> usize {
    answers
        .iter()
        .filter(|answer| answer.status == status)
        .count()
}

#[tokio::test]
async fn fifty_posts_with_one_key_are_one_job_and_one_charge() {
    let account = Account::new("pro");
    let (body, key) = (account.conversion().await, unique("fifty"));
    let answers = post_at_once(&account, &vec![(body, key); 50]).await;
    let counts = (with_status(&answers, 202), with_status(&answers, 200));
    assert_eq!(counts, (1, 49));
    let mut jobs: Vec<_> = answers
        .iter()
        .map(|answer| job_id(&answer.json()))
        .collect();
    jobs.dedup();
    assert_eq!(jobs.len(), 1);
    for answer in &answers {
        let new = answer.status == 202;
        assert_eq!(answer.json()["created"], new);
        assert_eq!(answer.header("idempotency-replayed") == "true", !new);
    }
    assert_eq!(account.jobs().await, jobs);
    assert_eq!(account.client.wait(&jobs[0]).await["status"], "completed");
    assert_eq!(account.remaining().await.1, 10_000 - 2);
}

#[tokio::test]
async fn of_two_bodies_with_one_key_one_wins() {
    let account = Account::new("pro");
    let (body, key) = (account.conversion().await, unique("two"));
    let mut other = body.clone();
    other["metadata"] = json!({"other": true});
    let posts = [vec![(body, key.clone()); 10], vec![(other, key); 10]].concat();
    let answers = post_at_once(&account, &posts).await;
    let counts = [202, 200, 422].map(|status| with_status(&answers, status));
    assert_eq!(counts, [1, 9, 10]);
    let refused = answers.iter().filter(|answer| answer.status == 422);
    for answer in refused {
        assert_eq!(answer.refusal().1, "idempotency_key_reused");
    }
    assert_eq!(account.jobs().await.len(), 1);
}

#[tokio::test]
async fn of_a_hundred_posts_ten_fit() {
    let account = Account::new("starter");
    account.set_used(0, 1_990);
    let body = account.compression().await;
    let posts: Vec<_> = (0..100)
        .map(|_| (body.clone(), unique("hundred")))
        .collect();
    let answers = post_at_once(&account, &posts).await;
    let counts = [202, 402].map(|status| with_status(&answers, status));
    assert_eq!(counts, [10, 90]);
    let refused = answers.iter().filter(|answer| answer.status == 402);
    for answer in refused {
        assert_eq!(answer.refusal().1, "credits_exhausted");
    }
    let jobs = account.jobs().await;
    assert_eq!(jobs.len(), 10);
    for job in jobs {
        assert_eq!(account.client.wait(&job).await["status"], "completed");
    }
    assert_eq!(account.remaining().await.1, 0);
}
