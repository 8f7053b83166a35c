//! Crashes of engine functions and of their documents' processes.

use std::io::Cursor;
use std::time::{Duration, Instant};

use tests::documents::pdf;
use tests::logs;
use tests::process::{Process, engine_at_work, workers};
use zip::ZipArchive;

use crate::account::{Account, PRICE, statuses};

/// Enough pages to keep an engine busy for some seconds.
pub(crate) const PAGES: usize = 50;

/// The engine function that renders them, and its coordinator.
pub(crate) const ENGINE: &str = "engine-pdf";
pub(crate) const COORDINATOR: &str = "process-pdf";

/// Timeout for the engine and a cold start, with other tests running concurrently.
pub(crate) const PROCESSING: Duration = Duration::from_secs(60);

/// Statuses of a job that completes with its second attempt.
pub(crate) const RETRIED: [&str; 5] = [
    "queued",
    "processing",
    "retrying",
    "processing",
    "completed",
];

/// Within this time after a response an engine function has started its program again.
const STARTED_WITHIN: Duration = Duration::from_secs(10);

/// Kills the process of an engine function during a document; the second attempt completes, for one charge.
pub(crate) async fn killed_engine_function_is_retried() {
    let account = Account::new();
    let (job_id, engine) = start_job(&account).await;
    let (coordinators, children) = (workers(COORDINATOR), engine.descendants());
    engine.kill();
    let job = account.wait_for(&job_id, "completed", PROCESSING).await;
    assert_eq!(statuses(&job), RETRIED, "killed too late: {job}");
    assert_eq!(
        (&job["attempts"], &job["creditsCharged"]),
        (&2.into(), &PRICE.into()),
        "{job}"
    );
    assert_eq!(account.credits_used().await, PRICE);
    let result = account.client.result(&job).await;
    assert_eq!(ZipArchive::new(Cursor::new(result)).unwrap().len(), PAGES);
    assert!(
        !children.iter().any(|process| process.is_alive()),
        "{children:?} outlived their function"
    );
    assert!(
        coordinators.is_subset(&workers(COORDINATOR)),
        "a coordinator died with the engine function"
    );
}

/// Ends the document's processes by `end`; the job fails with `code`. The engine function starts its program again after its
/// response, and serves the next document; the coordinator lives.
pub(crate) async fn check_engine_crash(end: fn(Process), code: &str) {
    let account = Account::new();
    let (job_id, engine) = start_job(&account).await;
    let (coordinators, starts) = (workers(COORDINATOR), starts());
    engine.document_children().into_iter().for_each(end);
    let job = account.wait_for(&job_id, "failed", PROCESSING).await;
    assert_eq!(job["error"]["code"], code, "{job}");
    assert_eq!(
        (&job["attempts"], &job["creditsCharged"]),
        (&1.into(), &0.into()),
        "{job}"
    );
    assert_eq!(account.credits_used().await, 0);
    wait_for_start_after(starts).await;

    let next = account
        .client
        .convert("next.pdf", pdf(1, 595, 842), "pdf", "png");
    let job = next.await;
    assert_eq!(
        (&job["status"], &job["attempts"]),
        (&"completed".into(), &1.into()),
        "{job}"
    );
    assert!(!workers(ENGINE).is_empty(), "no process of {ENGINE}");
    assert!(
        coordinators.is_subset(&workers(COORDINATOR)),
        "a coordinator died with the document's process"
    );
}

async fn wait_for_start_after(count: usize) {
    let deadline = Instant::now() + STARTED_WITHIN;
    while starts() <= count {
        assert!(
            Instant::now() < deadline,
            "the engine function serves on after a crash"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// How often programs of the engine function were started: each start emits the containment as metrics.
fn starts() -> usize {
    let mut lines = logs::of(ENGINE);
    lines.retain(|line| line.get("LandlockAbi").is_some());
    lines.len()
}

/// Creates a job and waits for its engine; returns the job and the process of the engine function.
pub(crate) async fn start_job(account: &Account) -> (String, Process) {
    let job_id = account.submit(pdf(PAGES, 595, 842), "pdf", "png").await;
    (job_id, engine_at_work(ENGINE, PROCESSING).await)
}
