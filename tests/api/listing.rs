//! The list of jobs: order, pages, filter and bounds.

use serde_json::{Value, json};

use crate::account::{Account, job_id};
use crate::refusal::{assert_problem, assert_refused, problem};

/// One page: its jobs' identifiers and the cursor of the next.
async fn page(account: &Account, query: &str) -> (Vec<String>, Option<String>) {
    let answer = account.client.get(&format!("/jobs?{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let page = answer.json();
    let jobs = page["jobs"]
        .as_array()
        .unwrap()
        .iter()
        .map(job_id)
        .collect();
    (jobs, page["nextCursor"].as_str().map(str::to_owned))
}

async fn accept(account: &Account, body: &Value, count: usize) -> Vec<String> {
    let mut jobs = Vec::new();
    for _ in 0..count {
        jobs.push(account.accept(body).await);
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
async fn pages_lose_and_repeat_nothing_while_jobs_are_added() {
    let account = Account::new("business");
    let body = account.conversion().await;
    let mut jobs = accept(&account, &body, 7).await;
    jobs.reverse();
    assert_eq!(
        page(&account, "").await,
        (jobs.clone(), None),
        "newest first"
    );
    let (mut seen, mut next) = page(&account, "limit=2").await;
    while let Some(cursor) = next {
        accept(&account, &body, 1).await;
        let (more, after) = page(&account, &format!("limit=2&cursor={cursor}")).await;
        assert!(more.len() <= 2);
        seen.extend(more);
        next = after;
    }
    assert_eq!(seen, jobs);
    assert!(account.jobs().await.len() > jobs.len());
}

#[tokio::test]
async fn a_page_that_ends_the_list_has_no_cursor() {
    let account = Account::new("business");
    let body = account.conversion().await;
    let jobs = accept(&account, &body, 3).await;
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
async fn a_filter_keeps_its_status_over_all_pages() {
    let account = Account::new("business");
    let (good, bad) = (account.conversion().await, account.failure().await);
    let mut of = [Vec::new(), Vec::new()];
    for round in 0..6 {
        let index = usize::from(round % 3 == 0);
        let job = account.ended([&good, &bad][index]).await;
        of[index].insert(0, job_id(&job));
    }
    for (status, jobs) in ["completed", "failed"].into_iter().zip(of) {
        let (mut seen, mut query) = (Vec::new(), format!("status={status}&limit=1"));
        loop {
            let (more, cursor) = page(&account, &query).await;
            seen.extend(more);
            let Some(cursor) = cursor else { break };
            query = format!("status={status}&limit=1&cursor={cursor}");
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
async fn a_listed_job_is_the_job_without_its_url() {
    let account = Account::new("business");
    let mut job = account.ended(&account.conversion().await).await;
    job.as_object_mut().unwrap().remove("artifactUrl").unwrap();
    let list = account.client.get("/jobs").await.json();
    assert_eq!(list, json!({"jobs": [job], "nextCursor": null}));
}

#[tokio::test]
async fn parameters_out_of_range_are_refused() {
    let account = Account::new("business");
    let limits = [
        "0",
        "101",
        "-1",
        "ten",
        "",
        "5.0",
        "1e1",
        "99999999999999999999",
    ];
    for limit in limits {
        let answer = account.client.get(&format!("/jobs?limit={limit}")).await;
        assert_refused(
            &answer,
            400,
            "invalid_request",
            &[("$.limit", "invalid_value")],
        );
    }
    for status in ["done", "", "Completed", "completed,failed"] {
        let answer = account.client.get(&format!("/jobs?status={status}")).await;
        assert_refused(
            &answer,
            400,
            "invalid_request",
            &[("$.status", "invalid_value")],
        );
    }
    let answer = account.client.get("/jobs?status=done&limit=0").await;
    let both = [("$.limit", "invalid_value"), ("$.status", "invalid_value")];
    assert_refused(&answer, 400, "invalid_request", &both);
}

#[tokio::test]
async fn a_cursor_belongs_to_its_account_and_filter() {
    let (own, other) = (Account::new("business"), Account::new("business"));
    for account in [&own, &other] {
        accept(account, &account.conversion().await, 2).await;
    }
    let cursor = page(&own, "limit=1").await.1.unwrap();
    let foreign = page(&other, "limit=1").await.1.unwrap();
    let (first, rest) = cursor.split_at(1);
    let changed = format!("{}{rest}", if first == "A" { "B" } else { "A" });
    for query in [
        format!("cursor={foreign}"),
        format!("cursor={cursor}&status=completed"),
        format!("cursor={changed}"),
        format!("cursor={cursor}A"),
        format!("cursor={}", cursor.to_uppercase()),
        "cursor=".to_owned(),
        "cursor=junk".to_owned(),
        "cursor=%00".to_owned(),
        format!("cursor={}", "A".repeat(4_000)),
    ] {
        let answer = own.client.get(&format!("/jobs?{query}")).await;
        let title = "The cursor does not belong to this list";
        assert_problem(
            &answer,
            &problem(400, "invalid_cursor", title, "/jobs", false),
        );
    }
    let (_, next) = page(&own, &format!("limit=100&cursor={cursor}")).await;
    assert_eq!(next, None, "another limit is no other list");
}
