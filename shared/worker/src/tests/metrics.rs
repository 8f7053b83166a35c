//! Log and metrics of a finished job, without customer data.

use invocation::RunResult;
use serde_json::{Value, json};
use testkit::{Call, Fault, logs, sample};
use tracing::Level;

use super::fixture::{EngineResult, EngineRun, Fixture, uppercase};

async fn log_of<F>(fixture: &Fixture, engine: F) -> Vec<Value>
where
    F: Fn(&EngineRun<'_>) -> EngineResult + Send + Sync + 'static,
{
    logs::of(Level::TRACE, fixture.handle(engine)).await.1
}

#[tokio::test]
async fn a_finished_job_logs_its_stages_and_metrics_with_its_ids() {
    let fixture = Fixture::new().await;
    let spending = |run: &EngineRun<'_>| {
        let cpu_ms = 1_234;
        uppercase(run).map(|result| RunResult { cpu_ms, ..result })
    };
    let log = log_of(&fixture, spending).await;
    let finished = log.iter().find(|line| line["finish_ms"].is_u64()).unwrap();
    for stage in ["claim", "fetch", "engine", "store", "finish", "queue_wait"] {
        assert!(
            finished[format!("{stage}_ms")].is_u64(),
            "{stage}: {finished}"
        );
    }
    assert_eq!(finished["engine_cpu_ms"], 1_234);
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
        Some(Call::InputRequest),
        Some(Call::OutputForm),
        Some(Call::Invoke),
        Some(Call::Stored),
        Some(Call::Publish),
    ] {
        let fixture = Fixture::new().await;
        if let Some(call) = broken {
            fixture.fakes.fail(call, Fault::Unavailable, 1);
        }
        let log = format!("{:?}", log_of(&fixture, uppercase).await);
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
