//! Tests of every transition, from every status that allows or forbids it.

use super::*;
use crate::filename::Filename;
use crate::format::Format;
use crate::id::{AccountId, JobId, SourceKey};
use crate::job::{JobLimits, JobSource, UploadedSource};
use crate::operation::{ConvertOptions, Operation};
use crate::plan::Plan;
use crate::processor::Processor;

const NOW: Timestamp = Timestamp(1_795_250_000_000);

fn job(status: JobStatus, attempt: u32) -> Job {
    Job {
        record_version: Job::RECORD_VERSION,
        id: JobId::mint(NOW, 7),
        account_id: AccountId::mint(NOW, 8),
        status,
        attempt,
        attempt_limit: retry::ATTEMPTS,
        created_at: NOW,
        updated_at: NOW,
        expires_at: NOW.plus(Duration::from_secs(1_000)),
        filename: Filename::try_from("a.docx".to_owned()).unwrap(),
        input_format: Format::Docx,
        format: Format::Pdf,
        steps: vec![Operation::Convert(ConvertOptions::to(Format::Pdf))],
        processor: Processor::ProcessOffice,
        source: JobSource::Upload(UploadedSource {
            key: SourceKey::mint(NOW, 9),
            etag: "\"e\"".into(),
            size_bytes: 5,
        }),
        limits: JobLimits::from(Plan::Free.limits()),
        charge: Charge {
            credits: 2,
            units: 1,
            day: "2026-11-21".into(),
        },
        result_days: 7,
        strict: false,
        metadata: None,
        traceparent: None,
        lease_until: None,
        not_before: None,
        progress: 0,
        output: None,
        error: None,
        refunded: false,
        warnings: vec![],
        attachments: Vec::new(),
        document: None,
        step_runs: Vec::new(),
        timeline: vec![],
    }
}

fn processing(lease_until: Timestamp) -> Job {
    Job {
        lease_until: Some(lease_until),
        ..job(JobStatus::Processing, 1)
    }
}

#[test]
fn a_claim_increments_the_attempt_and_takes_a_lease() {
    let Claim::Work(transition) = job(JobStatus::Queued, 0).claim(NOW) else {
        panic!("not claimed")
    };
    assert_eq!(
        transition.expected,
        Expected {
            status: JobStatus::Queued,
            attempt: 0,
            lease_until: None
        }
    );
    assert_eq!(
        (transition.job.status, transition.job.attempt),
        (JobStatus::Processing, 1)
    );
    assert_eq!(transition.job.lease_until, Some(NOW.plus(retry::LEASE)));
    assert_eq!(transition.ticket, TicketChange::Remove);
    assert_eq!(transition.job.timeline.last().unwrap().attempt, 1);
}

#[test]
fn a_ticket_of_a_job_that_is_leased_finished_or_not_due_is_dropped() {
    let early = Job {
        not_before: Some(NOW.plus(Duration::from_secs(5))),
        ..job(JobStatus::Retrying, 1)
    };
    assert_eq!(early.claim(NOW), Claim::Nothing);
    assert_eq!(
        processing(NOW.plus(Duration::from_secs(9))).claim(NOW),
        Claim::Nothing
    );
    for ended in [
        JobStatus::Completed,
        JobStatus::Failed,
        JobStatus::DeadLetter,
    ] {
        assert_eq!(job(ended, 1).claim(NOW), Claim::Nothing, "{ended}");
    }
}

#[test]
fn the_sixth_claim_dead_letters_and_refunds() {
    assert!(matches!(
        job(JobStatus::Retrying, 4).claim(NOW),
        Claim::Work(_)
    ));
    let Claim::DeadLetter(transition) = job(JobStatus::Retrying, 5).claim(NOW) else {
        panic!("not dead-lettered")
    };
    assert_eq!(transition.job.status, JobStatus::DeadLetter);
    assert_eq!(transition.refund, Some(transition.job.charge.clone()));
    assert!(transition.job.refunded);
    assert_eq!(
        transition.event.unwrap().event_type,
        EventType::JobDeadLetter
    );
}

#[test]
fn an_interrupted_attempt_is_retried_after_the_back_off() {
    let transition = processing(NOW).finish(AttemptOutcome::Interrupted("disk".into()), NOW);
    assert_eq!(transition.job.status, JobStatus::Retrying);
    assert_eq!(transition.job.not_before, Some(NOW.plus(retry::backoff(1))));
    assert_eq!(transition.refund, None);
    let TicketChange::Put { delay, due, .. } = transition.ticket else {
        panic!("no ticket")
    };
    assert_eq!(
        (delay, due),
        (
            retry::backoff(1),
            NOW.plus(retry::backoff(1)).plus(retry::RESEND_AFTER)
        )
    );
}

#[test]
fn a_continued_attempt_keeps_its_progress_and_uses_up_no_attempt() {
    let outcome = AttemptOutcome::Continued { progress: 40 };
    let continued = processing(NOW).finish(outcome, NOW);
    assert_eq!(continued.job.status, JobStatus::Retrying);
    assert_eq!(continued.job.attempt_limit, retry::ATTEMPTS + 1);
    assert_eq!(
        (continued.event.as_ref(), continued.refund.as_ref()),
        (None, None)
    );
    let TicketChange::Put { delay, .. } = continued.ticket else {
        panic!("no ticket")
    };
    assert_eq!(delay, Duration::ZERO);
    let Claim::Work(next) = continued.job.claim(NOW) else {
        panic!("not claimed")
    };
    assert_eq!((next.job.attempt, next.job.progress), (2, 40));
    let interrupted = AttemptOutcome::Interrupted("disk".into());
    let interrupted = next.job.finish(interrupted, NOW);
    assert_eq!(interrupted.job.progress, 0);
    let late = Job {
        attempt: retry::MAX_UNCOUNTED_ATTEMPT,
        ..processing(NOW)
    };
    let late = late.finish(AttemptOutcome::Continued { progress: 40 }, NOW);
    assert_eq!(late.job.attempt_limit, retry::ATTEMPTS);
}

fn postponed(delay: Duration) -> AttemptOutcome {
    let reason = "no concurrency".to_owned();
    AttemptOutcome::Postponed { delay, reason }
}

/// Postpones the attempts of a job at `now`, each at once, until it is dead-lettered. Returns its last state.
fn postponed_until_dead_letter(mut job: Job, now: Timestamp) -> Job {
    loop {
        match job.claim(now) {
            Claim::Work(claimed) => {
                let delay = Duration::from_secs(1);
                let transition = claimed.job.finish(postponed(delay), now);
                assert_eq!(transition.job.not_before, Some(now.plus(delay)));
                job = Job {
                    not_before: None,
                    ..transition.job
                };
            }
            Claim::DeadLetter(transition) => return transition.job,
            Claim::Nothing => panic!("not due"),
        }
    }
}

#[test]
fn a_postponed_attempt_is_retried_and_does_not_count() {
    let delay = Duration::from_secs(15);
    let transition = Job {
        attempt: 5,
        ..processing(NOW)
    }
    .finish(postponed(delay), NOW);
    assert_eq!(transition.job.status, JobStatus::Retrying);
    assert_eq!(transition.job.not_before, Some(NOW.plus(delay)));
    assert_eq!(transition.refund, None);
    assert_eq!(transition.event.unwrap().event_type, EventType::JobRetrying);
    assert_eq!(transition.expected.attempt, 5);
    let later = NOW.plus(delay);
    let Claim::Work(claimed) = transition.job.claim(later) else {
        panic!("not claimed")
    };
    assert_eq!(claimed.job.attempt, 6, "the fencing token rises");

    let interrupted = claimed
        .job
        .finish(AttemptOutcome::Interrupted("disk".into()), later);
    let due = interrupted.job.not_before.unwrap();
    assert!(matches!(interrupted.job.claim(due), Claim::DeadLetter(_)));
}

#[test]
fn a_job_is_not_postponed_forever() {
    let last = postponed_until_dead_letter(job(JobStatus::Queued, 0), NOW);
    assert_eq!(last.attempt, retry::MAX_UNCOUNTED_ATTEMPT + 4);

    let old = NOW.plus(retry::START_WITHIN);
    let last = postponed_until_dead_letter(job(JobStatus::Queued, 0), old);
    assert_eq!(last.attempt, retry::ATTEMPTS);
}

#[test]
fn a_failed_job_is_refunded_and_has_an_error() {
    let transition = processing(NOW).finish(
        AttemptOutcome::Failed(JobError::new(JobErrorCode::InputCorrupt, "damaged")),
        NOW,
    );
    assert_eq!(transition.job.status, JobStatus::Failed);
    assert_eq!(
        transition.job.error.unwrap().code,
        JobErrorCode::InputCorrupt
    );
    assert!(transition.refund.is_some());
}

#[test]
fn a_job_is_released_only_after_its_lease_expired_without_heartbeat() {
    let until = NOW.plus(Duration::from_secs(1));
    assert_eq!(processing(until).release_expired_lease(NOW), None);
    let transition = processing(until)
        .release_expired_lease(until.plus(Duration::from_millis(1)))
        .unwrap();
    assert_eq!(transition.expected.lease_until, Some(until));
    assert_eq!(transition.job.status, JobStatus::Retrying);
    assert_eq!(job(JobStatus::Queued, 0).release_expired_lease(NOW), None);
}

#[test]
fn a_job_can_be_cancelled_until_it_is_claimed() {
    for waiting in [JobStatus::Queued, JobStatus::Retrying] {
        let transition = job(waiting, 1).cancel(NOW).unwrap();
        assert_eq!(transition.job.error.unwrap().code, JobErrorCode::Cancelled);
        assert!(transition.refund.is_some());
    }
    for other in [
        JobStatus::Processing,
        JobStatus::Completed,
        JobStatus::Failed,
        JobStatus::DeadLetter,
    ] {
        assert_eq!(job(other, 1).cancel(NOW), None, "{other}");
    }
}

#[test]
fn a_job_with_a_valid_lease_is_not_dead_lettered() {
    assert_eq!(
        processing(NOW.plus(Duration::from_secs(1))).dead_letter(NOW),
        None
    );
    assert!(processing(Timestamp(NOW.0 - 1)).dead_letter(NOW).is_some());
    assert!(job(JobStatus::Queued, 0).dead_letter(NOW).is_some());
    assert_eq!(job(JobStatus::Completed, 1).dead_letter(NOW), None);
}

#[test]
fn a_redriven_job_gets_five_more_attempts_and_is_not_charged_again() {
    let transition = job(JobStatus::DeadLetter, 5).redrive(NOW).unwrap();
    assert_eq!(
        (transition.job.status, transition.job.attempt_limit),
        (JobStatus::Queued, 10)
    );
    assert_eq!(transition.refund, None);
    assert!(transition.job.expires_at >= NOW.plus(retry::START_WITHIN));
    assert_eq!(job(JobStatus::Failed, 5).redrive(NOW), None);
}

#[test]
fn the_same_transition_has_the_same_event_identifier() {
    let (one, two) = (
        processing(NOW).finish(AttemptOutcome::Interrupted("a".into()), NOW),
        processing(NOW).finish(AttemptOutcome::Interrupted("b".into()), NOW),
    );
    assert_eq!(one.event, two.event);
}
