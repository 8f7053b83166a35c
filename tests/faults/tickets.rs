//! Tickets that are lost, come twice, or are not of this release.

use std::time::Duration;

use domain::id::JobId;
use domain::timestamp::Timestamp;
use serde_json::json;
use tests::documents::{noisy_bitmap, pdf};
use tests::logs;

use crate::account::{Account, PRICE, statuses};
use crate::processor::Off;
use crate::queue::Queue;
use crate::tables::NewerRows;

/// A minute until a ticket counts as lost, and the minute between two sweeps.
const SENT_AGAIN_WITHIN: Duration = Duration::from_secs(60 + 60);

/// More rows than `sweep` reads at once.
const UNREADABLE: u64 = 120;

const SOON: Duration = Duration::from_secs(20);

/// Its ticket is sent again, though more rows than are read at once that no one can read stand before it.
pub(crate) async fn one_is_lost() {
    let account = Account::new();
    let off = Off::new("process-image");
    let queue = Queue::of("process-image").await;
    queue.purge().await;
    let job_id = account.submit(noisy_bitmap(8, 8), "bmp", "pdf").await;
    assert_eq!(queue.len().await, 1);
    queue.purge().await;
    let newer = NewerRows::before(&job_id, UNREADABLE.into()).await;
    drop(off);
    let job = account
        .wait_for(&job_id, "completed", SENT_AGAIN_WITHIN + SOON)
        .await;
    newer.remove().await;
    assert_eq!(statuses(&job), ["queued", "processing", "completed"]);
    assert_eq!(account.spent().await, PRICE);
    let lines = logs::of("sweep");
    let rows = lines.iter().filter_map(|line| line["rows"].as_u64());
    let rows = rows.take(2);
    assert_eq!(rows.sum::<u64>(), UNREADABLE, "told by the first run");
    let again = lines
        .iter()
        .find(|line| line["span"]["job_id"] == job_id.as_str());
    let again = again.expect("nothing was said about the job");
    let trace = again["span"]["traceparent"].as_str();
    assert!(
        trace.is_some_and(|trace| trace.starts_with("00-")),
        "{again}"
    );
}

pub(crate) async fn one_comes_again() {
    let account = Account::new();
    let job_id = account.submit(pdf(1, 595, 842), "pdf", "txt").await;
    let before = account.wait_for(&job_id, "completed", SOON).await;
    let queue = Queue::of("process-ocr").await;
    let others = queue.len().await;
    queue.send(&ticket(&job_id)).await;
    queue.drained_to(others).await;
    assert_eq!(account.job(&job_id).await, before);
    assert_eq!(account.spent().await, PRICE);
}

pub(crate) async fn two_come_together() {
    let account = Account::new();
    let off = Off::new("process-ocr");
    let queue = Queue::of("process-ocr").await;
    let others = queue.len().await;
    let job_id = account.submit(pdf(1, 595, 842), "pdf", "txt").await;
    for _ in 0..3 {
        queue.send(&ticket(&job_id)).await;
    }
    drop(off);
    let job = account.wait_for(&job_id, "completed", SOON).await;
    queue.drained_to(others).await;
    assert_eq!(statuses(&job), ["queued", "processing", "completed"]);
    assert_eq!(account.job(&job_id).await, job);
    assert_eq!(account.spent().await, PRICE);
}

pub(crate) async fn one_of_the_previous_form() {
    let account = Account::new();
    let off = Off::new("process-ocr");
    let job_id = account.submit(pdf(1, 595, 842), "pdf", "txt").await;
    let queue = Queue::of("process-ocr").await;
    queue.purge().await;
    queue.send(&json!({"jobId": job_id}).to_string()).await;
    drop(off);
    let job = account.wait_for(&job_id, "completed", SOON).await;
    assert_eq!(job["attempts"], 1, "{job}");
}

pub(crate) async fn one_of_an_unknown_job() {
    let unknown = JobId::mint(Timestamp(1), 7);
    let queue = Queue::of("process-ocr").await;
    let others = queue.len().await;
    queue.send(&ticket(unknown.as_str())).await;
    queue.drained_to(others).await;
    let told = |line: &serde_json::Value| {
        line["job_id"] == unknown.as_str() || line["span"]["job_id"] == unknown.as_str()
    };
    let lines = logs::of("process-ocr");
    let line = lines
        .iter()
        .find(|line| told(line))
        .expect("nothing was logged about it");
    assert_eq!(line["level"], "WARN", "{line}");
}

/// A ticket as this release writes it.
pub(crate) fn ticket(job_id: &str) -> String {
    json!({"version": 1, "jobId": job_id}).to_string()
}
