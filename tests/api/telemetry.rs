//! Logs and metrics of a job: identifiers, trace and durations, never content.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::client::unique;
use tests::documents::{docx, paragraph};
use tests::wire::state_directory;

use crate::account::{Account, accepted_job_id};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

fn read_log() -> String {
    std::fs::read_to_string(state_directory().join("functions.log")).unwrap()
}

/// Waits until the duration of the job is logged; returns all log lines that contain `text`, without the function name.
async fn wait_for_lines(text: &str) -> Vec<Value> {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let log = read_log();
        let found = log.lines().filter(|line| line.contains(text));
        let objects = found.map(|line| line.split_once(' ').unwrap().1);
        let lines: Vec<Value> = objects
            .map(|json| serde_json::from_str(json).unwrap())
            .collect();
        if lines.iter().any(is_finished) {
            return lines;
        }
        assert!(
            Instant::now() < deadline,
            "the duration of {text} is not logged"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn is_finished(line: &Value) -> bool {
    line["finish_ms"].is_u64()
}

/// Waits for the line of the engine function about a job of [`Account::conversion_body`].
async fn engine_line(job: &str) -> Value {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let lines = tests::logs::of("engine-ocr");
        let is_about_job = |line: &Value| line["span"]["job_id"] == job;
        if let Some(line) = lines.into_iter().find(is_about_job) {
            return line;
        }
        assert!(Instant::now() < deadline, "engine-ocr does not log {job}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_trace_spans_request_coordinator_and_engine_function() {
    let account = Account::new("business");
    let (body, key) = (account.conversion_body().await, unique("trace"));
    let given = format!("00-{TRACE}-b7ad6b7169203331-01");
    let headers = [("traceparent", given.as_str()), ("idempotency-key", &key)];
    let response = account.client.post("/jobs", &headers, &body).await;
    let job = accepted_job_id(&response);
    account.client.wait(&job).await;
    let lines = wait_for_lines(&job).await;
    let mut spans = lines.iter().map(|line| &line["span"]);
    let request = spans.find(|span| span["operation"] == "createJob").unwrap();
    assert_eq!(request["request_id"], response.header("x-request-id"));
    let work = lines.iter().find(|line| is_finished(line)).unwrap();
    let work = &work["span"];
    let engine = &engine_line(&job).await["span"];
    for span in [work, engine] {
        let attempt = (&span["job_id"], &span["attempt"]);
        assert_eq!(attempt, (&json!(job), &json!(1)));
    }
    for span in [request, work] {
        assert_eq!(span["account_id"], account.id);
    }
    assert_eq!(engine["account_id"], Value::Null);
    for span in [request, work, engine] {
        let traceparent = span["traceparent"].as_str().unwrap();
        assert!(
            traceparent.starts_with(&format!("00-{TRACE}-")),
            "{traceparent}"
        );
    }
}

#[tokio::test]
async fn content_keys_and_urls_are_never_logged() {
    let account = Account::new("business");
    let secret = |of: &str| unique(of).replace('-', "");
    let (text, name, own) = (secret("text"), secret("name"), secret("own"));
    let document = docx(&paragraph(&text), "", &[]);
    let filename = format!("{name}.docx");
    let octets = "application/octet-stream";
    let source = account.client.upload(&filename, octets, document).await;
    let body = json!({
        "filename": filename, "format": "pdf", "sourceKey": source, "metadata": {"own": own}
    });
    let mut wrong = body.clone();
    wrong[&own] = json!(text);
    assert_eq!(account.client.create_job(&wrong, None).await.status, 422);
    let key = unique("secret");
    let job = accepted_job_id(&account.client.create_job(&body, Some(&key)).await);
    let ended = account.client.wait(&job).await;
    assert_eq!(ended["status"], "completed", "{ended}");
    account.client.result(&ended).await;
    wait_for_lines(&job).await;
    let log = read_log();
    let api_secret = account.key.rsplit('_').next().unwrap();
    for hidden in [&*text, &name, &own, &key, api_secret, "X-Amz-Signature"] {
        assert!(!log.contains(hidden), "{hidden}");
    }
}

#[tokio::test]
async fn metrics_are_counted_by_operation() {
    let account = Account::new("business");
    let job = account.run_job(&account.compression_body().await).await;
    wait_for_lines(job["jobId"].as_str().unwrap()).await;
    let log = read_log();
    for (metric, unit) in [
        ("JobsAccepted", "Count"),
        ("Credits", "Count"),
        ("JobsCompleted", "Count"),
        ("QueueWaitMs", "Milliseconds"),
        ("WorkMs", "Milliseconds"),
    ] {
        let named = format!("{{\"Name\":\"{metric}\",\"Unit\":\"{unit}\"}}");
        let of_operation = |line: &&str| line.contains(&named) && line.contains("\"compress\"");
        let line = log
            .lines()
            .find(of_operation)
            .unwrap_or_else(|| panic!("no {metric}"));
        let line: Value = serde_json::from_str(line.split_once(' ').unwrap().1).unwrap();
        let declared = &line["_aws"]["CloudWatchMetrics"][0];
        assert_eq!(declared["Namespace"], "Octavo");
        assert_eq!(
            declared["Dimensions"],
            json!([["stage"], ["stage", "operation"]])
        );
        assert!(line[metric].is_u64() && line["stage"] == "local", "{line}");
    }
}
