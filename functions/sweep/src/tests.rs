//! Rows that a crash leaves behind are found and processed once, and no row blocks another.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use domain::event::EventType;
use domain::job::{Job, JobStatus};
use domain::outbox::{SHARDS, shard};
use domain::plan::Plan;
use domain::ports::{Due, Jobs as _, Outbox as _};
use domain::retry;
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;
use domain::transition::{AttemptOutcome, Claim};
use serde_json::{Value, json};
use testkit::fakes::SentTicket;
use testkit::{Call, Environment as _, Fakes, Fault, logs, sample};
use tracing::Level;

use crate::{Incomplete, SweepReport, rotated_shards};

const FOREVER: Timestamp = Timestamp(i64::MAX);

/// The time `seconds` after the start of the fake clock.
fn at(seconds: u64) -> Timestamp {
    Fakes::new().now().plus(Duration::from_secs(seconds))
}

/// A job accepted at second 0: its ticket row is due after 60 s, `job.created` after 5 s.
async fn accepted(fakes: &Fakes) -> Job {
    let account = sample::account(fakes, Plan::Business);
    let acceptance = sample::acceptance(fakes, &account, &sample::fingerprint(fakes));
    fakes.accept(&acceptance).await.unwrap();
    acceptance.job
}

/// An accepted job whose `job.created` is published, modified by `change`.
async fn waiting(fakes: &Fakes, change: impl FnOnce(&mut Job)) -> Job {
    let mut job = accepted(fakes).await;
    assert_eq!(sweep(fakes, 5).await.published, 1);
    change(&mut job);
    fakes.put_job(job.clone());
    job
}

async fn try_sweep(fakes: &Fakes, seconds: u64) -> Result<SweepReport, Incomplete> {
    let deadline = Instant::now() + Duration::from_secs(30);
    crate::sweep(fakes, at(seconds), deadline).await
}

async fn sweep(fakes: &Fakes, seconds: u64) -> SweepReport {
    try_sweep(fakes, seconds).await.unwrap()
}

async fn record(fakes: &Fakes, job: &Job) -> Job {
    fakes.job(&job.id).await.unwrap().unwrap()
}

/// All outbox rows of a job, due now or later.
async fn outbox(fakes: &Fakes, job: &Job) -> Vec<Due> {
    let page = fakes.due(shard(&job.id), FOREVER, None, 100).await;
    page.unwrap().rows
}

fn event_types(fakes: &Fakes) -> Vec<EventType> {
    let events = fakes.published().into_iter();
    events.map(|event| event.event_type).collect()
}

#[tokio::test]
async fn a_lost_ticket_is_resent_with_exponential_backoff() {
    let fakes = Fakes::new();
    let job = waiting(&fakes, |_| {}).await;
    let mut minutes = Vec::new();
    for minute in 0..=9 {
        if sweep(&fakes, minute * 60).await.resent == 1 {
            minutes.push(minute);
        }
    }
    // Due after 60 s, then 120 s and 240 s later.
    assert_eq!(minutes, [1, 3, 7]);
    let ticket = Ticket::for_job(&job);
    let sent = SentTicket {
        processor: job.processor,
        group: job.account_id.to_string(),
        ticket: ticket.clone(),
        delay: Duration::ZERO,
    };
    assert_eq!(fakes.sent(), vec![sent; 3]);
    assert_eq!(
        outbox(&fakes, &job).await,
        [Due::Ticket { ticket, sent: 3 }]
    );
}

#[tokio::test]
async fn a_ticket_that_could_not_be_sent_is_due_in_the_next_minute() {
    let fakes = Fakes::new();
    waiting(&fakes, |_| {}).await;
    fakes.fail(Call::Send, Fault::Unavailable, 1);
    let failed = SweepReport {
        failed: 1,
        ..SweepReport::default()
    };
    assert_eq!(try_sweep(&fakes, 60).await, Err(Incomplete(failed)));
    assert_eq!(sweep(&fakes, 120).await.resent, 1);
}

#[tokio::test]
async fn a_ticket_is_not_sent_before_its_job_is_due() {
    let fakes = Fakes::new();
    waiting(&fakes, |job| {
        job.status = JobStatus::Retrying;
        job.not_before = Some(at(135));
    })
    .await;
    assert_eq!(sweep(&fakes, 134).await, SweepReport::default());
    assert_eq!(sweep(&fakes, 135).await.resent, 1);
}

#[tokio::test]
async fn the_ticket_row_of_a_finished_job_is_removed() {
    for status in [JobStatus::Completed, JobStatus::Failed] {
        let fakes = Fakes::new();
        let job = waiting(&fakes, |job| job.status = status).await;
        let removed = SweepReport {
            removed: 1,
            ..SweepReport::default()
        };
        assert_eq!(sweep(&fakes, 60).await, removed, "{status}");
        assert_eq!((outbox(&fakes, &job).await, fakes.sent()), (vec![], vec![]));
    }
}

#[tokio::test]
async fn the_ticket_row_of_a_deleted_job_is_removed() {
    let fakes = Fakes::new();
    let job = waiting(&fakes, |_| {}).await;
    fakes.remove_job(&job.id);
    assert_eq!(
        sweep(&fakes, 60).await,
        SweepReport {
            removed: 1,
            ..SweepReport::default()
        }
    );
    assert_eq!((outbox(&fakes, &job).await, fakes.sent()), (vec![], vec![]));
}

#[tokio::test]
async fn a_stale_read_of_a_ticket_row_is_ignored() {
    for status in [JobStatus::Processing, JobStatus::DeadLetter] {
        let fakes = Fakes::new();
        let job = waiting(&fakes, |job| job.status = status).await;
        assert_eq!(sweep(&fakes, 60).await, SweepReport::default(), "{status}");
        assert_eq!(
            (outbox(&fakes, &job).await.len(), fakes.sent()),
            (1, vec![])
        );
    }
}

#[tokio::test]
async fn a_job_that_no_worker_starts_within_the_retention_is_dead_lettered_and_refunded() {
    let fortnight = retry::START_WITHIN.as_secs();
    let fakes = Fakes::new();
    let job = waiting(&fakes, |_| {}).await;
    assert_eq!(sweep(&fakes, fortnight).await.resent, 1);
    let dead_lettered = SweepReport {
        dead_lettered: 1,
        ..SweepReport::default()
    };
    assert_eq!(sweep(&fakes, fortnight + 3_601).await, dead_lettered);
    assert_eq!(record(&fakes, &job).await.status, JobStatus::DeadLetter);
    assert_eq!(fakes.refund(&job.id), Some(job.charge.clone()));
    assert_eq!(
        event_types(&fakes),
        [EventType::JobCreated, EventType::JobDeadLetter]
    );
    assert_eq!(outbox(&fakes, &job).await, []);
}

#[tokio::test]
async fn a_job_whose_lease_expired_is_retried_at_once() {
    let fakes = Fakes::new();
    let job = waiting(&fakes, |_| {}).await;
    let Claim::Work(claimed) = job.claim(at(21)) else {
        panic!("not claimed")
    };
    fakes.apply(&claimed).await.unwrap();
    // The lease holds until 51 s; the event of the claim is due at 41 s.
    assert_eq!(
        sweep(&fakes, 51).await,
        SweepReport {
            published: 1,
            ..SweepReport::default()
        }
    );
    assert_eq!(
        sweep(&fakes, 52).await,
        SweepReport {
            released: 1,
            ..SweepReport::default()
        }
    );

    let job = record(&fakes, &job).await;
    assert_eq!((job.status, job.attempt), (JobStatus::Retrying, 1));
    assert_eq!((job.lease_until, job.not_before), (None, Some(at(52))));
    let [sent] = &fakes.sent()[..] else {
        panic!("not one ticket")
    };
    assert_eq!(
        (&sent.ticket, sent.delay),
        (&Ticket::for_job(&job), Duration::ZERO)
    );
    assert_eq!(event_types(&fakes).pop(), Some(EventType::JobRetrying));
    assert_eq!(fakes.refund(&job.id), None);
    assert_eq!(sweep(&fakes, 53).await, SweepReport::default());
    assert!(matches!(job.claim(at(53)), Claim::Work(_)));
}

#[tokio::test]
async fn events_are_published_once_in_the_order_in_which_they_happened() {
    let fakes = Fakes::new();
    let job = accepted(&fakes).await;
    let Claim::Work(claimed) = job.claim(at(1)) else {
        panic!("not claimed")
    };
    fakes.apply(&claimed).await.unwrap();
    let retried = claimed
        .job
        .finish(AttemptOutcome::Interrupted(String::new()), at(2));
    fakes.apply(&retried).await.unwrap();
    assert_eq!(sweep(&fakes, 4).await, SweepReport::default());
    assert_eq!(sweep(&fakes, 19).await.published, 1, "job.created");
    assert_eq!(
        sweep(&fakes, 30).await,
        SweepReport {
            published: 2,
            ..SweepReport::default()
        }
    );
    assert_eq!(sweep(&fakes, 60).await, SweepReport::default());
    let expected = [
        EventType::JobCreated,
        EventType::JobProcessing,
        EventType::JobRetrying,
    ];
    assert_eq!(event_types(&fakes), expected);
}

#[tokio::test]
async fn an_event_that_the_bus_rejects_is_reported_and_stays() {
    let fakes = Fakes::new();
    accepted(&fakes).await;
    fakes.fail(Call::Publish, Fault::Unavailable, 1);
    let failed = SweepReport {
        failed: 1,
        ..SweepReport::default()
    };
    assert_eq!(try_sweep(&fakes, 30).await, Err(Incomplete(failed)));
    assert_eq!(sweep(&fakes, 40).await.published, 1);
}

#[tokio::test]
async fn a_shard_that_cannot_be_read_does_not_stop_the_others() {
    let fakes = Fakes::new();
    let (mut first, read_first) = (0, rotated_shards(at(60)).next().unwrap());
    for _ in 0..400 {
        first += usize::from(shard(&accepted(&fakes).await.id) == read_first);
    }
    assert!(first > 0 && SHARDS > 1);
    fakes.fail(Call::Due, Fault::Unavailable, 1);
    let Err(Incomplete(report)) = try_sweep(&fakes, 60).await else {
        panic!("not reported")
    };
    let done = 400 - first;
    assert_eq!(
        (report.failed, report.resent, report.published),
        (1, done, done)
    );
}

/// `count` accepted jobs of one shard, with `job.created` published already.
async fn of_one_shard(fakes: &Fakes, count: usize) -> Vec<Job> {
    let account = sample::account(fakes, Plan::Business);
    let mut jobs = Vec::new();
    while jobs.len() < count {
        let acceptance = sample::acceptance(fakes, &account, &sample::fingerprint(fakes));
        if shard(&acceptance.job.id) == 3 {
            fakes.accept(&acceptance).await.unwrap();
            jobs.push(acceptance.job);
        }
    }
    assert_eq!(sweep(fakes, 59).await.published, count);
    jobs
}

#[tokio::test]
async fn rows_that_fail_do_not_block_the_rows_after_them() {
    let fakes = Fakes::new();
    of_one_shard(&fakes, 250).await;
    fakes.fail(Call::ReadJob, Fault::Unavailable, 120);
    let Err(Incomplete(report)) = try_sweep(&fakes, 60).await else {
        panic!("not reported")
    };
    assert_eq!((report.failed, report.resent), (120, 130));
}

#[tokio::test]
async fn unreadable_rows_block_no_other_row_and_are_logged_once_per_run() {
    let fakes = Fakes::new();
    let jobs = of_one_shard(&fakes, 3).await;
    for _ in 0..250 {
        fakes.put_unreadable_row(&jobs[0].id, at(30));
    }
    let (swept, lines) = logs::of(Level::INFO, try_sweep(&fakes, 60)).await;
    let Err(Incomplete(report)) = swept else {
        panic!("not reported")
    };
    assert_eq!((report.failed, report.resent), (250, 3));

    let logged: Vec<_> = (lines.iter())
        .filter(|line| line["rows"].is_u64())
        .collect();
    let rows: Vec<_> = logged.iter().map(|line| line["rows"].as_u64()).collect();
    assert_eq!(rows, [Some(100), Some(100), Some(50)]);
    assert_eq!(logged[0]["level"], "ERROR");
    assert_eq!(logged[0]["first"], "unreadable 0");
    let metric = |line: &Value| line["OutboxRowsUnreadable"].as_u64();
    assert_eq!(lines.iter().filter_map(metric).sum::<u64>(), 250);
}

#[tokio::test]
async fn unreadable_jobs_block_no_expired_lease_after_them() {
    let fakes = Fakes::new();
    for job in of_one_shard(&fakes, 250).await {
        let Claim::Work(claimed) = job.claim(at(60)) else {
            panic!("not claimed")
        };
        fakes.apply(&claimed).await.unwrap();
    }
    assert_eq!(sweep(&fakes, 80).await.published, 250);
    fakes.fail(Call::ReadJob, Fault::Unavailable, 120);
    let Err(Incomplete(report)) = try_sweep(&fakes, 100).await else {
        panic!("not reported")
    };
    assert_eq!((report.failed, report.released), (120, 130));
}

#[tokio::test]
async fn log_lines_about_a_job_have_its_identifiers_at_every_level() {
    for level in [Level::INFO, Level::WARN] {
        let fakes = Fakes::new();
        let lost = waiting(&fakes, |_| {}).await;
        let dead = waiting(&fakes, |job| {
            job.status = JobStatus::Processing;
            job.attempt = 2;
            job.lease_until = Some(at(40));
        })
        .await;
        let (swept, lines) = logs::of(level, try_sweep(&fakes, 60)).await;
        swept.unwrap();
        for job in [&lost, &dead] {
            let span = identifiers(job);
            let logged = |line: &Value| line["span"] == span;
            assert!(lines.iter().any(logged), "{span}: {lines:?}");
        }
    }
}

#[tokio::test]
async fn a_failed_row_is_logged_with_the_job_and_the_trace_of_its_ticket() {
    let fakes = Fakes::new();
    let job = waiting(&fakes, |_| {}).await;
    fakes.fail(Call::ReadJob, Fault::Unavailable, 1);
    let (swept, lines) = logs::of(Level::ERROR, try_sweep(&fakes, 60)).await;
    swept.unwrap_err();
    let [line] = &lines[..] else {
        panic!("{lines:?}")
    };
    let expected = json!({"name": "job", "job_id": job.id, "traceparent": job.traceparent});
    assert_eq!(line["span"], expected);
}

/// The span of a job whose record was read.
fn identifiers(job: &Job) -> Value {
    json!({
        "name": "job",
        "job_id": job.id,
        "account_id": job.account_id,
        "attempt": job.attempt,
        "traceparent": job.traceparent,
    })
}

#[test]
fn each_run_starts_with_another_shard_and_skips_none() {
    let firsts: HashSet<_> = (0..16)
        .filter_map(|minute| rotated_shards(at(minute * 60)).next())
        .collect();
    assert_eq!(firsts.len(), usize::from(SHARDS));
    let mut all: Vec<_> = rotated_shards(at(420)).collect();
    all.sort_unstable();
    assert_eq!(all, (0..SHARDS).collect::<Vec<_>>());
}

#[tokio::test]
async fn nothing_is_started_after_the_deadline() {
    let fakes = Fakes::new();
    accepted(&fakes).await;
    fakes.fail(Call::Due, Fault::Unavailable, 1);
    let report = crate::sweep(&fakes, at(60), Instant::now()).await;
    assert_eq!(report, Ok(SweepReport::default()));
}
