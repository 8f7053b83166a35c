//! What a finished job leaves in the log: its stages and metrics, and nothing of the customer's.

use std::io::Write;
use std::sync::{Arc, Mutex};

use testkit::{Call, Fault};
use tracing_subscriber::fmt::MakeWriter;

use super::fixture::{Fixture, shout};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

async fn log_of(fixture: &Fixture) -> String {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(log.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    fixture.handle(shout).await;
    drop(guard);
    String::from_utf8(log.0.lock().unwrap().clone()).unwrap()
}

#[tokio::test]
async fn a_finished_job_tells_its_stages_and_metrics_under_its_identifiers() {
    let fixture = Fixture::new().await;
    let log = log_of(&fixture).await;
    let finished = log
        .lines()
        .find(|line| line.contains("\"job finished\""))
        .unwrap();
    for field in [
        "claim_ms",
        "fetch_ms",
        "engine_ms",
        "store_ms",
        "finish_ms",
        "queue_wait_ms",
    ] {
        assert!(
            finished.contains(&format!("\"{field}\":")),
            "{field}: {finished}"
        );
    }
    let (job, trace) = (&fixture.job, fixture.job.traceparent.as_deref().unwrap());
    for identifier in [
        job.id.as_str(),
        job.account_id.as_str(),
        trace,
        "\"attempt\":1",
    ] {
        assert!(finished.contains(identifier), "{identifier}: {finished}");
    }
    let metrics: Vec<_> = log
        .lines()
        .filter(|line| line.contains("\"metrics\""))
        .collect();
    for metric in ["\"JobsCompleted\":1", "\"QueueWaitMs\":700", "\"WorkMs\":"] {
        let found = metrics
            .iter()
            .any(|line| line.contains(metric) && line.contains("\"operation\":\"convert\""));
        assert!(found, "{metric}: {metrics:?}");
    }
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
        let log = log_of(&fixture).await;
        assert!(log.contains(fixture.job.id.as_str()));
        let source = &fixture.job.source;
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
