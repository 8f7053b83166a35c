//! `GET /jobs`: order, pagination and filter.

use serde_json::{Value, json};

use crate::account::{Account, job_id};

/// Returns the job identifiers of one page and the cursor of the next.
pub(crate) async fn page(account: &Account, query: &str) -> (Vec<String>, Option<String>) {
    let response = account.client.get(&format!("/jobs?{query}")).await;
    assert_eq!(response.status, 200, "{}", response.text());
    let page = response.json();
    let jobs = page["jobs"]
        .as_array()
        .unwrap()
        .iter()
        .map(job_id)
        .collect();
    (jobs, page["nextCursor"].as_str().map(str::to_owned))
}

/// Creates `count` jobs; returns their identifiers, oldest first.
pub(crate) async fn submit_jobs(account: &Account, body: &Value, count: usize) -> Vec<String> {
    let mut jobs = Vec::new();
    for _ in 0..count {
        jobs.push(account.submit_job(body).await);
    }
    jobs
}

#[tokio::test]
async fn an_account_without_jobs_has_an_empty_list() {
    let account = Account::new("free");
    let list = account.client.get("/jobs").await;
    assert_eq!(list.json(), json!({"jobs": [], "nextCursor": null}));
    assert_eq!(list.header("cache-control"), "no-store");
}

#[tokio::test]
async fn pagination_is_stable_while_jobs_are_added() {
    let account = Account::new("business");
    let body = account.conversion_body().await;
    let mut jobs = submit_jobs(&account, &body, 7).await;
    jobs.reverse();
    assert_eq!(
        page(&account, "").await,
        (jobs.clone(), None),
        "newest first"
    );
    let (mut seen, mut next) = page(&account, "limit=2").await;
    while let Some(cursor) = next {
        submit_jobs(&account, &body, 1).await;
        let (more, after) = page(&account, &format!("limit=2&cursor={cursor}")).await;
        assert!(more.len() <= 2 && seen.len() <= jobs.len(), "{seen:?}");
        seen.extend(more);
        next = after;
    }
    assert_eq!(seen, jobs);
    assert!(account.jobs().await.len() > jobs.len());
}

#[tokio::test]
async fn the_last_page_has_no_cursor() {
    let account = Account::new("business");
    let body = account.conversion_body().await;
    let jobs = submit_jobs(&account, &body, 3).await;
    assert_eq!(page(&account, "limit=3").await.1, None);
    assert_eq!(page(&account, "limit=100").await.1, None);
    let (first, cursor) = page(&account, "limit=1").await;
    assert_eq!(first, [jobs[2].clone()]);
    let query = format!("limit=2&cursor={}", cursor.unwrap());
    assert_eq!(
        page(&account, &query).await,
        (vec![jobs[1].clone(), jobs[0].clone()], None)
    );
}

#[tokio::test]
async fn the_status_filter_applies_to_all_pages() {
    let account = Account::new("business");
    let (good, bad) = (
        account.conversion_body().await,
        account.failing_body().await,
    );
    let mut of = [Vec::new(), Vec::new()];
    for round in 0..6 {
        let index = usize::from(round % 3 == 0);
        let job = account.run_job([&good, &bad][index]).await;
        of[index].insert(0, job_id(&job));
    }
    for (status, jobs) in ["completed", "failed"].into_iter().zip(of) {
        let (mut seen, mut next) = page(&account, &format!("status={status}&limit=1")).await;
        while let Some(cursor) = next {
            assert!(seen.len() <= jobs.len(), "{seen:?}");
            let query = format!("status={status}&limit=1&cursor={cursor}");
            let (more, after) = page(&account, &query).await;
            seen.extend(more);
            next = after;
        }
        assert_eq!(seen, jobs, "{status}");
    }
    for status in ["queued", "processing", "retrying", "dead_letter"] {
        assert_eq!(
            page(&account, &format!("status={status}")).await,
            (Vec::new(), None)
        );
    }
}

#[tokio::test]
async fn a_listed_job_is_the_job_without_its_artifact_url() {
    let account = Account::new("business");
    let mut job = account.run_job(&account.conversion_body().await).await;
    job.as_object_mut().unwrap().remove("artifactUrl").unwrap();
    let list = account.client.get("/jobs").await.json();
    assert_eq!(list, json!({"jobs": [job], "nextCursor": null}));
}
