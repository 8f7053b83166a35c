//! Sends every sample below `events/` to its function.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use tests::client::{Client, unique};
use tests::documents::{noisy_bitmap, pdf};
use tests::stack::{admin, checkout, new_account};

use crate::expected::{ANSWERS, Answer};
use crate::invoke::Function;

/// A sample stands where a key would; none of these opens anything.
const KEY: &str = "Bearer oct_0000000000000000_put-a-key-here";
const SOURCE: &str = "src_01kbqwz6f0x4t8v2m6n0c5h9rd";
const JOB: &str = "job_01kbqwz6f0x4t8v2m6n0c5h9rd";

pub(crate) async fn all() {
    assert_eq!(
        written(),
        ANSWERS.iter().flat_map(names).collect(),
        "samples and their answers"
    );
    let mut faults = Vec::new();
    for (function, samples) in ANSWERS {
        let process = Function::start(function).await;
        for (sample, expected) in *samples {
            let event =
                std::fs::read(checkout().join(format!("events/{function}/{sample}.json"))).unwrap();
            let event = String::from_utf8(event).unwrap();
            let prepared = Prepared::of(function, sample, event).await;
            let answer = process.invoke(&prepared.event).await;
            let right = is(&answer, *expected, &prepared.event) && prepared.is_done().await;
            if !right {
                faults.push(format!(
                    "{function}/{sample}: expected {expected:?}: {answer}"
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

fn names((function, samples): &(&str, &[(&str, Answer)])) -> Vec<String> {
    samples
        .iter()
        .map(|(sample, _)| format!("{function}/{sample}.json"))
        .collect()
}

/// Every file below `events/`, the generated schemas apart.
fn written() -> BTreeSet<String> {
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

/// A sample in which something real stands for what is made up.
struct Prepared {
    event: Value,
    waiting: Option<Waiting>,
}

/// A job whose processor is off, so that the sample's function alone can do it.
struct Waiting {
    client: Client,
    job_id: String,
    processor: &'static str,
    /// The status that the function brings about.
    end: &'static str,
}

impl Prepared {
    async fn of(function: &str, sample: &str, text: String) -> Self {
        let key = new_account("business").1;
        let client = Client::with_key(Some(&key));
        let text = text.replace(KEY, &format!("Bearer {key}"));
        let (text, waiting) = match (function, sample) {
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
            // Neither concerns a job: nobody hears of the event, and the delivery is gone.
            ("fanout" | "deliver", _) => (text, None),
            (_, "sqs.ok") => {
                let waiting = Waiting::of(client, function).await;
                (text.replace(JOB, &waiting.job_id), Some(waiting))
            }
            _ => (text, None),
        };
        Self {
            event: serde_json::from_str(&text).unwrap(),
            waiting,
        }
    }

    /// Whether the job that waited has come to the end that its function brings about.
    async fn is_done(&self) -> bool {
        let Some(waiting) = &self.waiting else {
            return true;
        };
        let job = waiting
            .client
            .get(&format!("/jobs/{}", waiting.job_id))
            .await
            .json();
        job["status"] == waiting.end
    }
}

/// What a job asks for.
struct Work {
    processor: &'static str,
    from: &'static str,
    bytes: Vec<u8>,
    to: &'static str,
    operations: Vec<Value>,
}

impl Work {
    /// The cheapest job that goes to this processor's queue; for a function that is no processor, to one of PDF.
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
            // An office document whose PDF another processor turns into text.
            "process-pipeline" => Self {
                operations: vec![json!({"operation": "convert", "format": "pdf"})],
                ..work("process-pipeline", "txt", b"sample".to_vec(), "txt")
            },
            _ => work("process-pdf", "pdf", pdf(1, 595, 842), "png"),
        }
    }
}

impl Waiting {
    async fn of(client: Client, function: &str) -> Self {
        let work = Work::of(function);
        let (processor, from) = (work.processor, work.from);
        admin(&["processor", "off", processor]);
        tokio::time::sleep(Duration::from_secs(2)).await;
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
        let end = if function == "bury" {
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

impl Drop for Waiting {
    fn drop(&mut self) {
        admin(&["processor", "on", self.processor]);
    }
}

fn is(answer: &Value, expected: Answer, event: &Value) -> bool {
    match expected {
        Answer::Success(status) => answer["statusCode"] == status,
        Answer::Refusal(status, code) => {
            let body: Value = serde_json::from_str(answer["body"].as_str().unwrap_or_default())
                .unwrap_or_default();
            answer["statusCode"] == status && body["status"] == status && body["code"] == code
        }
        Answer::Failures(places) => {
            let identifier =
                |place: &usize| json!({"itemIdentifier": event["Records"][*place]["messageId"]});
            *answer
                == json!({"batchItemFailures": places.iter().map(identifier).collect::<Vec<_>>()})
        }
        Answer::Nothing => answer.is_null(),
    }
}
