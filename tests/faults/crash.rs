//! Processes that die in mid-job.

use std::io::Cursor;
use std::time::{Duration, Instant};

use tests::documents::pdf;
use tests::process::{Process, worker_with_engine_in};
use zip::ZipArchive;

use crate::account::{Account, PRICE, statuses};

/// Pages that keep an engine busy for some seconds.
const PAGES: usize = 200;

/// The longest that a killed worker holds up its job: its lease, and the minute between two sweeps.
const HELD_UP: Duration = Duration::from_secs(30 + 60);

/// What the engine and a cold start may take on top, while other promises are kept on the same machine.
const WORK: Duration = Duration::from_secs(60);

/// A job whose worker was killed while its engine was at work.
pub(crate) struct Orphaned {
    account: Account,
    job_id: String,
    engine: Vec<Process>,
    since: Instant,
}

impl Orphaned {
    pub(crate) async fn job() -> Self {
        let account = Account::new();
        let (job_id, worker) = at_work(&account).await;
        let engine = worker.descendants();
        worker.kill();
        Self {
            account,
            job_id,
            engine,
            since: Instant::now(),
        }
    }

    pub(crate) async fn ends_well(self) {
        let account = &self.account;
        let job = account
            .wait_for(&self.job_id, "completed", HELD_UP + WORK)
            .await;
        assert!(
            self.since.elapsed() > Duration::from_secs(10),
            "the kill came too late: {job}"
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
        assert_eq!(account.spent().await, PRICE);
        let result = account.client.result(&job).await;
        assert_eq!(ZipArchive::new(Cursor::new(result)).unwrap().len(), PAGES);
        assert!(
            !self.engine.iter().any(|process| process.is_alive()),
            "{:?} outlived its worker",
            self.engine
        );
    }
}

/// The engine's processes end like this, and the job fails with this code.
pub(crate) async fn of_an_engine(end: fn(Process), code: &str) {
    let account = Account::new();
    let (job_id, worker) = at_work(&account).await;
    worker.descendants().into_iter().for_each(end);
    let job = account.wait_for(&job_id, "failed", WORK).await;
    assert_eq!(job["error"]["code"], code, "{job}");
    assert_eq!(
        (&job["attempts"], &job["creditsCharged"]),
        (&1.into(), &0.into()),
        "{job}"
    );
    assert_eq!(account.spent().await, 0);

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

/// A job whose engine is at work, and the process that works on it.
async fn at_work(account: &Account) -> (String, Process) {
    let job_id = account.submit(pdf(PAGES, 595, 842), "pdf", "png").await;
    (
        job_id,
        worker_with_engine_in("step-0", "process-pdf", WORK).await,
    )
}
