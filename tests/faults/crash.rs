//! Crashes of workers and engines while a job is processed.

use std::io::Cursor;
use std::time::{Duration, Instant};

use tests::documents::pdf;
use tests::process::{Process, worker_with_engine_in};
use zip::ZipArchive;

use crate::account::{Account, PRICE, statuses};

/// Enough pages to keep an engine busy for some seconds.
const PAGES: usize = 200;

/// Maximum delay by a killed worker: the lease, and the minute between two runs of `sweep`.
const MAX_DELAY: Duration = Duration::from_secs(30 + 60);

/// Timeout for the engine and a cold start, with other tests running concurrently.
const PROCESSING: Duration = Duration::from_secs(60);

/// A job whose worker was killed while its engine was running.
pub(crate) struct OrphanedJob {
    account: Account,
    job_id: String,
    engine: Vec<Process>,
    since: Instant,
}

impl OrphanedJob {
    pub(crate) async fn start() -> Self {
        let account = Account::new();
        let (job_id, worker) = start_job(&account).await;
        let engine = worker.descendants();
        worker.kill();
        Self {
            account,
            job_id,
            engine,
            since: Instant::now(),
        }
    }

    pub(crate) async fn completes_after_retry(self) {
        let account = &self.account;
        let job = account
            .wait_for(&self.job_id, "completed", MAX_DELAY + PROCESSING)
            .await;
        assert!(
            self.since.elapsed() > Duration::from_secs(10),
            "killed too late: {job}"
        );
        let expected = [
            "queued",
            "processing",
            "retrying",
            "processing",
            "completed",
        ];
        assert_eq!(statuses(&job), expected);
        assert_eq!(job["attempts"], 2, "{job}");
        assert_eq!(job["creditsCharged"], PRICE, "{job}");
        assert_eq!(account.credits_used().await, PRICE);
        let result = account.client.result(&job).await;
        assert_eq!(ZipArchive::new(Cursor::new(result)).unwrap().len(), PAGES);
        assert!(
            !self.engine.iter().any(|process| process.is_alive()),
            "{:?} outlived its worker",
            self.engine
        );
    }
}

/// Ends the engine's processes by `end`; the job fails with `code`, and the worker processes the next job.
pub(crate) async fn check_engine_crash(end: fn(Process), code: &str) {
    let account = Account::new();
    let (job_id, worker) = start_job(&account).await;
    worker.descendants().into_iter().for_each(end);
    let job = account.wait_for(&job_id, "failed", PROCESSING).await;
    assert_eq!(job["error"]["code"], code, "{job}");
    assert_eq!(
        (&job["attempts"], &job["creditsCharged"]),
        (&1.into(), &0.into()),
        "{job}"
    );
    assert_eq!(account.credits_used().await, 0);

    let job = account
        .client
        .convert("next.pdf", pdf(1, 595, 842), "pdf", "txt")
        .await;
    assert_eq!(
        (&job["status"], &job["attempts"]),
        (&"completed".into(), &1.into()),
        "{job}"
    );
    assert!(worker.is_alive(), "the worker died with its engine");
}

/// Creates a job and waits for its engine; returns the job and its worker.
async fn start_job(account: &Account) -> (String, Process) {
    let job_id = account.submit(pdf(PAGES, 595, 842), "pdf", "png").await;
    (
        job_id,
        worker_with_engine_in("step-0", "process-pdf", PROCESSING).await,
    )
}
