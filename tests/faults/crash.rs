//! Processes that die in mid-job.

use std::io::Cursor;
use std::time::{Duration, Instant};

use tests::documents::pdf;
use tests::process::{Process, workers};
use zip::ZipArchive;

use crate::account::{Account, PRICE, statuses};

/// Pages that keep an engine busy for some seconds.
const PAGES: usize = 200;

/// The longest that a killed worker holds up its job: its lease, and the minute between two sweeps.
const HELD_UP: Duration = Duration::from_secs(30 + 60);

/// What the engine and a cold start may take on top.
const WORK: Duration = Duration::from_secs(30);

pub(crate) async fn of_a_worker() {
    let account = Account::new();
    let (job_id, worker) = at_work(&account).await;
    let engine = worker.descendants();
    worker.kill();
    let killed = Instant::now();
    let job = account.wait_for(&job_id, "completed", HELD_UP + WORK).await;
    assert!(
        killed.elapsed() > Duration::from_secs(10),
        "the kill came too late: {job}"
    );
    assert_eq!(
        statuses(&job),
        [
            "queued",
            "processing",
            "retrying",
            "processing",
            "completed"
        ]
    );
    assert_eq!(job["attempts"], 2, "{job}");
    assert_eq!(job["creditsCharged"], PRICE, "{job}");
    assert_eq!(account.spent().await, PRICE);
    let result = account.client.result(&job).await;
    assert_eq!(ZipArchive::new(Cursor::new(result)).unwrap().len(), PAGES);
    assert!(
        !engine.iter().any(|process| process.is_alive()),
        "{engine:?} outlived its worker"
    );
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
    account
        .wait_for(&job_id, "processing", Duration::from_secs(20))
        .await;
    (job_id, busy("process-pdf").await)
}

/// The process of a function that has an engine at work in the directory of a job's first step. What engines are forked from
/// is there always.
async fn busy(function: &str) -> Process {
    let deadline = Instant::now() + Duration::from_secs(5);
    let at_work = |worker: &Process| {
        let engines = worker.descendants();
        engines.iter().any(|engine| engine.works_in("step-0"))
    };
    loop {
        let busy = workers(function).into_iter().find(at_work);
        if let Some(worker) = busy {
            return worker;
        }
        assert!(
            Instant::now() < deadline,
            "no engine of {function} is at work"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
