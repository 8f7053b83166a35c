//! Converts documents through the API and checks the results.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;
use tests::client::Client;
use tests::corpus::{Entry, runs_all_cases};
use tests::stack::stack;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::{Check, samples};

/// Concurrent jobs: enough to use several processors without long waits.
const CONCURRENCY: usize = 4;

/// Pairs that every sample has, because no other test converts them.
const ALWAYS: [(&str, &str); 2] = [("md", "xlsx"), ("md", "csv")];

/// A conversion or compression listed by `GET /formats`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) operation: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// A converted document.
pub(crate) struct Outcome {
    pub(crate) pair: Pair,
    pub(crate) source: Entry,
    pub(crate) source_file: NamedTempFile,
    pub(crate) job: Value,
    pub(crate) result: Vec<u8>,
    pub(crate) result_file: NamedTempFile,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pair {
            operation,
            from,
            to,
        } = &self.pair;
        write!(f, "{} ({operation} {from} to {to})", self.source.file)
    }
}

/// Converts the samples of the listed pairs with this check, and checks each result.
pub(crate) async fn all(check: Check) {
    let client = Client::with_key(Some(&stack().keys["business"]));
    let mut pairs = listed(&client).await;
    pairs.retain(|pair| Check::of(pair) == check);
    assert!(!pairs.is_empty(), "no listed pair has the check {check:?}");
    let has_many = matches!(
        check,
        Check::Office | Check::ParsedDocuments | Check::Recognized
    );
    if has_many && !runs_all_cases() {
        pairs = sample(pairs);
    }
    let mut cases = Vec::new();
    for pair in pairs {
        for source in samples::of_conversion(&pair.from, &pair.to) {
            let (client, pair) = (client.clone(), pair.clone());
            cases.push(async move {
                let outcome = run(&client, pair, source).await;
                tokio::task::block_in_place(|| check.apply(&outcome));
            });
        }
    }
    concurrently(cases).await;
}

/// Keeps the pairs by which each source and target format occurs, and every seventh of the others.
fn sample(mut pairs: Vec<Pair>) -> Vec<Pair> {
    let (mut from, mut to, mut others) = (BTreeSet::new(), BTreeSet::new(), 0_u32);
    pairs.retain(|pair| {
        let (is_new_source, is_new_target) =
            (from.insert(pair.from.clone()), to.insert(pair.to.clone()));
        if is_new_source
            || is_new_target
            || ALWAYS.contains(&(pair.from.as_str(), pair.to.as_str()))
        {
            return true;
        }
        others += 1;
        others.is_multiple_of(7)
    });
    pairs
}

/// Runs cases, a few at a time, to their ends, and panics if one has panicked.
pub(crate) async fn concurrently<C>(cases: Vec<C>)
where
    C: Future<Output = ()> + Send + 'static,
{
    let places = Arc::new(Semaphore::new(CONCURRENCY));
    let mut running: JoinSet<()> = cases
        .into_iter()
        .map(|case| {
            let places = Arc::clone(&places);
            async move {
                let _place = places.acquire_owned().await.unwrap();
                case.await;
            }
        })
        .collect();
    let (mut failed, all) = (0, running.len());
    while let Some(finished) = running.join_next().await {
        failed += usize::from(finished.is_err());
    }
    assert_eq!(failed, 0, "{failed} of {all} cases failed; see above");
}

/// Every pair of formats in `conversions` and of `compress`; other operations need options, see [`crate::operations`].
async fn listed(client: &Client) -> Vec<Pair> {
    let formats = client.get("/formats").await.json();
    let pair = |operation: &Value, from: &str, to: &Value| Pair {
        operation: operation.as_str().unwrap().to_owned(),
        from: from.to_owned(),
        to: to.as_str().unwrap().to_owned(),
    };
    let mut pairs = Vec::new();
    for (from, targets) in formats["conversions"].as_object().unwrap() {
        let targets = targets.as_array().unwrap();
        pairs.extend(
            targets
                .iter()
                .map(|target| pair(&target["operation"], from, &target["format"])),
        );
    }
    let operations = formats["operations"].as_array().unwrap();
    for operation in operations
        .iter()
        .filter(|operation| operation["name"] == "compress")
    {
        for from in operation["inputs"].as_array().unwrap() {
            let outputs = operation["output"].as_array().unwrap();
            let from = from.as_str().unwrap();
            pairs.extend(outputs.iter().map(|to| pair(&operation["name"], from, to)));
        }
    }
    pairs
}

async fn run(client: &Client, pair: Pair, source: Entry) -> Outcome {
    let bytes = source.bytes();
    let key = client
        .upload(source.name(), "application/octet-stream", bytes.clone())
        .await;
    let mut body = json!({
        "filename": source.name(), "inputFormat": pair.from, "format": pair.to, "sourceKey": key,
    });
    if pair.operation != "convert" {
        body["operations"] = json!([{"operation": pair.operation, "format": pair.to}]);
    }
    let created = client.create_job(&body, None).await;
    assert_eq!(created.status, 202, "{}: {}", source.file, created.text());
    let job = client.wait(created.json()["jobId"].as_str().unwrap()).await;
    assert_eq!(
        job["status"], "completed",
        "{} to {}: {job}",
        source.file, pair.to
    );
    let result = client.result(&job).await;
    let outcome = Outcome {
        source_file: file_of(&bytes),
        result_file: file_of(&result),
        pair,
        source,
        job,
        result,
    };
    check_record(&outcome);
    outcome
}

fn file_of(bytes: &[u8]) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    file
}

/// Checks the job's output fields against the result.
fn check_record(outcome: &Outcome) {
    let (job, output) = (&outcome.job, &outcome.job["output"]);
    assert_eq!(job["attempts"], 1, "{outcome}: {job}");
    assert_eq!(job["progress"], 100, "{outcome}: {job}");
    assert_eq!(
        output["sizeBytes"],
        outcome.result.len(),
        "{outcome}: {job}"
    );
    let hash = Sha256::digest(&outcome.result);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(output["sha256"], hash, "{outcome}: {job}");
    assert!(output["pages"].as_u64() >= Some(1), "{outcome}: {job}");
}
