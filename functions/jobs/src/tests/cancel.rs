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

/// Creates a queued job.
async fn queued_job(caller: &Caller) -> JobId {
    let body = json!({
        "filename": "a.pdf", "format": "txt", "sourceKey": caller.upload("application/pdf"),
    });
    let created = caller.post("/jobs", Some("job-key-1"), &body).await;
    assert_eq!(created.status, 202, "{}", created.body);
    created.text("jobId").parse().unwrap()
}

fn published_events(caller: &Caller) -> Vec<EventType> {
    let published = caller.fakes.published();
    published.iter().map(|event| event.event_type).collect()
}

/// Counts the rows left in the outbox.
async fn outbox_rows(caller: &Caller, job: &JobId) -> usize {
    let ever = Timestamp(i64::MAX);
    let page = caller.fakes.due(shard(job), ever, None, 100).await;
    page.unwrap().rows.len()
}

#[tokio::test]
async fn cancelling_a_queued_job_publishes_its_created_and_failed_events() {
    let caller = Caller::on(Plan::Pro).await;
    let job = queued_job(&caller).await;
    assert_eq!(
        (published_events(&caller), outbox_rows(&caller, &job).await),
        (vec![], 2)
    );
    let response = caller.delete(&format!("/jobs/{job}")).await;
    assert_eq!(response.status, 204, "{}", response.body);
    assert_eq!(
        published_events(&caller),
        [EventType::JobCreated, EventType::JobFailed]
    );
    assert_eq!(outbox_rows(&caller, &job).await, 0);
}

#[tokio::test]
async fn cancelling_a_retrying_job_publishes_only_its_failed_event() {
    let caller = Caller::on(Plan::Pro).await;
    let id = queued_job(&caller).await;
    let job = caller.fakes.job(&id).await.unwrap().unwrap();
    let Claim::Work(claimed) = job.claim(job.created_at) else {
        panic!("not claimed")
    };
    assert!(caller.fakes.apply(&claimed).await.unwrap());
    let interrupted = domain::transition::AttemptOutcome::Interrupted("x".to_owned());
    let retrying = claimed.job.finish(interrupted, job.created_at);
    assert!(caller.fakes.apply(&retrying).await.unwrap());
    let response = caller.delete(&format!("/jobs/{id}")).await;
    assert_eq!(response.status, 204, "{}", response.body);
    assert_eq!(published_events(&caller), [EventType::JobFailed]);
}

#[tokio::test]
async fn a_job_is_cancelled_while_the_event_bus_is_down() {
    let caller = Caller::on(Plan::Pro).await;
    let job = queued_job(&caller).await;
    caller.fakes.fail(Call::Publish, Fault::Unavailable, 1);
    let response = caller.delete(&format!("/jobs/{job}")).await;
    assert_eq!(response.status, 204, "{}", response.body);
    assert_eq!(
        (published_events(&caller), outbox_rows(&caller, &job).await),
        (vec![], 2)
    );
    let second = caller.delete(&format!("/jobs/{job}")).await;
    assert_eq!(second.error(), (409, "job_not_cancellable"));
}
