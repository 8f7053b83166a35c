//! `DELETE /jobs/{jobId}`.

use domain::event::EventType;
use domain::id::JobId;
use domain::outbox::shard;
use domain::plan::Plan;
use domain::ports::{Jobs as _, Outbox as _};
use domain::timestamp::Timestamp;
use domain::transition::Claim;
use serde_json::json;
use testkit::{Call, Fault};

use super::Caller;

/// A job that waits for its processor.
async fn waiting(caller: &Caller) -> JobId {
    let body = json!({
        "filename": "a.pdf", "format": "txt", "sourceKey": caller.upload("application/pdf"),
    });
    let created = caller.post("/jobs", Some("job-key-1"), &body).await;
    assert_eq!(created.status, 202, "{}", created.body);
    created.text("jobId").parse().unwrap()
}

fn told(caller: &Caller) -> Vec<EventType> {
    let published = caller.fakes.published();
    published.iter().map(|event| event.event_type).collect()
}

/// How many rows are still to be dealt with.
async fn left(caller: &Caller, job: &JobId) -> usize {
    let ever = Timestamp(i64::MAX);
    let page = caller.fakes.due(shard(job), ever, None, 100).await;
    page.unwrap().rows.len()
}

#[tokio::test]
async fn a_waiting_jobs_creation_and_end_are_told_at_once() {
    let caller = Caller::on(Plan::Pro).await;
    let job = waiting(&caller).await;
    assert_eq!((told(&caller), left(&caller, &job).await), (vec![], 2));
    let answer = caller.delete(&format!("/jobs/{job}")).await;
    assert_eq!(answer.status, 204, "{}", answer.body);
    assert_eq!(told(&caller), [EventType::JobCreated, EventType::JobFailed]);
    assert_eq!(left(&caller, &job).await, 0);
}

#[tokio::test]
async fn of_a_job_that_was_begun_before_only_the_end_is_told() {
    let caller = Caller::on(Plan::Pro).await;
    let id = waiting(&caller).await;
    let job = caller.fakes.job(&id).await.unwrap().unwrap();
    let Claim::Work(claimed) = job.claim(job.created_at) else {
        panic!("not claimed")
    };
    assert!(caller.fakes.apply(&claimed).await.unwrap());
    let interrupted = domain::transition::Ending::Interrupted("x".to_owned());
    let retrying = claimed.job.finish(interrupted, job.created_at);
    assert!(caller.fakes.apply(&retrying).await.unwrap());
    let answer = caller.delete(&format!("/jobs/{id}")).await;
    assert_eq!(answer.status, 204, "{}", answer.body);
    assert_eq!(told(&caller), [EventType::JobFailed]);
}

#[tokio::test]
async fn a_job_is_cancelled_though_the_bus_does_not_answer() {
    let caller = Caller::on(Plan::Pro).await;
    let job = waiting(&caller).await;
    caller.fakes.fail(Call::Publish, Fault::Unavailable, 1);
    let answer = caller.delete(&format!("/jobs/{job}")).await;
    assert_eq!(answer.status, 204, "{}", answer.body);
    assert_eq!((told(&caller), left(&caller, &job).await), (vec![], 2));
    let again = caller.delete(&format!("/jobs/{job}")).await;
    assert_eq!(again.refusal(), (409, "job_not_cancellable"));
}
