//! Heartbeats renew the lease; a worker without the lease writes nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use domain::event::EventType;
use domain::id::JobId;
use domain::job::{Job, JobStatus};
use domain::ports::Jobs as _;
use domain::retry;
use domain::transition::Claim;
use engine::{Artifact, EngineError, Request};
use testkit::{Call, Fakes, Fault};
use tokio::runtime::Handle;

use super::fixture::{Fixture, artifact, uppercase};
use crate::metrics::Stages;
use crate::worker::Worker;

/// Polls a condition for at most two seconds.
fn await_until(mut condition: impl FnMut() -> bool) -> bool {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(2) {
        if condition() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

/// Returns the stored job, from an engine's thread.
fn record(fakes: &Fakes, id: &JobId) -> Job {
    Handle::current().block_on(fakes.job(id)).unwrap().unwrap()
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

/// Handles the ticket with a clock that advances by a second per read.
async fn handle_while_time_passes<F>(fixture: &Fixture, engine: F)
where
    F: Fn(&Request<'_>) -> Result<Artifact, EngineError> + Send + Sync + 'static,
{
    let (now, seconds) = (fixture.now(), AtomicU64::new(0));
    let clock = move || now.plus(Duration::from_secs(seconds.fetch_add(1, Ordering::Relaxed)));
    let worker = Worker {
        clock: Box::new(clock),
        ..fixture.worker(engine)
    };
    worker.handle(&fixture.ticket()).await.unwrap();
}

/// An engine that runs until the lease was renewed `times` times.
fn long(
    fixture: &Fixture,
    times: usize,
) -> impl Fn(&Request<'_>) -> Result<Artifact, EngineError> + Send + Sync + 'static {
    let (fakes, id) = (Arc::clone(&fixture.fakes), fixture.job.id.clone());
    move |request| {
        (request.progress)(40);
        // Progress never decreases.
        (request.progress)(30);
        let mut until = record(&fakes, &id).lease_until;
        for _ in 0..times {
            assert!(
                await_until(|| record(&fakes, &id).lease_until > until),
                "not renewed"
            );
            until = record(&fakes, &id).lease_until;
        }
        assert_eq!(record(&fakes, &id).progress, 40);
        uppercase(request)
    }
}

#[tokio::test]
async fn heartbeats_renew_the_lease_and_report_progress() {
    let fixture = Fixture::new().await;
    handle_while_time_passes(&fixture, long(&fixture, 3)).await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Completed, 1));
    assert_eq!((job.progress, job.lease_until), (100, None));
}

#[tokio::test]
async fn a_failed_heartbeat_is_not_a_lost_lease() {
    let fixture = Fixture::new().await;
    fixture.fakes.fail(Call::ExtendLease, Fault::Unavailable, 2);
    handle_while_time_passes(&fixture, long(&fixture, 2)).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

/// Handles the ticket; writes of the outcome are slow and then fail.
async fn finish_slowly(fixture: &Fixture, times: usize) {
    let (fakes, started) = (Arc::clone(&fixture.fakes), tokio::time::Instant::now());
    let engine = move |request: &Request<'_>| {
        let slow = Fault::TimedOut(Duration::from_secs(20));
        fakes.fail(Call::Apply, slow, times);
        uppercase(request)
    };
    let now = fixture.now();
    let worker = Worker {
        clock: Box::new(move || now.plus(started.elapsed())),
        heartbeat_interval: retry::HEARTBEAT,
        ..fixture.worker(engine)
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

/// Handles the ticket with an engine whose lease is lost, and which waits for the stop flag before it calls `end`. Returns
/// whether the flag was set.
async fn stopped_then<F>(fixture: &Fixture, end: F) -> bool
where
    F: Fn(&Request<'_>) -> Result<Artifact, EngineError> + Send + Sync + 'static,
{
    let (fakes, id) = (Arc::clone(&fixture.fakes), fixture.job.id.clone());
    let stopped = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stopped);
    let engine = move |request: &Request<'_>| {
        lose_to_another_worker(&fakes, &id);
        let raised = await_until(|| request.stop.load(Ordering::Relaxed));
        seen.store(raised, Ordering::Relaxed);
        end(request)
    };
    fixture.handle(engine).await;
    stopped.load(Ordering::Relaxed)
}

#[tokio::test]
async fn a_lost_lease_stops_the_engine_and_nothing_is_written() {
    let fixture = Fixture::new().await;
    assert!(stopped_then(&fixture, |_| Err(EngineError::Stopped)).await);
    assert_of_another_worker(&fixture).await;
    assert_eq!(fixture.stored(1), None);
}

#[tokio::test]
async fn a_result_after_a_lost_lease_is_discarded() {
    let fixture = Fixture::new().await;
    assert!(stopped_then(&fixture, uppercase).await);
    assert_of_another_worker(&fixture).await;
    assert_eq!(fixture.stored(1), None);
}

#[tokio::test]
async fn a_stale_worker_cannot_finish_or_overwrite_the_job() {
    let fixture = Fixture::new().await;
    let (fakes, id) = (Arc::clone(&fixture.fakes), fixture.job.id.clone());
    let stale = move |request: &Request<'_>| {
        lose_to_another_worker(&fakes, &id);
        let path = request.scratch.join("stale");
        std::fs::write(&path, "stale").unwrap();
        Ok(artifact(&path))
    };
    let worker = Worker {
        heartbeat_interval: Duration::from_secs(60),
        ..fixture.worker(stale)
    };
    worker.handle(&fixture.ticket()).await.unwrap();
    assert_of_another_worker(&fixture).await;
    assert_eq!(fixture.stored(1).unwrap().1, b"stale");

    // Attempt 2 stores its own result and finishes.
    let (job, mut stages) = (fixture.record().await, Stages::default());
    let written = fixture.worker(uppercase).attempt(&job, &mut stages).await;
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
