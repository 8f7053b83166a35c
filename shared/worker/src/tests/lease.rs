//! Heartbeats renew the lease; a worker without the lease writes nothing.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use domain::event::EventType;
use domain::id::JobId;
use domain::job::{Job, JobStatus};
use domain::ports::Jobs as _;
use domain::retry;
use domain::timestamp::Timestamp;
use domain::transition::Claim;
use testkit::{Call, Fakes, Fault};
use tokio::time::Instant;

use super::fixture::{EngineRun, Fixture, poll_ready, uppercase};
use crate::metrics::Stages;
use crate::worker::Worker;

/// How long an engine function runs in these tests: many heartbeats.
const RUN: Duration = Duration::from_secs(2);

/// Returns the stored job, from an engine.
fn record(fakes: &Fakes, id: &JobId) -> Job {
    poll_ready(fakes.job(id)).unwrap().unwrap()
}

/// Lets `sweep` release the job and another worker claim attempt 2.
fn lose_to_another_worker(fakes: &Fakes, id: &JobId) {
    let job = record(fakes, id);
    let later = job.lease_until.unwrap().plus(Duration::from_secs(60));
    let released = job.release_expired_lease(later).unwrap().job;
    let Claim::Work(claimed) = released.claim(later) else {
        panic!("not claimed")
    };
    fakes.put_job(claimed.job);
}

/// Handles the ticket with a clock that advances by a second per read, and an engine that runs for a while. Returns the end
/// of the lease before each heartbeat.
async fn leases_of_a_long_run(fixture: &Fixture) -> Vec<Option<Timestamp>> {
    let (now, seconds) = (fixture.now(), AtomicU64::new(0));
    let clock = move || now.plus(Duration::from_secs(seconds.fetch_add(1, Ordering::Relaxed)));
    let worker = Worker {
        clock: Box::new(clock),
        ..fixture.worker()
    };
    fixture.script(uppercase);
    fixture.fakes.delay_engine(RUN);
    let ticket = fixture.ticket();
    let observe = async {
        let mut leases = Vec::new();
        for _ in 0..5 {
            tokio::time::sleep(worker.heartbeat_interval).await;
            leases.push(fixture.record().await.lease_until);
        }
        leases
    };
    let (handled, leases) = tokio::join!(worker.handle(&ticket), observe);
    handled.unwrap();
    leases
}

#[tokio::test(start_paused = true)]
async fn heartbeats_renew_the_lease() {
    let fixture = Fixture::new().await;
    let leases = leases_of_a_long_run(&fixture).await;
    assert!(leases.is_sorted() && leases[0] < leases[4], "{leases:?}");
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Completed, 1));
    assert_eq!((job.progress, job.lease_until), (100, None));
}

#[tokio::test(start_paused = true)]
async fn a_failed_heartbeat_is_not_a_lost_lease() {
    let fixture = Fixture::new().await;
    fixture.fakes.fail(Call::ExtendLease, Fault::Unavailable, 2);
    let leases = leases_of_a_long_run(&fixture).await;
    assert!(leases[0] < leases[4], "{leases:?}");
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

/// Handles the ticket; writes of the outcome are slow and then fail.
async fn finish_slowly(fixture: &Fixture, times: usize) {
    let started = Instant::now();
    fixture.script(move |run: &EngineRun<'_>| {
        let slow = Fault::TimedOut(Duration::from_secs(20));
        run.fakes.fail(Call::Apply, slow, times);
        uppercase(run)
    });
    let now = fixture.now();
    let worker = Worker {
        clock: Box::new(move || now.plus(started.elapsed())),
        heartbeat_interval: retry::HEARTBEAT,
        ..fixture.worker()
    };
    let sweep = async {
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let (job, now) = (fixture.record().await, now.plus(started.elapsed()));
            assert_eq!(
                job.release_expired_lease(now),
                None,
                "lease released after {:?}",
                started.elapsed()
            );
        }
    };
    let ticket = fixture.ticket();
    tokio::select! {
        handled = worker.handle(&ticket) => handled.unwrap(),
        () = sweep => unreachable!("it never ends"),
    }
}

#[tokio::test(start_paused = true)]
async fn the_lease_is_renewed_until_a_slow_outcome_is_written() {
    let fixture = Fixture::new().await;
    let started = tokio::time::Instant::now();
    finish_slowly(&fixture, 2).await;
    assert!(started.elapsed() > retry::LEASE, "{:?}", started.elapsed());
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Completed, 1));
    assert_eq!((job.progress, job.lease_until), (100, None));
}

#[tokio::test(start_paused = true)]
async fn the_lease_is_renewed_until_the_retry_is_written() {
    let fixture = Fixture::new().await;
    finish_slowly(&fixture, 3).await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Retrying, 1));
    assert_eq!(fixture.fakes.sent().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_lease_expires_when_nothing_can_be_written() {
    let fixture = Fixture::new().await;
    finish_slowly(&fixture, 9).await;
    let (job, held) = (fixture.record().await, fixture.record().await.lease_until);
    assert_eq!((job.status, job.attempt), (JobStatus::Processing, 1));
    tokio::time::sleep(retry::LEASE).await;
    assert_eq!(
        fixture.record().await.lease_until,
        held,
        "heartbeats continue"
    );
}

/// An engine during whose run another worker takes the job over.
fn overtaken(
    id: &JobId,
) -> impl Fn(&EngineRun<'_>) -> super::fixture::EngineResult + Send + Sync + 'static {
    let id = id.clone();
    move |run| {
        lose_to_another_worker(run.fakes, &id);
        run.writes_pdf("stale")
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_lease_ends_the_attempt_and_the_late_output_is_ignored() {
    let fixture = Fixture::new().await;
    fixture.fakes.delay_engine(RUN);
    let started = Instant::now();
    fixture.handle(overtaken(&fixture.job.id)).await;
    assert!(started.elapsed() < RUN, "the response is not awaited");
    assert_of_another_worker(&fixture).await;
    // The engine function runs on and uploads its result.
    assert_eq!(fixture.stored(1).unwrap().1, b"stale");
    finishes_in_attempt_2(&fixture).await;
}

#[tokio::test]
async fn a_stale_worker_cannot_finish_or_overwrite_the_job() {
    let fixture = Fixture::new().await;
    fixture.script(overtaken(&fixture.job.id));
    let worker = Worker {
        heartbeat_interval: Duration::from_secs(60),
        ..fixture.worker()
    };
    worker.handle(&fixture.ticket()).await.unwrap();
    assert_of_another_worker(&fixture).await;
    finishes_in_attempt_2(&fixture).await;
}

/// The other worker stores its own result and finishes.
async fn finishes_in_attempt_2(fixture: &Fixture) {
    fixture.fakes.delay_engine(Duration::ZERO);
    fixture.script(uppercase);
    let (job, mut stages) = (fixture.record().await, Stages::default());
    let deadline = Instant::now() + Duration::from_secs(60);
    let worker = fixture.worker();
    let written = worker.attempt(&job, deadline, &mut stages).await;
    assert!(written.is_some());
    assert_eq!(fixture.stored(2).unwrap().1, b"THE WORDS OF THE SOURCE");
    assert_eq!(fixture.stored(1).unwrap().1, b"stale");
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

/// Asserts that the first worker published only the events of its claim, and that the job is that of the second worker.
async fn assert_of_another_worker(fixture: &Fixture) {
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Processing, 2));
    assert_eq!((job.output, job.error), (None, None));
    assert_eq!(
        fixture.published(),
        [EventType::JobCreated, EventType::JobProcessing]
    );
    assert_eq!((fixture.fakes.sent().len(), fixture.refund()), (0, None));
    assert_eq!(fixture.scratch_directories(), 0);
}
