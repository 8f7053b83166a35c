//! What a finished job leaves in the log: its stages and metrics, and nothing of the customer's.

use serde_json::{Value, json};
use testkit::{Call, Fault, logs, sample};
use tracing::Level;

use super::fixture::{Fixture, shout};

async fn log_of(fixture: &Fixture) -> Vec<Value> {
    logs::of(Level::TRACE, fixture.handle(shout)).await.1
}

#[tokio::test]
async fn a_finished_job_tells_its_stages_and_metrics_under_its_identifiers() {
    let fixture = Fixture::new().await;
    let log = log_of(&fixture).await;
    let finished = log
        .iter()
        .find(|line| line["message"] == "job finished")
        .unwrap();
    for stage in ["claim", "fetch", "engine", "store", "finish", "queue_wait"] {
        assert!(
            finished[format!("{stage}_ms")].is_u64(),
            "{stage}: {finished}"
        );
    }
    let expected = json!({
        "name": "job",
        "job_id": fixture.job.id,
        "account_id": fixture.job.account_id,
        "attempt": 1,
        "traceparent": fixture.job.traceparent,
    });
    assert_eq!(finished["span"], expected);
    let metrics: Vec<_> = log
        .iter()
        .filter(|line| line["target"] == "metrics")
        .collect();
    assert!(metrics.iter().all(|line| line["operation"] == "convert"));
    assert!(metrics.iter().any(|line| line["JobsCompleted"] == 1));
    assert!(
        metrics
            .iter()
            .any(|line| line["QueueWaitMs"] == 700 && line["WorkMs"].is_u64())
    );
}

#[tokio::test]
async fn neither_the_document_nor_its_name_nor_its_key_is_logged() {
    for broken in [
        None,
        Some(Call::Fetch),
        Some(Call::Store),
        Some(Call::Publish),
    ] {
        let fixture = Fixture::new().await;
        if let Some(call) = broken {
            fixture.fakes.fail(call, Fault::Unavailable, 1);
        }
        let log = format!("{:?}", log_of(&fixture).await);
        assert!(log.contains(fixture.job.id.as_str()));
        let mut job = fixture.job.clone();
        let source = sample::upload(&mut job);
        let etag = source.etag.trim_matches('"');
        for secret in [
            "Bericht",
            source.key.as_str(),
            etag,
            "words",
            "WORDS",
            "results/",
        ] {
            assert!(!log.contains(secret), "{secret}: {log}");
        }
    }
}
