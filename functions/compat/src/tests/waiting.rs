//! Routes that wait for the result of their job.

use std::time::Duration;

use contract::compat::MAX_INLINE_RESULT_BYTES;
use domain::job::{JobErrorCode, JobStatus};
use domain::plan::Plan;
use domain::ports::Jobs;
use serde_json::json;
use testkit::{Call, Fault};
use tokio::time::Instant;

use super::worker::{JobOutcome, Worker};
use super::{Caller, by_url, job_id};

const SOON: Duration = Duration::from_millis(800);
const KEY: (&str, &str) = ("idempotency-key", "waiting-1");

#[tokio::test(start_paused = true)]
async fn a_result_in_time_is_the_response() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    let started = Instant::now();
    let response = caller.post("/convert", &[], &by_url()).await;
    assert!(started.elapsed() < Duration::from_millis(1_200));
    assert_eq!(response.status, 200, "{response:?}");
    assert_eq!(response.bytes, b"%PDF-1.7");
    assert_eq!(response.header("content-type"), "application/pdf");
    assert_eq!(
        response.header("content-disposition"),
        "attachment; filename=\"Bericht.pdf\"; filename*=UTF-8''Bericht.pdf"
    );
    assert_eq!(response.header("cache-control"), "no-store");
    assert_eq!(response.header("x-content-type-options"), "nosniff");
    assert_eq!(response.header("idempotency-replayed"), "");
    assert!(!response.header("ratelimit").is_empty());
    assert_eq!(caller.used_today().await, 1);
    assert_eq!(caller.only_job().await.charge.credits, 2);
}

#[tokio::test(start_paused = true)]
async fn a_replay_returns_the_same_result_and_uses_no_credits() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    let first = caller.post("/convert", &[KEY], &by_url()).await;
    let again = caller.post("/convert", &[KEY], &by_url()).await;
    assert_eq!((first.status, again.status), (200, 200));
    assert_eq!(first.bytes, again.bytes);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(caller.used_today().await, 1);
    caller.only_job().await;
    let other = json!({"url": "https://files.octavo-tests.com/b.docx", "format": "pdf"});
    let reused = caller.post("/convert", &[KEY], &other).await;
    assert_eq!(reused.error().1, "idempotency_key_reused");
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_a_disconnect_waits_for_the_same_job() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(
        &caller.fakes,
        Duration::from_secs(5),
        JobOutcome::pdf("%PDF-1.7"),
    );
    let body = by_url();
    let request = caller.post("/convert", &[KEY], &body);
    let gone = tokio::time::timeout(Duration::from_secs(1), request);
    assert!(gone.await.is_err());
    let (one, two) = tokio::join!(
        caller.post("/convert", &[KEY], &body),
        caller.post("/convert", &[KEY], &body)
    );
    for response in [one, two] {
        assert_eq!(response.status, 200, "{response:?}");
        assert_eq!(response.header("idempotency-replayed"), "true");
    }
    caller.only_job().await;
    assert_eq!(caller.used_today().await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_returns_the_job() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::Never);
    for (replayed, created) in [("", true), ("true", false)] {
        let started = Instant::now();
        let response = caller.post("/convert", &[KEY], &by_url()).await;
        let waited = started.elapsed();
        let patience = Duration::from_secs(24)..=Duration::from_secs(25);
        assert!(patience.contains(&waited), "{waited:?}");
        assert_eq!(response.status, 202, "{response:?}");
        let id = job_id(&response);
        let expected = json!({
            "jobId": id, "status": "processing", "created": created,
            "statusUrl": format!("/api/v1/jobs/{id}"),
            "resultUrl": format!("/api/v1/jobs/{id}/result"), "processor": "process-office",
        });
        assert_eq!(response.json(), expected);
        assert_eq!(response.header("location"), format!("/api/v1/jobs/{id}"));
        assert_eq!(response.header("retry-after"), "1");
        assert_eq!(response.header("idempotency-replayed"), replayed);
        assert_eq!(response.header("preference-applied"), "");
    }
    caller.only_job().await;
}

#[tokio::test(start_paused = true)]
async fn respond_async_returns_the_job_immediately() {
    let caller = Caller::on(Plan::Free).await;
    for (preference, status) in [("respond-async", 202), ("wait=5, Respond-Async", 200)] {
        let started = Instant::now();
        let headers = [KEY, ("prefer", preference)];
        let response = caller.post("/convert", &headers, &by_url()).await;
        assert_eq!(started.elapsed(), Duration::ZERO);
        assert_eq!(response.status, status, "{response:?}");
        assert_eq!(response.json()["status"], "queued");
        assert_eq!(response.json()["created"], status == 202);
        assert_eq!(response.header("preference-applied"), "respond-async");
    }
    let other = [("prefer", "return=minimal")];
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    assert_eq!(caller.post("/convert", &other, &by_url()).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_large_result_is_a_redirect() {
    let maximum = usize::try_from(MAX_INLINE_RESULT_BYTES).unwrap();
    for (size, status) in [(maximum, 200), (maximum + 1, 303)] {
        let caller = Caller::on(Plan::Free).await;
        let bytes = vec![b'%'; size];
        let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf(bytes));
        let response = caller.post("/convert", &[KEY], &by_url()).await;
        assert_eq!(response.status, status);
        if status == 303 {
            assert_eq!(response.bytes, b"");
            let url = response.header("location").to_owned();
            let object = testkit::Environment::get(caller.fakes.as_ref(), &url).await;
            assert_eq!((object.status, object.body.len()), (200, size));
            let again = caller.post("/convert", &[KEY], &by_url()).await;
            assert_eq!(again.status, 303);
            assert_eq!(again.header("idempotency-replayed"), "true");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_slow_to_read_is_a_redirect() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    let slow = Fault::TimedOut(Duration::from_secs(60));
    caller.fakes.fail(Call::Fetch, slow, 1);
    let response = caller.post("/convert", &[], &by_url()).await;
    assert_eq!(response.status, 303);
}

#[tokio::test(start_paused = true)]
async fn a_failed_job_returns_its_error_code() {
    for (code, name) in [
        (JobErrorCode::InputCorrupt, "input_corrupt"),
        (JobErrorCode::FetchBlocked, "fetch_blocked"),
        (JobErrorCode::FetchFailed, "fetch_failed"),
        (JobErrorCode::TooManyPages, "too_many_pages"),
        (JobErrorCode::Cancelled, "cancelled"),
    ] {
        let caller = Caller::on(Plan::Free).await;
        let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::Failed(code));
        for replayed in ["", "true"] {
            let response = caller.post("/convert", &[KEY], &by_url()).await;
            assert_eq!(response.error(), (422, name.to_owned(), String::new()));
            let error = json!({"code": name, "message": "the document is damaged"});
            assert_eq!(response.json()["error"], error);
            assert_eq!(response.header("idempotency-replayed"), replayed);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn internal_job_errors_are_500_without_details() {
    for outcome in [
        JobOutcome::DeadLetter,
        JobOutcome::Failed(JobErrorCode::InternalError),
    ] {
        let caller = Caller::on(Plan::Free).await;
        let _worker = Worker::start(&caller.fakes, SOON, outcome);
        let response = caller.post("/convert", &[], &by_url()).await;
        let expected = (500, "internal_error".to_owned(), String::new());
        assert_eq!(response.error(), expected);
        assert!(!response.json().to_string().contains("process 7"));
    }
}

#[tokio::test(start_paused = true)]
async fn an_expired_result_is_410() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    caller.post("/convert", &[KEY], &by_url()).await;
    let mut job = caller.only_job().await;
    if let Some(output) = &mut job.output {
        output.expires_at = job.created_at;
    }
    caller.fakes.put_job(job);
    let response = caller.post("/convert", &[KEY], &by_url()).await;
    assert_eq!(response.error().1, "result_expired");
    assert_eq!(response.status, 410);
}

#[tokio::test(start_paused = true)]
async fn polls_are_few_and_failed_polls_are_retried() {
    let caller = Caller::on(Plan::Free).await;
    caller.fakes.fail(Call::ReadJob, Fault::Unavailable, 5);
    let slow = Fault::TimedOut(Duration::from_secs(3));
    caller.fakes.fail(Call::ReadJob, slow, 1);
    let worker = Worker::start(
        &caller.fakes,
        Duration::from_secs(8),
        JobOutcome::pdf("%PDF-1.7"),
    );
    let response = caller.post("/convert", &[], &by_url()).await;
    assert_eq!(response.status, 200, "{response:?}");
    drop(worker);
    // All polls within the maximum wait fail, and there are no further polls.
    caller.fakes.fail(Call::ReadJob, Fault::Unavailable, 45);
    let response = caller.post("/convert", &[], &by_url()).await;
    assert_eq!(response.status, 202, "{response:?}");
    let id = job_id(&response);
    let mut unused = 0;
    while caller.fakes.job(&id).await.is_err() {
        unused += 1;
    }
    assert!(
        (1..10).contains(&unused),
        "{unused} of 45 faults are unused"
    );
    let job = caller.fakes.job(&id).await.unwrap().unwrap();
    assert_eq!(job.status, JobStatus::Queued);
}
