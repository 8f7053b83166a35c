//! Sends every sample event below `events/` to its function.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tests::client::{Client, unique};
use tests::documents::{noisy_bitmap, pdf};
use tests::stack::{admin, checkout, new_account};

use crate::engine_sample::EngineSample;
use crate::expected::{EXPECTED, Expected};
use crate::invoke::Function;

/// Placeholders in the samples, which tests replace by real values.
const KEY: &str = "Bearer oct_0000000000000000_put-a-key-here";
const SOURCE: &str = "src_01kbqwz6f0x4t8v2m6n0c5h9rd";
const JOB: &str = "job_01kbqwz6f0x4t8v2m6n0c5h9rd";

pub(crate) async fn all() {
    assert_eq!(
        sample_files(),
        EXPECTED.iter().flat_map(names).collect(),
        "sample files and expected responses differ"
    );
    let mut mismatches = Vec::new();
    for (function, samples) in EXPECTED {
        let process = Function::start(function).await;
        for (sample, expected) in *samples {
            let event =
                std::fs::read(checkout().join(format!("events/{function}/{sample}.json"))).unwrap();
            let event = String::from_utf8(event).unwrap();
            let prepared = PreparedSample::of(function, sample, event).await;
            let response = process.invoke(&prepared.event).await;
            let matches = matches_expectation(&response, *expected, &prepared.event)
                && prepared.is_done(&response).await;
            if !matches {
                mismatches.push(format!(
                    "{function}/{sample}: expected {expected:?}: {response}"
                ));
            }
        }
    }
    assert!(mismatches.is_empty(), "{mismatches:#?}");
}

fn names((function, samples): &(&str, &[(&str, Expected)])) -> Vec<String> {
    samples
        .iter()
        .map(|(sample, _)| format!("{function}/{sample}.json"))
        .collect()
}

/// Lists the files below `events/`, except the generated schemas.
fn sample_files() -> BTreeSet<String> {
    let directory = checkout().join("events");
    let mut found = BTreeSet::new();
    for function in std::fs::read_dir(&directory).unwrap().flatten() {
        let name = function.file_name().into_string().unwrap();
        if name != "schemas" {
            let samples = std::fs::read_dir(function.path()).unwrap().flatten();
            found.extend(
                samples
                    .map(|sample| format!("{name}/{}", sample.file_name().into_string().unwrap())),
            );
        }
    }
    found
}

/// A sample event whose placeholders are replaced by real values.
struct PreparedSample {
    event: Value,
    pending: Option<PendingJob>,
    engine: Option<EngineSample>,
}

/// A job whose processor is off, so that only the tested function can process it.
struct PendingJob {
    client: Client,
    job_id: String,
    processor: &'static str,
    /// The expected final status.
    end: &'static str,
}

impl PreparedSample {
    async fn of(function: &str, sample: &str, text: String) -> Self {
        let key = new_account("business").1;
        let client = Client::with_key(Some(&key));
        let text = text.replace(KEY, &format!("Bearer {key}"));
        let (text, pending) = match (function, sample) {
            ("jobs" | "compat", "http.ok") => {
                let source = client
                    .upload(
                        "report.docx",
                        "application/octet-stream",
                        b"not read here".to_vec(),
                    )
                    .await;
                (text.replace(SOURCE, &source), None)
            }
            (_, "invoke.ok") => return Self::of_engine(function, &text).await,
            // No job is needed: the event has no subscribers, and the delivery does not exist.
            ("fanout" | "deliver", _) => (text, None),
            (_, "sqs.ok") => {
                let pending = PendingJob::of(client, function).await;
                (text.replace(JOB, &pending.job_id), Some(pending))
            }
            _ => (text, None),
        };
        Self {
            event: serde_json::from_str(&text).unwrap(),
            pending,
            engine: None,
        }
    }

    async fn of_engine(function: &str, text: &str) -> Self {
        let mut event = serde_json::from_str(text).unwrap();
        let engine = EngineSample::prepare(function, &mut event).await;
        Self {
            event,
            pending: None,
            engine: Some(engine),
        }
    }

    /// Whether the pending job has its expected status, or the result of an engine function is stored.
    async fn is_done(&self, response: &Value) -> bool {
        if let Some(engine) = &self.engine {
            return engine.is_stored(response).await;
        }
        let Some(pending) = &self.pending else {
            return true;
        };
        let job = pending
            .client
            .get(&format!("/jobs/{}", pending.job_id))
            .await
            .json();
        job["status"] == pending.end
    }
}

/// Processor, source and operations of a job.
struct JobSpec {
    processor: &'static str,
    from: &'static str,
    bytes: Vec<u8>,
    to: &'static str,
    operations: Vec<Value>,
}

impl JobSpec {
    /// The cheapest job for this processor; for other functions, a PDF job.
    fn of(function: &str) -> Self {
        let work = |processor, from, bytes, to| Self {
            processor,
            from,
            bytes,
            to,
            operations: Vec::new(),
        };
        match function {
            "process-office" => work("process-office", "txt", b"sample".to_vec(), "pdf"),
            "process-image" => work("process-image", "bmp", noisy_bitmap(8, 8), "pdf"),
            "process-ocr" => Self {
                operations: vec![json!({"operation": "ocr", "output": "text"})],
                ..work("process-ocr", "pdf", pdf(1, 595, 842), "txt")
            },
            "process-web" => work("process-web", "html", b"<p>sample</p>".to_vec(), "pdf"),
            // Needs two processors: text → PDF → text.
            "process-pipeline" => Self {
                operations: vec![json!({"operation": "convert", "format": "pdf"})],
                ..work("process-pipeline", "txt", b"sample".to_vec(), "txt")
            },
            _ => work("process-pdf", "pdf", pdf(1, 595, 842), "png"),
        }
    }
}

impl PendingJob {
    async fn of(client: Client, function: &str) -> Self {
        let work = JobSpec::of(function);
        let (processor, from) = (work.processor, work.from);
        admin(&["processor", "off", processor]);
        let source = client
            .upload(
                &format!("sample.{from}"),
                "application/octet-stream",
                work.bytes,
            )
            .await;
        let mut body = json!({"filename": unique("sample"), "inputFormat": from, "format": work.to, "sourceKey": source});
        if !work.operations.is_empty() {
            body["operations"] = Value::Array(work.operations);
        }
        let created = client.create_job(&body, None).await.json();
        let job_id = created["jobId"].as_str().unwrap().to_owned();
        let end = if function == "dead-letter" {
            "dead_letter"
        } else {
            "completed"
        };
        Self {
            client,
            job_id,
            processor,
            end,
        }
    }
}

impl Drop for PendingJob {
    fn drop(&mut self) {
        admin(&["processor", "on", self.processor]);
    }
}

fn matches_expectation(response: &Value, expected: Expected, event: &Value) -> bool {
    match expected {
        Expected::Success(status) => response["statusCode"] == status,
        Expected::Problem(status, code) => {
            let body: Value = serde_json::from_str(response["body"].as_str().unwrap_or_default())
                .unwrap_or_default();
            response["statusCode"] == status && body["status"] == status && body["code"] == code
        }
        Expected::Failures(places) => {
            let identifier =
                |place: &usize| json!({"itemIdentifier": event["Records"][*place]["messageId"]});
            *response
                == json!({"batchItemFailures": places.iter().map(identifier).collect::<Vec<_>>()})
        }
        Expected::Result => response["type"] == "completed",
        Expected::Engine(kind, value) => {
            response["type"] == kind && value.is_none_or(|value| response["value"] == value)
        }
        Expected::Nothing => response.is_null(),
    }
}
