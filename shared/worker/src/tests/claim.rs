//! What a ticket leads to before and beside the work.

use std::sync::Arc;
use std::time::Duration;

use domain::event::{Event, EventData, EventType};
use domain::job::JobStatus;
use domain::ports::PortError;
use domain::retry;
use domain::ticket::Ticket;
use domain::timestamp::days;
use domain::transition::Claim;
use engine::{Artifact, EngineError, Request};
use testkit::{Call, Fault};

use super::fixture::{Fixture, SOURCE, shout};
use crate::worker::Worker;

/// An engine that must not be reached.
fn unreachable(_: &Request<'_>) -> Result<Artifact, EngineError> {
    Err(EngineError::Service("the engine was reached".to_owned()))
}

#[tokio::test]
async fn a_job_is_worked_on_and_everything_of_it_is_written() {
    let fixture = Fixture::new().await;
    fixture.handle(shout).await;

    let job = fixture.record().await;
    let statuses: Vec<_> = job.timeline.iter().map(|entry| entry.status).collect();
    let expected = [
        JobStatus::Queued,
        JobStatus::Processing,
        JobStatus::Completed,
    ];
    assert_eq!(statuses, expected);
    assert_eq!((job.attempt, job.progress, job.lease_until), (1, 100, None));
    assert_eq!(job.warnings[0].code, "limited_by_plan");

    let output = job.output.unwrap();
    assert_eq!(output.object, "result.zip");
    assert_eq!(output.filename.as_str(), "Bericht März.zip");
    assert_eq!(output.content_type, "application/zip");
    assert_eq!((output.size_bytes, output.pages), (SOURCE.len() as u64, 2));
    assert_eq!(
        (output.sha256.as_str(), output.engine.as_str()),
        ("ab12", "shouter 1")
    );
    assert_eq!(output.contents.unwrap().sizes, [9]);
    assert_eq!(output.expires_at, fixture.now().plus(days(7)));

    let (content_type, bytes) = fixture.stored(1).unwrap();
    assert_eq!(bytes, b"THE WORDS OF THE SOURCE");
    assert_eq!(content_type, "application/zip");
    assert_eq!(fixture.outbox().await, []);
    assert_eq!(fixture.fakes.sent(), []);
    assert_eq!((fixture.refund(), fixture.used_today().await), (None, 1));
    assert_eq!(fixture.left_in_scratch(), 0);
}

#[tokio::test]
async fn events_go_out_in_the_order_of_what_happened_and_under_their_own_identifiers() {
    let fixture = Fixture::new().await;
    let created = Event::of_job(EventType::JobCreated, &fixture.job);
    fixture.handle(shout).await;
    let expected = [
        EventType::JobCreated,
        EventType::JobProcessing,
        EventType::JobCompleted,
    ];
    assert_eq!(fixture.published(), expected);
    let events = fixture.fakes.published();
    assert_eq!(events[0], created);
    let EventData::Job(told) = &events[1].data else {
        panic!("not about a job");
    };
    assert_eq!((told.status, told.attempt), (JobStatus::Processing, 1));
    let sequence = events.iter().map(|event| match &event.data {
        EventData::Job(told) => told.sequence,
        _ => 0,
    });
    assert_eq!(sequence.collect::<Vec<_>>(), [1, 2, 3]);
}

#[tokio::test]
async fn one_request_tells_all_of_a_job_that_ends_soon() {
    let fixture = Fixture::new().await;
    fixture.fakes.let_pass(Call::Publish, 1);
    fixture.fakes.fail(Call::Publish, Fault::Unavailable, 99);
    fixture.handle(shout).await;
    assert_eq!(fixture.published().len(), 3);
    assert_eq!(fixture.outbox().await, []);
}

#[tokio::test]
async fn that_a_job_is_worked_on_is_told_while_it_takes_its_time() {
    let fixture = Fixture::new().await;
    let fakes = Arc::clone(&fixture.fakes);
    let patient = move |request: &Request<'_>| {
        for _ in 0..1_000 {
            if fakes.published().len() == 2 {
                return shout(request);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Err(EngineError::Service("nothing was told".to_owned()))
    };
    fixture.handle(patient).await;
    assert_eq!(fixture.published().pop(), Some(EventType::JobCompleted));
}

#[tokio::test]
async fn a_later_attempt_does_not_tell_of_the_creation_again() {
    let fixture = Fixture::retrying(1).await;
    fixture.handle(shout).await;
    let expected = [EventType::JobProcessing, EventType::JobCompleted];
    assert_eq!(fixture.published(), expected);
    assert!(fixture.stored(2).is_some());
}

#[tokio::test]
async fn a_job_that_was_buried_unstarted_and_sent_round_again_is_not_created_twice() {
    let fixture = Fixture::with(|job| {
        let later = job.created_at.plus(retry::START_WITHIN);
        let buried = job.give_up(later).unwrap().job;
        *job = buried.redrive(later).unwrap().job;
    })
    .await;
    assert_eq!(
        (fixture.job.status, fixture.job.attempt),
        (JobStatus::Queued, 0)
    );
    fixture.handle(shout).await;
    let expected = [EventType::JobProcessing, EventType::JobCompleted];
    assert_eq!(fixture.published(), expected);
}

#[tokio::test]
async fn a_ticket_that_comes_twice_leads_to_one_attempt() {
    let fixture = Fixture::new().await;
    fixture.handle(shout).await;
    let once = fixture.record().await;
    fixture.handle(unreachable).await;
    assert_eq!(fixture.record().await, once);
    assert_eq!(fixture.published().len(), 3);
}

#[tokio::test]
async fn a_ticket_that_comes_while_the_job_is_held_is_done_with() {
    let fixture = Fixture::with(|job| {
        job.status = JobStatus::Processing;
        job.attempt = 1;
        job.lease_until = Some(job.created_at.plus(retry::LEASE));
    })
    .await;
    fixture.handle(unreachable).await;
    assert_eq!(fixture.record().await, fixture.job);
    assert_eq!(fixture.published(), []);
}

#[tokio::test]
async fn of_two_workers_that_read_the_same_job_one_works() {
    let fixture = Fixture::new().await;
    let (fakes, job, now) = (
        Arc::clone(&fixture.fakes),
        fixture.job.clone(),
        fixture.now(),
    );
    let Claim::Work(claimed) = job.claim(now) else {
        panic!("not claimed")
    };
    // The clock is read between reading the job and claiming it: the moment at which another worker claims it.
    let slower = Worker {
        clock: Box::new(move || {
            fakes.put_job(claimed.job.clone());
            now
        }),
        ..fixture.worker(unreachable)
    };
    slower.handle(&fixture.ticket()).await.unwrap();
    let record = fixture.record().await;
    assert_eq!((record.status, record.attempt), (JobStatus::Processing, 1));
    assert_eq!(fixture.published(), []);
}

#[tokio::test]
async fn a_ticket_of_the_first_form_is_good() {
    let fixture = Fixture::new().await;
    let ticket = Ticket::read(&format!(r#"{{"jobId":"{}"}}"#, fixture.job.id)).unwrap();
    fixture.worker(shout).handle(&ticket).await.unwrap();
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

#[tokio::test]
async fn a_ticket_of_an_unknown_job_is_done_with() {
    let fixture = Fixture::new().await;
    fixture.fakes.remove_job(&fixture.job.id);
    fixture.handle(unreachable).await;
    assert_eq!(fixture.published(), []);
}

#[tokio::test]
async fn before_the_claim_a_failure_leaves_the_ticket_in_its_queue() {
    for call in [Call::ReadJob, Call::Apply] {
        let fixture = Fixture::new().await;
        fixture.fakes.fail(call, Fault::Contended, 1);
        let result = fixture.worker(unreachable).handle(&fixture.ticket()).await;
        assert!(matches!(result, Err(PortError::Contended)), "{call:?}");
        assert_eq!(fixture.record().await, fixture.job, "{call:?}");
    }
}

#[tokio::test]
async fn the_sixth_claim_buries_the_job_and_gives_the_charge_back() {
    let fixture = Fixture::retrying(5).await;
    assert_eq!(fixture.used_today().await, 1);
    fixture.handle(unreachable).await;
    assert_eq!(fixture.record().await.status, JobStatus::DeadLetter);
    assert_eq!(fixture.published(), [EventType::JobDeadLetter]);
    let refund = fixture.refund();
    assert_eq!(
        (refund, fixture.used_today().await),
        (Some(fixture.job.charge.clone()), 0)
    );
    assert_eq!(fixture.fakes.sent(), []);
}

#[tokio::test]
async fn events_that_the_bus_did_not_take_stay_in_the_outbox() {
    let fixture = Fixture::new().await;
    fixture.fakes.fail(Call::Publish, Fault::Unavailable, 99);
    fixture.handle(shout).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
    assert_eq!(
        (fixture.published().len(), fixture.outbox().await.len()),
        (0, 3)
    );
}
