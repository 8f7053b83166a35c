//! Jobs of one client, one after the other, and what functions use for them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::client::Client;
use tests::logs;
use tests::process::{Process, workers};

/// The longest that a processor may run.
const LONGEST: Duration = Duration::from_secs(900);
/// How long a function may take to log that it has finished a job which is seen to be completed.
const LOGGED_WITHIN: Duration = Duration::from_secs(10);

/// A client whose plan counts nothing.
pub(crate) fn client() -> Client {
    Client::of_new_account("business").patient()
}

/// The job that this body creates, when it is completed.
pub(crate) async fn completed(client: &Client, body: &Value) -> Value {
    let created = client.create_job(body, None).await;
    assert_eq!(created.status, 202, "{}", created.text());
    let id = created.json()["jobId"].as_str().unwrap().to_owned();
    let job = client.wait_within(LONGEST, &id).await;
    assert_eq!(job["status"], "completed", "{}: {job}", body["filename"]);
    job
}

/// A conversion of a document, when it is completed.
pub(crate) async fn converted(
    client: &Client,
    (name, document): (&str, Vec<u8>),
    from: &str,
    to: &str,
) -> Value {
    let step = json!({"operation": "convert", "format": to});
    stepped(client, (name, document), from, &step).await
}

/// A conversion with options, when it is completed.
pub(crate) async fn stepped(
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
    completed(client, &body).await
}

/// What a function has logged about the ends of these jobs, each of which it has finished once.
pub(crate) async fn logged<'a>(
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
            "{function} has logged the end of {} of {} jobs",
            lines.len(),
            jobs.len()
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// What the processes of a function and all that they start use from now on.
pub(crate) struct Meter {
    function: &'static str,
    used: fn(Process) -> Duration,
    before: BTreeMap<Process, Duration>,
}

impl Meter {
    /// With their children, as far as these still run or were waited for.
    pub(crate) fn begin(function: &'static str) -> Self {
        let used = |worker: Process| {
            let family = worker.family().into_iter();
            family.map(Process::processor_time).sum()
        };
        Self::of(function, used)
    }

    /// Without their children.
    pub(crate) fn alone(function: &'static str) -> Self {
        Self::of(function, Process::own_processor_time)
    }

    fn of(function: &'static str, used: fn(Process) -> Duration) -> Self {
        let workers = workers(function).into_iter();
        Self {
            function,
            used,
            before: workers.map(|worker| (worker, used(worker))).collect(),
        }
    }

    /// A process that has begun meanwhile counts as a whole.
    pub(crate) fn used(&self) -> Duration {
        let workers = workers(self.function).into_iter();
        let since = |worker| {
            let before = self.before.get(&worker).copied().unwrap_or_default();
            (self.used)(worker).saturating_sub(before)
        };
        workers.map(since).sum()
    }
}
