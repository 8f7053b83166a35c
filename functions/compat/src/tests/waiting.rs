//! What the forms answer that wait for their job.

use std::time::Duration;

use contract::compat::ANSWER_BYTES;
use domain::job::{JobErrorCode, JobStatus};
use domain::plan::Plan;
use domain::ports::Jobs;
use serde_json::json;
use testkit::{Call, Fault};
use tokio::time::Instant;

use super::worker::{End, Worker};
use super::{Caller, by_url, job_id};

const SOON: Duration = Duration::from_millis(800);
const KEY: (&str, &str) = ("idempotency-key", "waiting-1");

#[tokio::test(start_paused = true)]
async fn a_result_that_is_ready_is_the_answer() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, End::pdf("%PDF-1.7"));
    let began = Instant::now();
    let answer = caller.post("/convert", &[], &by_url()).await;
    assert!(began.elapsed() < Duration::from_millis(1_200));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.bytes, b"%PDF-1.7");
    assert_eq!(answer.header("content-type"), "application/pdf");
    assert_eq!(
        answer.header("content-disposition"),
        "attachment; filename=\"Bericht.pdf\"; filename*=UTF-8''Bericht.pdf"
    );
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("idempotency-replayed"), "");
    assert!(!answer.header("ratelimit").is_empty());
    assert_eq!(caller.used_today().await, 1);
    assert_eq!(caller.only_job().await.charge.credits, 2);
}

#[tokio::test(start_paused = true)]
async fn a_replay_answers_in_the_same_form_and_costs_nothing() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, End::pdf("%PDF-1.7"));
    let first = caller.post("/convert", &[KEY], &by_url()).await;
    let again = caller.post("/convert", &[KEY], &by_url()).await;
    assert_eq!((first.status, again.status), (200, 200));
    assert_eq!(first.bytes, again.bytes);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(caller.used_today().await, 1);
    caller.only_job().await;
    let other = json!({"url": "https://files.octavo-tests.com/b.docx", "format": "pdf"});
    let reused = caller.post("/convert", &[KEY], &other).await;
    assert_eq!(reused.refusal().1, "idempotency_key_reused");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_went_away_finds_the_same_job_when_it_comes_back() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, Duration::from_secs(5), End::pdf("%PDF-1.7"));
    let body = by_url();
    let request = caller.post("/convert", &[KEY], &body);
    let gone = tokio::time::timeout(Duration::from_secs(1), request);
    assert!(gone.await.is_err());
    let (one, two) = tokio::join!(
        caller.post("/convert", &[KEY], &body),
        caller.post("/convert", &[KEY], &body)
    );
    for answer in [one, two] {
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.header("idempotency-replayed"), "true");
    }
    caller.only_job().await;
    assert_eq!(caller.used_today().await, 1);
}

#[tokio::test(start_paused = true)]
async fn what_is_not_ready_in_time_is_a_job() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, End::Never);
    for (replayed, created) in [("", true), ("true", false)] {
        let began = Instant::now();
        let answer = caller.post("/convert", &[KEY], &by_url()).await;
        let waited = began.elapsed();
        let patience = Duration::from_secs(24)..=Duration::from_secs(25);
        assert!(patience.contains(&waited), "{waited:?}");
        assert_eq!(answer.status, 202, "{answer:?}");
        let id = job_id(&answer);
        let expected = json!({
            "jobId": id, "status": "processing", "created": created,
            "statusUrl": format!("/api/v1/jobs/{id}"),
            "resultUrl": format!("/api/v1/jobs/{id}/result"), "processor": "process-office",
        });
        assert_eq!(answer.json(), expected);
        assert_eq!(answer.header("location"), format!("/api/v1/jobs/{id}"));
        assert_eq!(answer.header("retry-after"), "1");
        assert_eq!(answer.header("idempotency-replayed"), replayed);
        assert_eq!(answer.header("preference-applied"), "");
    }
    caller.only_job().await;
}

#[tokio::test(start_paused = true)]
async fn who_prefers_not_to_wait_gets_the_job_at_once() {
    let caller = Caller::on(Plan::Free).await;
    for (preference, status) in [("respond-async", 202), ("wait=5, Respond-Async", 200)] {
        let began = Instant::now();
        let headers = [KEY, ("prefer", preference)];
        let answer = caller.post("/convert", &headers, &by_url()).await;
        assert_eq!(began.elapsed(), Duration::ZERO);
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(answer.json()["status"], "queued");
        assert_eq!(answer.json()["created"], status == 202);
        assert_eq!(answer.header("preference-applied"), "respond-async");
    }
    let other = [("prefer", "return=minimal")];
    let _worker = Worker::start(&caller.fakes, SOON, End::pdf("%PDF-1.7"));
    assert_eq!(caller.post("/convert", &other, &by_url()).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_result_that_is_too_large_is_elsewhere() {
    let most = usize::try_from(ANSWER_BYTES).unwrap();
    for (size, status) in [(most, 200), (most + 1, 303)] {
        let caller = Caller::on(Plan::Free).await;
        let bytes = vec![b'%'; size];
        let _worker = Worker::start(&caller.fakes, SOON, End::pdf(bytes));
        let answer = caller.post("/convert", &[KEY], &by_url()).await;
        assert_eq!(answer.status, status);
        if status == 303 {
            assert_eq!(answer.bytes, b"");
            let url = answer.header("location").to_owned();
            let object = testkit::World::get(caller.fakes.as_ref(), &url).await;
            assert_eq!((object.status, object.body.len()), (200, size));
            let again = caller.post("/convert", &[KEY], &by_url()).await;
            assert_eq!(again.status, 303);
            assert_eq!(again.header("idempotency-replayed"), "true");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_that_takes_too_long_to_read_is_elsewhere() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, End::pdf("%PDF-1.7"));
    let slow = Fault::TimedOut(Duration::from_secs(60));
    caller.fakes.fail(Call::Fetch, slow, 1);
    let answer = caller.post("/convert", &[], &by_url()).await;
    assert_eq!(answer.status, 303);
}

#[tokio::test(start_paused = true)]
async fn a_job_that_fails_is_refused_with_its_own_code() {
    for (code, name) in [
        (JobErrorCode::InputCorrupt, "input_corrupt"),
        (JobErrorCode::FetchBlocked, "fetch_blocked"),
        (JobErrorCode::FetchFailed, "fetch_failed"),
        (JobErrorCode::TooManyPages, "too_many_pages"),
        (JobErrorCode::Cancelled, "cancelled"),
    ] {
        let caller = Caller::on(Plan::Free).await;
        let _worker = Worker::start(&caller.fakes, SOON, End::Failed(code));
        for replayed in ["", "true"] {
            let answer = caller.post("/convert", &[KEY], &by_url()).await;
            assert_eq!(answer.refusal(), (422, name.to_owned(), String::new()));
            let error = json!({"code": name, "message": "what is wrong with it"});
            assert_eq!(answer.json()["error"], error);
            assert_eq!(answer.header("idempotency-replayed"), replayed);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_fault_of_the_service_is_told_as_such_and_not_what_it_was() {
    for end in [End::DeadLetter, End::Failed(JobErrorCode::InternalError)] {
        let caller = Caller::on(Plan::Free).await;
        let _worker = Worker::start(&caller.fakes, SOON, end);
        let answer = caller.post("/convert", &[], &by_url()).await;
        let expected = (500, "internal_error".to_owned(), String::new());
        assert_eq!(answer.refusal(), expected);
        assert!(!answer.json().to_string().contains("process 7"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_result_that_is_no_longer_kept_is_gone() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, End::pdf("%PDF-1.7"));
    caller.post("/convert", &[KEY], &by_url()).await;
    let mut job = caller.only_job().await;
    if let Some(output) = &mut job.output {
        output.expires_at = job.created_at;
    }
    caller.fakes.put_job(job);
    let answer = caller.post("/convert", &[KEY], &by_url()).await;
    assert_eq!(answer.refusal().1, "result_expired");
    assert_eq!(answer.status, 410);
}

#[tokio::test(start_paused = true)]
async fn looks_at_the_job_are_few_and_one_that_fails_is_made_up_for() {
    let caller = Caller::on(Plan::Free).await;
    caller.fakes.fail(Call::ReadJob, Fault::Unavailable, 5);
    let slow = Fault::TimedOut(Duration::from_secs(3));
    caller.fakes.fail(Call::ReadJob, slow, 1);
    let worker = Worker::start(&caller.fakes, Duration::from_secs(8), End::pdf("%PDF-1.7"));
    let answer = caller.post("/convert", &[], &by_url()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    drop(worker);
    // As many looks as may be made in the whole time fail, and not one more is made.
    caller.fakes.fail(Call::ReadJob, Fault::Unavailable, 45);
    let answer = caller.post("/convert", &[], &by_url()).await;
    assert_eq!(answer.status, 202, "{answer:?}");
    let id = job_id(&answer);
    let mut left = 0;
    while caller.fakes.job(&id).await.is_err() {
        left += 1;
    }
    assert!((1..10).contains(&left), "{left} of 45 looks were not made");
    let job = caller.fakes.job(&id).await.unwrap().unwrap();
    assert_eq!(job.status, JobStatus::Queued);
}
