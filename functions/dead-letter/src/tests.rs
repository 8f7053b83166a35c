//! Jobs whose tickets are received from a dead-letter queue.

use std::time::Duration;

use domain::event::EventType;
use domain::job::{Job, JobErrorCode, JobStatus};
use domain::outbox::shard;
use domain::plan::Plan;
use domain::ports::{Jobs as _, Outbox as _, PortError, Usage as _};
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;
use serde_json::json;
use testkit::{Call, Environment as _, Fakes, Fault, logs, sample};
use tracing::Level;

/// An accepted job, modified by `change`.
async fn accepted(change: impl FnOnce(&mut Job, Timestamp)) -> (Fakes, Job) {
    let fakes = Fakes::new();
    let account = sample::account(&fakes, Plan::Free);
    let acceptance = sample::acceptance(&fakes, &account, "fingerprint");
    fakes.accept(&acceptance).await.unwrap();
    let mut job = acceptance.job;
    change(&mut job, fakes.now());
    fakes.put_job(job.clone());
    (fakes, job)
}

async fn dead_letter(fakes: &Fakes, job: &Job) -> Result<(), PortError> {
    crate::dead_letter(fakes, &Ticket::for_job(job), fakes.now()).await
}

async fn assert_dead_lettered(fakes: &Fakes, before: &Job) {
    let job = fakes.job(&before.id).await.unwrap().unwrap();
    let code = job.error.map(|error| error.code);
    assert_eq!(
        (job.status, code),
        (JobStatus::DeadLetter, Some(JobErrorCode::InternalError))
    );
    assert_eq!(fakes.refund(&job.id), Some(job.charge));
    let used = fakes.used(&job.account_id, fakes.now().period()).await;
    assert_eq!(used.unwrap().today, 0);
    let types: Vec<_> = fakes
        .published()
        .iter()
        .map(|event| event.event_type)
        .collect();
    assert_eq!(types, [EventType::JobDeadLetter]);
    // Only the row of `job.created`, which another function publishes, is left; the ticket row is removed.
    let page = fakes.due(shard(&job.id), Timestamp(i64::MAX), None, 9);
    assert_eq!(page.await.unwrap().rows.len(), 1);
}

#[tokio::test]
async fn a_waiting_job_is_dead_lettered_and_refunded_and_its_event_is_published() {
    for status in [JobStatus::Queued, JobStatus::Retrying] {
        let (fakes, job) = accepted(|job, _| job.status = status).await;
        dead_letter(&fakes, &job).await.unwrap();
        assert_dead_lettered(&fakes, &job).await;
    }
}

#[tokio::test]
async fn a_job_whose_lease_has_expired_is_dead_lettered() {
    let (fakes, job) = accepted(|job, now| {
        job.status = JobStatus::Processing;
        job.lease_until = Some(Timestamp(now.0 - 1));
    })
    .await;
    dead_letter(&fakes, &job).await.unwrap();
    assert_dead_lettered(&fakes, &job).await;
}

#[tokio::test]
async fn a_finished_job_is_not_changed() {
    for status in [
        JobStatus::Completed,
        JobStatus::Failed,
        JobStatus::DeadLetter,
    ] {
        let (fakes, job) = accepted(|job, _| job.status = status).await;
        dead_letter(&fakes, &job).await.unwrap();
        assert_eq!(fakes.job(&job.id).await.unwrap(), Some(job));
        assert_eq!(fakes.published(), []);
    }
}

#[tokio::test]
async fn a_leased_job_is_not_changed() {
    let (fakes, job) = accepted(|job, now| {
        job.status = JobStatus::Processing;
        job.lease_until = Some(now.plus(Duration::from_secs(9)));
    })
    .await;
    dead_letter(&fakes, &job).await.unwrap();
    assert_eq!(fakes.job(&job.id).await.unwrap(), Some(job));
    assert_eq!(fakes.published(), []);
}

#[tokio::test]
async fn the_ticket_of_an_unknown_job_is_acknowledged() {
    let (fakes, job) = accepted(|_, _| {}).await;
    fakes.remove_job(&job.id);
    dead_letter(&fakes, &job).await.unwrap();
    assert_eq!(fakes.published(), []);
}

#[tokio::test]
async fn log_lines_about_a_job_have_its_identifiers_at_every_level() {
    for level in [Level::INFO, Level::ERROR] {
        let (fakes, job) = accepted(|job, _| job.attempt = 3).await;
        let (result, lines) = logs::of(level, dead_letter(&fakes, &job)).await;
        result.unwrap();
        let expected = json!({
            "name": "job",
            "job_id": job.id,
            "account_id": job.account_id,
            "attempt": 3,
            "traceparent": job.traceparent,
        });
        assert!(lines.iter().any(|line| line["span"] == expected));
    }
}

#[tokio::test]
async fn the_ticket_of_an_unknown_job_is_logged_with_its_trace() {
    let (fakes, job) = accepted(|_, _| {}).await;
    fakes.remove_job(&job.id);
    let (_, lines) = logs::of(Level::INFO, dead_letter(&fakes, &job)).await;
    let expected = json!({"name": "job", "job_id": job.id, "traceparent": job.traceparent});
    assert_eq!(lines[0]["span"], expected, "{lines:?}");
}

#[tokio::test]
async fn a_failed_read_or_write_leaves_the_ticket_in_its_queue() {
    for call in [Call::ReadJob, Call::Apply] {
        let (fakes, job) = accepted(|_, _| {}).await;
        fakes.fail(call, Fault::Contended, 1);
        let result = dead_letter(&fakes, &job).await;
        assert!(matches!(result, Err(PortError::Contended)), "{call:?}");
        assert_eq!((fakes.refund(&job.id), fakes.published()), (None, vec![]));
        dead_letter(&fakes, &job).await.unwrap();
        assert_dead_lettered(&fakes, &job).await;
    }
}
