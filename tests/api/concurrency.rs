//! Concurrent requests: no job is created or charged twice, and quotas are never exceeded.

use futures::future::join_all;
use serde_json::{Value, json};
use tests::client::{Response, unique};
use tests::library_fixture::LibraryFixture;

use crate::account::{Account, job_id};

/// Sends these posts concurrently; each is a body and its idempotency key.
async fn post_concurrently(account: &Account, posts: &[(Value, String)]) -> Vec<Response> {
    let posts = posts.iter();
    join_all(posts.map(|(body, key)| account.client.create_job(body, Some(key)))).await
}

fn count_status(responses: &[Response], status: u16) -> usize {
    responses
        .iter()
        .filter(|response| response.status == status)
        .count()
}

/// Route, request body, and credits charged.
type Endpoint = (String, Value, i64);

/// Returns every route that creates a job. Imports, which are synchronous, have their own tests.
async fn endpoints(account: &Account) -> Vec<Endpoint> {
    let conversion = account.conversion_body().await;
    let (pdf, picture) = (
        conversion["sourceKey"].clone(),
        account.compression_body().await["sourceKey"].take(),
    );
    let (document, _) = LibraryFixture::open(&account.id)
        .await
        .add_pdf("a.pdf", 250)
        .await;
    let path = format!("/documents/{document}");
    let detail = account.client.get(&path).await.json();
    let page = detail["versions"][0]["pages"][1]["id"].as_str().unwrap();
    let to_text = json!([{"operation": "convert", "format": "txt"}]);
    let convert = json!({"operation": "convert", "format": "txt"});
    let endpoint = |path: &str, body: Value, price: i64| (path.to_owned(), body, price);
    vec![
        endpoint("/jobs", conversion, 2),
        endpoint("/pipeline", json!({"sourceKey": pdf, "steps": to_text}), 2),
        endpoint(
            "/convert",
            json!({"sourceKey": pdf, "inputFormat": "pdf", "format": "txt"}),
            2,
        ),
        endpoint("/ocr", json!({"sourceKey": picture, "format": "text"}), 3),
        endpoint("/compress", json!({"sourceKey": picture, "quality": 50}), 1),
        endpoint(
            "/pdf",
            json!({"operation": "split", "sourceKeys": [pdf]}),
            1,
        ),
        endpoint(&format!("{path}/process"), convert.clone(), 2),
        endpoint(&format!("{path}/pages/{page}/process"), convert, 2),
    ]
}

#[tokio::test]
async fn concurrent_posts_with_one_key_create_and_charge_one_job_on_every_route() {
    let account = Account::new("pro");
    let (mut left, mut jobs) = (10_000, Vec::new());
    for (path, body, price) in endpoints(&account).await {
        let key = unique("concurrent");
        let headers = [("idempotency-key", key.as_str())];
        let post = |_| account.client.post(&path, &headers, &body);
        let posts = if path == "/jobs" { 100 } else { 20 };
        let responses = join_all((0..posts).map(post)).await;
        let counts = (count_status(&responses, 202), count_status(&responses, 200));
        assert_eq!(counts, (1, posts - 1), "{path}");
        let job = job_id(&responses[0].json());
        for response in &responses {
            let new = response.status == 202;
            assert_eq!(job_id(&response.json()), job, "{path}");
            assert_eq!(response.json()["created"], new, "{path}");
            assert_eq!(response.header("idempotency-replayed") == "true", !new);
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
async fn one_of_two_bodies_with_the_same_key_is_accepted() {
    let account = Account::new("pro");
    let (body, key) = (account.conversion_body().await, unique("two"));
    let mut other = body.clone();
    other["metadata"] = json!({"other": true});
    let posts = [vec![(body, key.clone()); 10], vec![(other, key); 10]].concat();
    let responses = post_concurrently(&account, &posts).await;
    let counts = [202, 200, 422].map(|status| count_status(&responses, status));
    assert_eq!(counts, [1, 9, 10]);
    let refused = responses.iter().filter(|response| response.status == 422);
    for response in refused {
        assert_eq!(response.problem().1, "idempotency_key_reused");
    }
    assert_eq!(account.jobs().await.len(), 1);
}

#[tokio::test]
async fn concurrent_posts_never_exceed_the_quota() {
    let account = Account::new("starter");
    account.set_used(0, 1_990);
    let body = account.compression_body().await;
    let posts: Vec<_> = (0..100)
        .map(|_| (body.clone(), unique("concurrent")))
        .collect();
    let responses = post_concurrently(&account, &posts).await;
    let counts = [202, 402].map(|status| count_status(&responses, status));
    assert_eq!(counts, [10, 90]);
    let refused = responses.iter().filter(|response| response.status == 402);
    for response in refused {
        assert_eq!(response.problem().1, "credits_exhausted");
    }
    let jobs = account.jobs().await;
    assert_eq!(jobs.len(), 10);
    for job in jobs {
        assert_eq!(account.client.wait(&job).await["status"], "completed");
    }
    assert_eq!(account.remaining().await.1, 0);
}
