//! Options for retrieval and debugging: chunks and candidates in JSON, page markers in Markdown.

use serde_json::{Value, json};
use tests::client::unique;

use crate::account::{Account, accepted_job_id};
use crate::problem::assert_error;

const SOURCE: &str =
    "# Ferries\n\nThe ferry departs at noon.\n\n## Prices\n\nA ticket costs four euros.\n";

/// Runs a pipeline over a source and returns its result.
async fn converted(
    account: &Account,
    (filename, content_type): (&str, &str),
    source: &str,
    steps: Value,
) -> String {
    let bytes = source.as_bytes().to_vec();
    let key = account.client.upload(filename, content_type, bytes).await;
    let body = json!({"sourceKey": key, "filename": filename, "steps": steps});
    let key = unique("retrieval");
    let headers = [("Idempotency-Key", key.as_str())];
    let created = account.client.post("/pipeline", &headers, &body).await;
    let job = account.client.wait(&accepted_job_id(&created)).await;
    assert_eq!(job["status"], "completed", "{job}");
    String::from_utf8(account.client.result(&job).await).unwrap()
}

/// Converts the source to PDF, and that with these options.
async fn by_pdf(account: &Account, convert: Value) -> String {
    let steps = json!([{"operation": "convert", "format": "pdf"}, convert]);
    converted(account, ("ferries.md", "text/markdown"), SOURCE, steps).await
}

#[tokio::test]
async fn json_has_a_chunk_for_each_section() {
    let account = Account::new("pro");
    let convert = json!({"operation": "convert", "format": "json", "chunk": {"maxTokens": 100}});
    let made: Value = serde_json::from_str(&by_pdf(&account, convert).await).unwrap();
    let chunks = made["chunks"].as_array().unwrap();
    let texts: Vec<&Value> = chunks.iter().map(|chunk| &chunk["text"]).collect();
    assert_eq!(
        texts,
        [
            "# Ferries\n\nThe ferry departs at noon.",
            "## Prices\n\nA ticket costs four euros.",
        ]
    );
}

#[tokio::test]
async fn json_explains_pages_that_are_read_without_tags() {
    let account = Account::new("pro");
    let source = r"{\rtf1{\b\fs48 Ferries\par}{\fs22 The ferry departs at noon.\par}}";
    let steps = json!([
        {"operation": "convert", "format": "pdf", "tagged": false},
        {"operation": "convert", "format": "json", "explain": true},
    ]);
    let made = converted(&account, ("ferries.rtf", "application/rtf"), source, steps).await;
    let made: Value = serde_json::from_str(&made).unwrap();
    let candidates = made["pages"][0]["candidates"].as_array().unwrap();
    let heading = candidates
        .iter()
        .find(|candidate| candidate["kind"] == "heading");
    assert_eq!(heading.unwrap()["isChosen"], true, "{made}");
}

#[tokio::test]
async fn markdown_marks_where_pages_begin() {
    let account = Account::new("pro");
    let convert = json!({"operation": "convert", "format": "md", "pageMarkers": true});
    let made = by_pdf(&account, convert).await;
    assert_eq!(made, format!("<!-- page 1 -->\n\n{SOURCE}"));
}

#[tokio::test]
async fn options_that_do_not_apply_are_rejected() {
    let account = Account::new("pro");
    let body = account.conversion_body().await;
    for (format, option, value, path, code) in [
        (
            "txt",
            "chunk",
            json!({"maxTokens": 100}),
            "chunk",
            "invalid_step",
        ),
        (
            "txt",
            "pageMarkers",
            json!(true),
            "pageMarkers",
            "invalid_step",
        ),
        ("txt", "explain", json!(true), "explain", "invalid_step"),
        ("json", "chunk", json!({}), "chunk", "invalid_value"),
        (
            "json",
            "chunk",
            json!({"maxTokens": 0}),
            "chunk.maxTokens",
            "invalid_value",
        ),
        ("json", "chunk", json!(100), "chunk", "invalid_value"),
    ] {
        let mut body = body.clone();
        body["operations"] = json!([{"operation": "convert", "format": format, option: value}]);
        let rejected = account.client.create_job(&body, None).await;
        let path = format!("$.operations[0].{path}");
        assert_error(&rejected, 422, "invalid_step", &[(&path, code)]);
    }
}
