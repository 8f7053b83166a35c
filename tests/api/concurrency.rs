//! Many requests at the same moment: nothing is accepted or charged twice, and nothing above the limit.

use futures::future::join_all;
use serde_json::{Value, json};
use tests::client::{Answer, unique};
use tests::shelf::Shelf;

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

/// A route that takes work, a body for it, and what that costs.
type Trial = (String, Value, i64);

/// Every route that accepts a job at once. Imports, which answer when they are done, are tried with the others at addresses.
async fn trials(account: &Account) -> Vec<Trial> {
    let conversion = account.conversion().await;
    let (pdf, picture) = (
        conversion["sourceKey"].clone(),
        account.compression().await["sourceKey"].take(),
    );
    let (document, _) = Shelf::of(&account.id).await.put_pdf("a.pdf", 250).await;
    let path = format!("/documents/{document}");
    let detail = account.client.get(&path).await.json();
    let page = detail["versions"][0]["pages"][1]["id"].as_str().unwrap();
    let to_text = json!([{"operation": "convert", "format": "txt"}]);
    let convert = json!({"operation": "convert", "format": "txt"});
    let trial = |path: &str, body: Value, price: i64| (path.to_owned(), body, price);
    vec![
        trial("/jobs", conversion, 2),
        trial("/pipeline", json!({"sourceKey": pdf, "steps": to_text}), 2),
        trial(
            "/convert",
            json!({"sourceKey": pdf, "inputFormat": "pdf", "format": "txt"}),
            2,
        ),
        trial("/ocr", json!({"sourceKey": picture, "format": "text"}), 3),
        trial("/compress", json!({"sourceKey": picture, "quality": 50}), 1),
        trial(
            "/pdf",
            json!({"operation": "split", "sourceKeys": [pdf]}),
            1,
        ),
        trial(&format!("{path}/process"), convert.clone(), 2),
        trial(&format!("{path}/pages/{page}/process"), convert, 2),
    ]
}

#[tokio::test]
async fn a_hundred_posts_with_one_key_are_one_job_and_one_charge_on_every_route() {
    let account = Account::new("pro");
    let (mut left, mut jobs) = (10_000, Vec::new());
    for (path, body, price) in trials(&account).await {
        let key = unique("hundred");
        let headers = [("idempotency-key", key.as_str())];
        let post = |_| account.client.post(&path, &headers, &body);
        let answers = join_all((0..100).map(post)).await;
        let counts = (with_status(&answers, 202), with_status(&answers, 200));
        assert_eq!(counts, (1, 99), "{path}");
        let job = job_id(&answers[0].json());
        for answer in &answers {
            let new = answer.status == 202;
            assert_eq!(job_id(&answer.json()), job, "{path}");
            assert_eq!(answer.json()["created"], new, "{path}");
            assert_eq!(answer.header("idempotency-replayed") == "true", !new);
        }
        jobs.insert(0, job);
        assert_eq!(account.jobs().await, jobs, "{path}");
        let ended = account.client.wait(&jobs[0]).await;
        assert_eq!(ended["status"], "completed", "{path}: {ended}");
        left -= price;
        assert_eq!(account.remaining().await.1, left, "{path}");
    }
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
