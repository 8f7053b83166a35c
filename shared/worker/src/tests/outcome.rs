//! Outcomes of failed attempts.

use domain::event::EventType;
use domain::job::{Job, JobErrorCode, JobSource, JobStatus, RemoteSource};
use domain::ports::Due;
use domain::retry;
use domain::source::{SourceUrl, upload_object};
use testkit::fakes::SentTicket;
use testkit::{Call, Fault, sample};

use super::fixture::{
    EngineResult, EngineRun, Fixture, SOURCE, breaks, rejects, unreachable, uppercase,
};

fn broken(_: &EngineRun<'_>) -> EngineResult {
    Err(breaks())
}

/// Returns the object of the job's upload.
fn upload(job: &Job) -> String {
    let key = sample::upload(&mut job.clone()).key.clone();
    upload_object(&job.account_id, &key)
}

/// Creates a job with the source `url`.
async fn of_url(url: &str) -> Fixture {
    let source = JobSource::Remote(RemoteSource {
        url: SourceUrl::new(url),
    });
    Fixture::with(|job| job.source = source).await
}

async fn assert_failed(fixture: &Fixture, code: JobErrorCode) {
    let job = fixture.record().await;
    assert_eq!(
        (job.status, job.error.unwrap().code),
        (JobStatus::Failed, code)
    );
    assert_eq!(fixture.published().pop(), Some(EventType::JobFailed));
    assert_eq!(fixture.refund(), Some(job.charge));
    assert_eq!(fixture.used_today().await, 0);
    assert_eq!(
        (fixture.outbox().await, fixture.fakes.sent()),
        (vec![], vec![])
    );
    assert_eq!(fixture.stored(1), None);
    assert_eq!(fixture.scratch_directories(), 0);
}

pub(super) async fn assert_retrying(fixture: &Fixture) {
    let job = fixture.record().await;
    let pause = retry::backoff(1);
    assert_eq!(job.status, JobStatus::Retrying);
    assert_eq!(job.not_before, Some(fixture.now().plus(pause)));
    assert_eq!(fixture.published().pop(), Some(EventType::JobRetrying));
    assert_eq!((fixture.refund(), fixture.used_today().await), (None, 1));
    let ticket = fixture.ticket();
    let sent = SentTicket {
        processor: job.processor,
        group: job.account_id.to_string(),
        ticket: ticket.clone(),
        delay: pause,
    };
    assert_eq!(fixture.fakes.sent(), [sent]);
    assert_eq!(fixture.outbox().await, [Due::Ticket { ticket, sent: 0 }]);
}

/// Asserts that the attempt is retried and does not count.
pub(super) async fn assert_postponed(fixture: &Fixture) {
    let job = fixture.record().await;
    let due = fixture.now().plus(retry::POSTPONED);
    assert_eq!(
        (job.status, job.not_before),
        (JobStatus::Retrying, Some(due))
    );
    assert_eq!(job.attempt_limit, retry::ATTEMPTS + 1);
}

#[tokio::test]
async fn a_document_error_fails_the_job() {
    let fixture = Fixture::new().await;
    fixture
        .handle(|_| Err(rejects(JobErrorCode::InputCorrupt)))
        .await;
    assert_failed(&fixture, JobErrorCode::InputCorrupt).await;
    assert_eq!(
        fixture.record().await.error.unwrap().message,
        "cannot be read"
    );
}

#[tokio::test]
async fn a_deleted_source_fails_the_job() {
    let fixture = Fixture::new().await;
    fixture.fakes.remove_object(&upload(&fixture.job));
    fixture.handle(uppercase).await;
    assert_failed(&fixture, JobErrorCode::SourceMissing).await;
}

#[tokio::test]
async fn a_replaced_source_fails_the_job() {
    let fixture = Fixture::new().await;
    let name = upload(&fixture.job);
    fixture
        .fakes
        .put_object(&name, "text/plain", b"other words");
    fixture.handle(uppercase).await;
    assert_failed(&fixture, JobErrorCode::SourceMissing).await;
}

#[tokio::test]
async fn a_source_over_the_plans_size_is_not_fetched() {
    let fixture = Fixture::with(|job| {
        sample::upload(job).size_bytes = job.limits.file_bytes + 1;
    })
    .await;
    fixture.fakes.remove_object(&upload(&fixture.job));
    fixture.handle(unreachable).await;
    assert_failed(&fixture, JobErrorCode::InputTooLarge).await;
}

#[tokio::test]
async fn a_source_at_a_url_is_fetched_and_processed() {
    let url = "https://files.example/words.txt?token=secret";
    let fixture = of_url(url).await;
    fixture.fakes.put_remote(url, SOURCE);
    fixture.handle(uppercase).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

#[tokio::test]
async fn each_url_error_has_its_own_code() {
    for (url, body, code) in [
        ("https://blocked.example/a", 0, JobErrorCode::FetchBlocked),
        ("https://files.example/none", 0, JobErrorCode::FetchFailed),
        (
            "https://files.example/a",
            1_001,
            JobErrorCode::InputTooLarge,
        ),
    ] {
        let fixture = of_url(url).await;
        let mut job = fixture.record().await;
        job.limits.file_bytes = 1_000;
        fixture.fakes.put_job(job);
        if body > 0 {
            fixture.fakes.put_remote(url, &vec![b'a'; body]);
        }
        fixture.handle(unreachable).await;
        assert_failed(&fixture, code).await;
    }
}

#[tokio::test]
async fn a_failed_write_of_a_fetched_file_is_retried() {
    let url = "https://files.example/words.txt";
    for call in [Call::Fetch, Call::Store] {
        let fixture = of_url(url).await;
        fixture.fakes.put_remote(url, SOURCE);
        fixture.fakes.fail(call, Fault::Unavailable, 1);
        fixture.handle(unreachable).await;
        assert_retrying(&fixture).await;
        assert_eq!(fixture.scratch_directories(), 0, "{call:?}");
    }
}

#[tokio::test]
async fn an_internal_error_is_retried_with_back_off() {
    let fixture = Fixture::new().await;
    fixture.handle(broken).await;
    assert_retrying(&fixture).await;
    assert_eq!(fixture.scratch_directories(), 0);
}

#[tokio::test]
async fn an_object_store_error_is_retried() {
    for call in [Call::InputRequest, Call::OutputForm, Call::Stored] {
        let fixture = Fixture::new().await;
        fixture.fakes.fail(call, Fault::Unavailable, 1);
        fixture.handle(uppercase).await;
        assert_retrying(&fixture).await;
    }
}

#[tokio::test]
async fn an_error_of_the_temporary_directory_is_retried() {
    let url = "https://files.example/words.txt";
    let fixture = of_url(url).await;
    fixture.fakes.put_remote(url, SOURCE);
    std::fs::remove_dir(&fixture.base).unwrap();
    fixture.handle(unreachable).await;
    assert_retrying(&fixture).await;
}

#[tokio::test]
async fn a_ticket_stays_in_the_outbox_while_the_queue_is_down() {
    let fixture = Fixture::new().await;
    fixture.fakes.fail(Call::Send, Fault::Unavailable, 1);
    fixture.handle(broken).await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
    let (ticket, sent) = (fixture.ticket(), 0);
    assert_eq!(fixture.outbox().await, [Due::Ticket { ticket, sent }]);
    assert_eq!(fixture.fakes.sent(), []);
}

/// Handles the ticket; writes after the engine run fail, which are those of the outcome.
async fn handle_with_failing_writes(fault: Fault, times: usize) -> Fixture {
    let fixture = Fixture::new().await;
    let engine = move |run: &EngineRun<'_>| {
        run.fakes.fail(Call::Apply, fault, times);
        uppercase(run)
    };
    fixture.handle(engine).await;
    fixture
}

#[tokio::test]
async fn a_contended_outcome_is_written_again() {
    let fixture = handle_with_failing_writes(Fault::Contended, 2).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
    assert_eq!(fixture.published().pop(), Some(EventType::JobCompleted));
}

#[tokio::test]
async fn an_unwritable_outcome_is_retried() {
    let fixture = handle_with_failing_writes(Fault::Contended, 3).await;
    assert_retrying(&fixture).await;
}

#[tokio::test]
async fn a_job_without_writes_is_released_by_its_lease() {
    let fixture = handle_with_failing_writes(Fault::Unavailable, 99).await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Processing, 1));
    assert!(job.lease_until.is_some());
    assert!(!fixture.published().contains(&EventType::JobCompleted));
    assert_eq!(fixture.scratch_directories(), 0);
}

#[tokio::test]
async fn a_written_but_unconfirmed_outcome_is_kept() {
    let fixture = handle_with_failing_writes(Fault::ResponseLost, 1).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
    let rows = fixture.outbox().await;
    assert!(
        matches!(rows.as_slice(), [Due::Event(event)] if event.event_type == EventType::JobCompleted)
    );
}
