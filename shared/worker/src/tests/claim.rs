//! Claiming the jobs of tickets, and publishing their events.

use std::sync::Arc;
use std::time::Duration;

use domain::event::{Event, EventData, EventType};
use domain::job::JobStatus;
use domain::ports::PortError;
use domain::retry;
use domain::ticket::Ticket;
use domain::timestamp::days;
use domain::transition::Claim;
use testkit::{Call, Fault};

use super::fixture::{Fixture, PDF, SOURCE, sha256, unreachable, uppercase};
use crate::worker::Worker;

#[tokio::test]
async fn a_job_is_processed_and_its_outcome_written() {
    let fixture = Fixture::new().await;
    fixture.handle(uppercase).await;

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
    assert_eq!(output.object, "result");
    assert_eq!(output.filename.as_str(), "Bericht März.pdf");
    assert_eq!(output.content_type, PDF);
    assert_eq!((output.size_bytes, output.pages), (SOURCE.len() as u64, 2));
    assert_eq!(
        (output.sha256.as_str(), output.engine.as_str()),
        (sha256(b"THE WORDS OF THE SOURCE").as_str(), "uppercase 1")
    );
    assert_eq!(output.contents, None);
    assert_eq!(output.expires_at, fixture.now().plus(days(7)));

    let (content_type, bytes) = fixture.stored(1).unwrap();
    assert_eq!(bytes, b"THE WORDS OF THE SOURCE");
    assert_eq!(content_type, PDF);
    assert_eq!(fixture.outbox().await, []);
    assert_eq!(fixture.fakes.sent(), []);
    assert_eq!((fixture.refund(), fixture.used_today().await), (None, 1));
    assert_eq!(fixture.scratch_directories(), 0);
}

#[tokio::test]
async fn events_are_published_in_order_with_their_own_ids() {
    let fixture = Fixture::new().await;
    let created = Event::of_job(EventType::JobCreated, &fixture.job);
    fixture.handle(uppercase).await;
    let expected = [
        EventType::JobCreated,
        EventType::JobProcessing,
        EventType::JobCompleted,
    ];
    assert_eq!(fixture.published(), expected);
    let events = fixture.fakes.published();
    assert_eq!(events[0], created);
    let EventData::Job(job) = &events[1].data else {
        panic!("not a job event");
    };
    assert_eq!((job.status, job.attempt), (JobStatus::Processing, 1));
    let sequence = events.iter().map(|event| match &event.data {
        EventData::Job(job) => job.sequence,
        _ => 0,
    });
    assert_eq!(sequence.collect::<Vec<_>>(), [1, 2, 3]);
}

#[tokio::test]
async fn events_of_a_short_job_are_published_in_one_request() {
    let fixture = Fixture::new().await;
    fixture.fakes.succeed_next(Call::Publish, 1);
    fixture.fakes.fail(Call::Publish, Fault::Unavailable, 99);
    fixture.handle(uppercase).await;
    assert_eq!(fixture.published().len(), 3);
    assert_eq!(fixture.outbox().await, []);
}

#[tokio::test(start_paused = true)]
async fn events_of_a_claim_are_published_during_a_long_job() {
    let fixture = Fixture::new().await;
    fixture.fakes.delay_engine(Duration::from_secs(20));
    let observe = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        fixture.published()
    };
    let ((), published) = tokio::join!(fixture.handle(uppercase), observe);
    assert_eq!(published, [EventType::JobCreated, EventType::JobProcessing]);
    assert_eq!(fixture.published().pop(), Some(EventType::JobCompleted));
}

#[tokio::test]
async fn a_later_attempt_does_not_publish_job_created_again() {
    let fixture = Fixture::retrying(1).await;
    fixture.handle(uppercase).await;
    let expected = [EventType::JobProcessing, EventType::JobCompleted];
    assert_eq!(fixture.published(), expected);
    assert!(fixture.stored(2).is_some());
}

#[tokio::test]
async fn a_redriven_job_does_not_publish_job_created_twice() {
    let fixture = Fixture::with(|job| {
        let later = job.created_at.plus(retry::START_WITHIN);
        let buried = job.dead_letter(later).unwrap().job;
        *job = buried.redrive(later).unwrap().job;
    })
    .await;
    assert_eq!(
        (fixture.job.status, fixture.job.attempt),
        (JobStatus::Queued, 0)
    );
    fixture.handle(uppercase).await;
    let expected = [EventType::JobProcessing, EventType::JobCompleted];
    assert_eq!(fixture.published(), expected);
}

#[tokio::test]
async fn a_duplicate_ticket_causes_one_attempt() {
    let fixture = Fixture::new().await;
    fixture.handle(uppercase).await;
    let once = fixture.record().await;
    fixture.handle(unreachable).await;
    assert_eq!(fixture.record().await, once);
    assert_eq!(fixture.published().len(), 3);
}

#[tokio::test]
async fn a_ticket_of_a_leased_job_is_ignored() {
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
async fn of_two_concurrent_claims_one_succeeds() {
    let fixture = Fixture::new().await;
    let (fakes, job, now) = (
        Arc::clone(&fixture.fakes),
        fixture.job.clone(),
        fixture.now(),
    );
    let Claim::Work(claimed) = job.claim(now) else {
        panic!("not claimed")
    };
    // The clock is read between reading and claiming the job: another worker claims it at that moment.
    let slower = Worker {
        clock: Box::new(move || {
            fakes.put_job(claimed.job.clone());
            now
        }),
        ..fixture.worker()
    };
    fixture.script(unreachable);
    slower.handle(&fixture.ticket()).await.unwrap();
    let record = fixture.record().await;
    assert_eq!((record.status, record.attempt), (JobStatus::Processing, 1));
    assert_eq!(fixture.published(), []);
}

#[tokio::test]
async fn a_ticket_of_version_one_is_accepted() {
    let fixture = Fixture::new().await;
    let ticket = Ticket::read(&format!(r#"{{"jobId":"{}"}}"#, fixture.job.id)).unwrap();
    fixture.script(uppercase);
    fixture.worker().handle(&ticket).await.unwrap();
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

#[tokio::test]
async fn a_ticket_of_an_unknown_job_is_ignored() {
    let fixture = Fixture::new().await;
    fixture.fakes.remove_job(&fixture.job.id);
    fixture.handle(unreachable).await;
    assert_eq!(fixture.published(), []);
}

#[tokio::test]
async fn an_error_before_the_claim_leaves_the_ticket_in_its_queue() {
    for call in [Call::ReadJob, Call::Apply] {
        let fixture = Fixture::new().await;
        fixture.fakes.fail(call, Fault::Contended, 1);
        fixture.script(unreachable);
        let result = fixture.worker().handle(&fixture.ticket()).await;
        assert!(matches!(result, Err(PortError::Contended)), "{call:?}");
        assert_eq!(fixture.record().await, fixture.job, "{call:?}");
    }
}

#[tokio::test]
async fn the_sixth_claim_dead_letters_the_job_and_refunds_the_charge() {
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
async fn events_stay_in_the_outbox_while_the_bus_is_down() {
    let fixture = Fixture::new().await;
    fixture.fakes.fail(Call::Publish, Fault::Unavailable, 99);
    fixture.handle(uppercase).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
    assert_eq!(
        (fixture.published().len(), fixture.outbox().await.len()),
        (0, 3)
    );
}
