//! A worker holds its job with heartbeats, and a stale one writes nothing.

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

use super::fixture::{Fixture, artifact, shout};
use crate::measure::Stages;
use crate::worker::Worker;

/// Waits for something to become true, for at most two seconds.
fn await_until(mut condition: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(2) {
        if condition() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

/// The job as it is written now, seen from an engine's thread.
fn record(fakes: &Fakes, id: &JobId) -> Job {
    Handle::current().block_on(fakes.job(id)).unwrap().unwrap()
}

/// What `sweep` and another worker do when the first one is taken for dead: attempt 2 begins.
fn lose_to_another_worker(fakes: &Fakes, id: &JobId) {
    let job = record(fakes, id);
    let later = job.lease_until.unwrap().plus(Duration::from_secs(60));
    let released = job.release_expired_lease(later).unwrap().job;
    let Claim::Work(claimed) = released.claim(later) else {
        panic!("not claimed")
    };
    fakes.put_job(claimed.job);
}

/// Handles the ticket with a clock that runs a second further each time it is read.
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

/// An engine that works once its job's lease was extended `times` times.
fn long(
    fixture: &Fixture,
    times: usize,
) -> impl Fn(&Request<'_>) -> Result<Artifact, EngineError> + Send + Sync + 'static {
    let (fakes, id) = (Arc::clone(&fixture.fakes), fixture.job.id.clone());
    move |request| {
        (request.progress)(40);
        // Progress never goes back.
        (request.progress)(30);
        let mut until = record(&fakes, &id).lease_until;
        for _ in 0..times {
            assert!(
                await_until(|| record(&fakes, &id).lease_until > until),
                "not extended"
            );
            until = record(&fakes, &id).lease_until;
        }
        assert_eq!(record(&fakes, &id).progress, 40);
        shout(request)
    }
}

#[tokio::test]
async fn heartbeats_hold_a_long_job_and_show_its_progress() {
    let fixture = Fixture::new().await;
    handle_while_time_passes(&fixture, long(&fixture, 3)).await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Completed, 1));
    assert_eq!((job.progress, job.lease_until), (100, None));
}

#[tokio::test]
async fn a_heartbeat_that_is_not_written_is_no_lost_lease() {
    let fixture = Fixture::new().await;
    fixture.fakes.fail(Call::ExtendLease, Fault::Unavailable, 2);
    handle_while_time_passes(&fixture, long(&fixture, 2)).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

/// Works, and has what is written after it wait before it fails: the ending, because the claim is written before.
async fn finish_slowly(fixture: &Fixture, times: usize) {
    let (fakes, began) = (Arc::clone(&fixture.fakes), tokio::time::Instant::now());
    let engine = move |request: &Request<'_>| {
        let slow = Fault::TimedOut(Duration::from_secs(20));
        fakes.fail(Call::Apply, slow, times);
        shout(request)
    };
    let now = fixture.now();
    let worker = Worker {
        clock: Box::new(move || now.plus(began.elapsed())),
        heartbeat: retry::HEARTBEAT,
        ..fixture.worker(engine)
    };
    let sweep = async {
        loop {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let (job, now) = (fixture.record().await, now.plus(began.elapsed()));
            assert_eq!(
                job.release_expired_lease(now),
                None,
                "taken away after {:?}",
                began.elapsed()
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
async fn the_lease_holds_until_a_slow_ending_is_written() {
    let fixture = Fixture::new().await;
    let began = tokio::time::Instant::now();
    finish_slowly(&fixture, 2).await;
    assert!(began.elapsed() > retry::LEASE, "{:?}", began.elapsed());
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Completed, 1));
    assert_eq!((job.progress, job.lease_until), (100, None));
}

#[tokio::test(start_paused = true)]
async fn the_lease_holds_until_another_attempt_is_written_instead() {
    let fixture = Fixture::new().await;
    finish_slowly(&fixture, 3).await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Retrying, 1));
    assert_eq!(fixture.fakes.sent().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_lease_is_let_go_when_nothing_can_be_written() {
    let fixture = Fixture::new().await;
    finish_slowly(&fixture, 9).await;
    let (job, held) = (fixture.record().await, fixture.record().await.lease_until);
    assert_eq!((job.status, job.attempt), (JobStatus::Processing, 1));
    tokio::time::sleep(retry::LEASE).await;
    assert_eq!(
        fixture.record().await.lease_until,
        held,
        "a heartbeat goes on"
    );
}

/// Handles the ticket with an engine that loses its job, waits for the stop flag, and ends as `end` does. Says whether
/// the flag came.
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
async fn a_worker_that_loses_its_lease_stops_its_engine_and_writes_nothing() {
    let fixture = Fixture::new().await;
    assert!(stopped_then(&fixture, |_| Err(EngineError::Stopped)).await);
    assert_of_another_worker(&fixture).await;
    assert_eq!(fixture.stored(1), None);
}

#[tokio::test]
async fn an_engine_that_ends_after_its_lease_was_lost_has_worked_for_nothing() {
    let fixture = Fixture::new().await;
    assert!(stopped_then(&fixture, shout).await);
    assert_of_another_worker(&fixture).await;
    assert_eq!(fixture.stored(1), None);
}

#[tokio::test]
async fn a_stale_worker_that_noticed_nothing_can_neither_finish_nor_overwrite() {
    let fixture = Fixture::new().await;
    let (fakes, id) = (Arc::clone(&fixture.fakes), fixture.job.id.clone());
    let stale = move |request: &Request<'_>| {
        lose_to_another_worker(&fakes, &id);
        let path = request.scratch.join("stale");
        std::fs::write(&path, "stale").unwrap();
        Ok(artifact(&path))
    };
    let worker = Worker {
        heartbeat: Duration::from_secs(60),
        ..fixture.worker(stale)
    };
    worker.handle(&fixture.ticket()).await.unwrap();
    assert_of_another_worker(&fixture).await;
    assert_eq!(fixture.stored(1).unwrap().1, b"stale");

    // Attempt 2 stores elsewhere and finishes.
    let (job, mut stages) = (fixture.record().await, Stages::default());
    let written = fixture.worker(shout).attempt(&job, &mut stages).await;
    assert!(written.is_some());
    assert_eq!(fixture.stored(2).unwrap().1, b"THE WORDS OF THE SOURCE");
    assert_eq!(fixture.stored(1).unwrap().1, b"stale");
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

/// The first worker has told of its beginning, and everything else is as the second worker left it.
async fn assert_of_another_worker(fixture: &Fixture) {
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Processing, 2));
    assert_eq!((job.output, job.error), (None, None));
    assert_eq!(
        fixture.published(),
        [EventType::JobCreated, EventType::JobProcessing]
    );
    assert_eq!((fixture.fakes.sent().len(), fixture.refund()), (0, None));
    assert_eq!(fixture.left_in_scratch(), 0);
}
