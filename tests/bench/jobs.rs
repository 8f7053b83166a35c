//! Sequential jobs of one client, and the CPU time of their functions.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::client::Client;
use tests::logs;
use tests::process::{Process, workers};

/// Time limit of a processor.
const PROCESSOR_TIME_LIMIT: Duration = Duration::from_secs(900);
/// How long after a job is completed its function may log that.
const LOGGED_WITHIN: Duration = Duration::from_secs(10);

/// A client with a plan without limits.
pub(crate) fn client() -> Client {
    Client::of_new_account("business").with_retries()
}

/// Creates a job and returns it when it is completed.
pub(crate) async fn run_job(client: &Client, body: &Value) -> Value {
    let created = client.create_job(body, None).await;
    assert_eq!(created.status, 202, "{}", created.text());
    let id = created.json()["jobId"].as_str().unwrap().to_owned();
    let job = client.wait_within(PROCESSOR_TIME_LIMIT, &id).await;
    assert_eq!(job["status"], "completed", "{}: {job}", body["filename"]);
    job
}

/// Converts a document and returns the completed job.
pub(crate) async fn convert(
    client: &Client,
    (name, document): (&str, Vec<u8>),
    from: &str,
    to: &str,
) -> Value {
    let step = json!({"operation": "convert", "format": to});
    convert_with(client, (name, document), from, &step).await
}

/// Converts a document with options and returns the completed job.
pub(crate) async fn convert_with(
    client: &Client,
    (name, document): (&str, Vec<u8>),
    from: &str,
    step: &Value,
) -> Value {
    let source = client
        .upload(name, "application/octet-stream", document)
        .await;
    let body = json!({
        "filename": name, "inputFormat": from, "format": step["format"], "sourceKey": source, "operations": [step],
    });
    run_job(client, &body).await
}

/// The function's log entries for the completion of these jobs, one for each.
pub(crate) async fn completion_log_entries<'a>(
    function: &str,
    jobs: impl IntoIterator<Item = &'a String>,
) -> Vec<Value> {
    let jobs: Vec<&String> = jobs.into_iter().collect();
    let since = Instant::now();
    loop {
        let mut lines = logs::of(function);
        lines.retain(|line| {
            let id = line["span"]["job_id"].as_str();
            line["message"] == "job finished"
                && line["status"] == "completed"
                && id.is_some_and(|id| jobs.iter().any(|job| *job == id))
        });
        if lines.len() >= jobs.len() {
            return lines;
        }
        assert!(
            since.elapsed() < LOGGED_WITHIN,
            "{function} has logged the completion of {} of {} jobs",
            lines.len(),
            jobs.len()
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Measures the CPU time of the processes of an engine function, their children, and the coordinator that invokes it, from now
/// on.
pub(crate) struct Meter {
    engine: &'static str,
    used: fn(Process) -> Duration,
    before: BTreeMap<Process, Duration>,
}

impl Meter {
    /// Starts a measurement that includes children that still run or have been waited for.
    pub(crate) fn start(engine: &'static str) -> Self {
        let used = |worker: Process| {
            let family = worker.family().into_iter();
            family.map(Process::cpu_time).sum()
        };
        Self::of(engine, used)
    }

    /// Starts a measurement without children.
    pub(crate) fn start_without_children(engine: &'static str) -> Self {
        Self::of(engine, Process::own_cpu_time)
    }

    fn of(engine: &'static str, used: fn(Process) -> Duration) -> Self {
        let workers = with_coordinators(engine).into_iter();
        Self {
            engine,
            used,
            before: workers.map(|worker| (worker, used(worker))).collect(),
        }
    }

    /// CPU time since the start; new processes count completely.
    pub(crate) fn used(&self) -> Duration {
        let workers = with_coordinators(self.engine).into_iter();
        let since = |worker| {
            let before = self.before.get(&worker).copied().unwrap_or_default();
            (self.used)(worker).saturating_sub(before)
        };
        workers.map(since).sum()
    }
}

/// Processes of an engine function and of the coordinator that invokes it.
fn with_coordinators(engine: &str) -> BTreeSet<Process> {
    let coordinator = engine.replace("engine-", "process-");
    workers(engine)
        .into_iter()
        .chain(workers(&coordinator))
        .collect()
}
