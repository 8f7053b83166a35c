//! Dead-lettered tickets and redriving them.

use std::time::Duration;

use serde_json::json;
use tests::documents::pdf;
use tests::stack::{admin, admin_report, try_admin};

use crate::account::{Account, statuses};
use crate::bus::Listener;
use crate::processor::ProcessorOff;
use crate::queue::Queue;
use crate::tables;
use crate::tickets::ticket;

const SOON: Duration = Duration::from_secs(20);

pub(crate) async fn job_is_redriven() {
    let (account, listener) = (Account::new(), Listener::start().await);
    let off = ProcessorOff::new("process-ocr");
    let job_id = account.submit(pdf(1, 595, 842), "pdf", "txt").await;
    Queue::of("process-ocr").await.purge().await;
    Queue::dead_letters_of("process-ocr")
        .await
        .send(&ticket(&job_id))
        .await;

    let job = account.wait_for(&job_id, "dead_letter", SOON).await;
    assert_eq!(statuses(&job), ["queued", "dead_letter"]);
    assert_eq!(
        (&job["error"]["code"], &job["creditsCharged"]),
        (&"internal_error".into(), &0.into()),
        "{job}"
    );
    assert_eq!(account.credits_used().await, 0);
    let event = listener.next_event("job.dead_letter", &job_id).await;
    assert_eq!(event["detail"]["data"]["status"], "dead_letter", "{event}");
    assert_eq!(event["detail"]["data"]["error"], job["error"], "{event}");
    Queue::dead_letters_of("process-ocr")
        .await
        .wait_until_drained_to(0)
        .await;

    drop(off);
    let redriven = admin(&["redrive", "--job", &job_id]);
    assert_eq!(
        redriven,
        json!({"redriven": 1, "jobs": [job_id], "failed": []})
    );
    let job = account.wait_for(&job_id, "completed", SOON).await;
    assert_eq!(
        statuses(&job),
        ["queued", "dead_letter", "queued", "processing", "completed"]
    );
    assert_eq!(
        account.credits_used().await,
        0,
        "a redrive does not charge again"
    );
    assert_eq!(account.client.result(&job).await, b"page 1\n");

    let refused = try_admin(&["redrive", "--job", &job_id]).unwrap_err();
    assert!(refused.contains("dead_letter"), "{refused}");
}

/// An unreadable job is reported and does not stop the redrive of others; once readable, it is redriven, too.
pub(crate) async fn queue_is_redriven() {
    let account = Account::new();
    let off = ProcessorOff::new("process-ocr");
    let mut jobs = Vec::new();
    for _ in 0..2 {
        let job_id = account.submit(pdf(1, 595, 842), "pdf", "txt").await;
        Queue::of("process-ocr").await.purge().await;
        let dead_letters = Queue::dead_letters_of("process-ocr").await;
        dead_letters.send(&ticket(&job_id)).await;
        account.wait_for(&job_id, "dead_letter", SOON).await;
        jobs.push(job_id);
    }
    drop(off);
    let [unreadable, good] = &jobs[..] else {
        panic!("{jobs:?}")
    };
    let redrive = || admin_report(&["redrive", "--queue", "process-ocr"]);

    let name = format!("JOB#{unreadable}");
    let charge = tables::replace("jobs", &name, "JOB", "charge", "junk".into()).await;
    let (report, succeeded) = redrive();
    assert!(!succeeded, "{report}");
    assert!(report["jobs"].as_array().unwrap().contains(&json!(good)));
    let failed = json!({
        "jobId": unreadable,
        "code": "unavailable",
        "message": format!("dynamodb: {name} cannot be read"),
    });
    assert_eq!(report["failed"], json!([failed]));
    account.wait_for(good, "completed", SOON).await;

    tables::replace("jobs", &name, "JOB", "charge", charge).await;
    let (report, succeeded) = redrive();
    assert!(succeeded, "{report}");
    assert_eq!(
        (&report["jobs"], &report["failed"]),
        (&json!([unreadable]), &json!([]))
    );
    account.wait_for(unreadable, "completed", SOON).await;
}
