//! Tickets that are lost, duplicated, in an older format, or of unknown jobs.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::id::JobId;
use domain::timestamp::Timestamp;
use serde_json::json;
use tests::documents::{noisy_bitmap, pdf};
use tests::logs;

use crate::account::{Account, PRICE, statuses};
use crate::processor::ProcessorOff;
use crate::queue::Queue;
use crate::tables::NewerRows;

/// One minute until a ticket counts as lost, and at most one between two runs of `sweep`.
const RESENT_WITHIN: Duration = Duration::from_secs(60 + 60);

/// More rows than `sweep` reads in one query.
const UNREADABLE: u64 = 120;

const SOON: Duration = Duration::from_secs(20);

/// `sweep` resends the lost ticket even though more unreadable rows than it reads in one query precede it.
pub(crate) async fn lost_ticket_is_resent() {
    let account = Account::new();
    let off = ProcessorOff::new("process-image");
    let queue = Queue::of("process-image").await;
    queue.purge().await;
    let job_id = account.submit(noisy_bitmap(8, 8), "bmp", "pdf").await;
    assert_eq!(queue.len().await, 1);
    queue.purge().await;
    let newer = NewerRows::before(&job_id, UNREADABLE.into()).await;
    drop(off);
    let job = account
        .wait_for(&job_id, "completed", RESENT_WITHIN + SOON)
        .await;
    newer.remove().await;
    assert_eq!(statuses(&job), ["queued", "processing", "completed"]);
    assert_eq!(account.credits_used().await, PRICE);
    let lines = logs::of("sweep");
    let mut reported: BTreeMap<&str, u64> = BTreeMap::new();
    for line in &lines {
        if let (Some(run), Some(rows)) = (run_of(line), line["rows"].as_u64()) {
            *reported.entry(run).or_default() += rows;
        }
    }
    // A run may start while the rows are being written.
    let is_complete = |rows: &u64| *rows == UNREADABLE;
    assert!(reported.values().any(is_complete), "{reported:?}");
    let again = lines
        .iter()
        .find(|line| line["span"]["job_id"] == job_id.as_str());
    let again = again.expect("no log line about the job");
    let trace = again["span"]["traceparent"].as_str();
    assert!(
        trace.is_some_and(|trace| trace.starts_with("00-")),
        "{again}"
    );
}

pub(crate) async fn duplicate_after_completion() {
    let account = Account::new();
    let job_id = account.submit(pdf(1, 595, 842), "pdf", "txt").await;
    let before = account.wait_for(&job_id, "completed", SOON).await;
    let queue = Queue::of("process-ocr").await;
    let others = queue.len().await;
    queue.send(&ticket(&job_id)).await;
    queue.wait_until_drained_to(others).await;
    assert_eq!(account.job(&job_id).await, before);
    assert_eq!(account.credits_used().await, PRICE);
}

pub(crate) async fn duplicates_before_processing() {
    let account = Account::new();
    let off = ProcessorOff::new("process-ocr");
    let queue = Queue::of("process-ocr").await;
    let others = queue.len().await;
    let job_id = account.submit(pdf(1, 595, 842), "pdf", "txt").await;
    for _ in 0..3 {
        queue.send(&ticket(&job_id)).await;
    }
    drop(off);
    let job = account.wait_for(&job_id, "completed", SOON).await;
    queue.wait_until_drained_to(others).await;
    assert_eq!(statuses(&job), ["queued", "processing", "completed"]);
    assert_eq!(account.job(&job_id).await, job);
    assert_eq!(account.credits_used().await, PRICE);
}

pub(crate) async fn previous_format() {
    let account = Account::new();
    let off = ProcessorOff::new("process-ocr");
    let job_id = account.submit(pdf(1, 595, 842), "pdf", "txt").await;
    let queue = Queue::of("process-ocr").await;
    queue.purge().await;
    queue.send(&json!({"jobId": job_id}).to_string()).await;
    drop(off);
    let job = account.wait_for(&job_id, "completed", SOON).await;
    assert_eq!(job["attempts"], 1, "{job}");
}

pub(crate) async fn unknown_job() {
    let unknown = JobId::mint(Timestamp(1), 7);
    let queue = Queue::of("process-ocr").await;
    let others = queue.len().await;
    queue.send(&ticket(unknown.as_str())).await;
    queue.wait_until_drained_to(others).await;
    let names_job = |line: &serde_json::Value| {
        line["job_id"] == unknown.as_str() || line["span"]["job_id"] == unknown.as_str()
    };
    let lines = logs::of("process-ocr");
    let line = lines
        .iter()
        .find(|line| names_job(line))
        .expect("no log line about the job");
    assert_eq!(line["level"], "WARN", "{line}");
}

/// The invocation of `sweep` that wrote a log line.
fn run_of(line: &serde_json::Value) -> Option<&str> {
    line["span"]["request_id"].as_str()
}

/// A ticket in the current format.
pub(crate) fn ticket(job_id: &str) -> String {
    json!({"version": 1, "jobId": job_id}).to_string()
}
