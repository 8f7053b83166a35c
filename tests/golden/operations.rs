//! Runs every operation that `GET /formats` lists on each of its input formats, with meaningful options.

use std::collections::HashSet;

use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tests::client::Client;
use tests::corpus::{Entry, runs_all_cases};
use tests::stack::stack;

use crate::{poppler, raster, run, samples};

/// An operation on an input format, with its output format.
struct Case {
    name: String,
    from: String,
    to: String,
}

/// Runs all cases, or those by which each operation has each input and output format.
pub(crate) async fn all() {
    let client = Client::with_key(Some(&stack().keys["business"]));
    let mut cases = listed(&client).await;
    assert!(cases.len() > 60, "{} cases", cases.len());
    let (mut from, mut to) = (HashSet::new(), HashSet::new());
    cases.retain(|case| {
        let has_new_input = from.insert((case.name.clone(), case.from.clone()));
        let has_new_output = to.insert((case.name.clone(), case.to.clone()));
        has_new_input || has_new_output || runs_all_cases()
    });
    let cases = cases.into_iter().map(|case| {
        let client = client.clone();
        async move { run_case(&client, &case).await }
    });
    run::concurrently(cases.collect()).await;
}

async fn listed(client: &Client) -> Vec<Case> {
    let formats = client.get("/formats").await.json();
    let mut cases = Vec::new();
    let named = |list: &Value| -> Vec<String> {
        let items = list.as_array().unwrap().iter();
        items
            .map(|item| item.as_str().unwrap().to_owned())
            .collect()
    };
    for operation in formats["operations"].as_array().unwrap() {
        let name = operation["name"].as_str().unwrap();
        if ["convert", "compress"].contains(&name) {
            continue;
        }
        for from in named(&operation["inputs"]) {
            let outputs = named(&operation["output"]);
            let outputs = if outputs.is_empty() {
                vec![from.clone()]
            } else {
                outputs
            };
            cases.extend(outputs.into_iter().map(|to| Case {
                name: name.to_owned(),
                from: from.clone(),
                to,
            }));
        }
    }
    cases
}

/// The smallest sample of the format of a case; for PDF one with several pages, or with a form.
fn sample(case: &Case) -> Entry {
    let mut all = samples::of(&case.from);
    if case.from == "pdf" {
        let file = match case.name.as_str() {
            "fill" => "pdf-forms/form-filled-by-acrobat.pdf",
            _ => "pdf-text/multi_page.pdf",
        };
        all.retain(|entry| entry.file == file);
    }
    all.sort_by_key(|entry| entry.bytes().len());
    all.swap_remove(0)
}

/// The options of an operation. Panics for a listed operation without options here.
fn options(case: &Case, source_key: &str, pages: usize) -> Value {
    match case.name.as_str() {
        "resize" => json!({"width": 20, "height": 20, "fit": "fill", "enlarge": true}),
        "crop" => json!({"x": 0, "y": 0, "width": 8, "height": 8}),
        "rotate" => json!({"angle": 90}),
        "cleanup" => json!({"denoise": true, "binarize": true}),
        "ocr" => json!({"language": "en", "mode": "force"}),
        "merge" => json!({"sourceKeys": [source_key]}),
        "split" => json!({"every": 2}),
        "extract-pages" | "delete-pages" => json!({"pages": "last"}),
        "reorder" => json!({"order": (1..=pages).rev().collect::<Vec<_>>()}),
        "encrypt" => json!({"ownerPassword": "owner", "permissions": ["print"]}),
        "watermark" => json!({"text": "Entwurf – Größe"}),
        "page-numbers" => json!({"position": "top-right", "start": 7}),
        "metadata" => json!({"title": "Übersicht"}),
        "fill" => json!({"fields": {"Text Box 1": "Größe"}}),
        "compare" => json!({"sourceKey": source_key}),
        "sanitize" => json!({"metadata": true}),
        "optimize" | "decrypt" | "flatten" | "pdfa" | "repair" | "info" => json!({}),
        name => panic!("no options are defined for {name}"),
    }
}

async fn run_case(client: &Client, case: &Case) {
    let source = sample(case);
    let at = format!("{} on {} to {}", case.name, source.file, case.to);
    let bytes = source.bytes();
    let key = client
        .upload(source.name(), "application/octet-stream", bytes.clone())
        .await;
    let pages = if case.from == "pdf" {
        poppler::page_sizes(file(&bytes).path()).len()
    } else {
        1
    };
    let mut item = options(case, &key, pages);
    item["operation"] = json!(case.name);
    let body = json!({
        "filename": source.name(), "inputFormat": case.from, "format": case.to, "sourceKey": key, "operations": [item],
    });
    let created = client.create_job(&body, None).await;
    assert_eq!(created.status, 202, "{at}: {}", created.text());
    let job = client.wait(created.json()["jobId"].as_str().unwrap()).await;
    assert_eq!(job["status"], "completed", "{at}: {job}");
    let credits = if case.name == "ocr" { 3 } else { 1 };
    assert_eq!(job["creditsCharged"], credits, "{at}");
    let result = client.result(&job).await;
    tokio::task::block_in_place(|| check_result(case, &at, &job, &result, pages));
}

fn file(bytes: &[u8]) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    file
}

/// Checks the result with an independent tool.
fn check_result(case: &Case, at: &str, job: &Value, result: &[u8], pages: usize) {
    match (case.name.as_str(), case.to.as_str()) {
        ("split", _) => {
            assert_eq!(job["output"]["contentType"], "application/zip", "{at}");
            assert_eq!(
                job["files"].as_array().unwrap().len(),
                pages.div_ceil(2),
                "{at}"
            );
        }
        (_, "pdf") => {
            let found = poppler::page_sizes(file(result).path()).len();
            let expected = match case.name.as_str() {
                "merge" | "ocr" if case.from == "tiff" => found,
                "merge" => 2 * pages,
                "extract-pages" => 1,
                "delete-pages" => pages - 1,
                _ => pages,
            };
            assert_eq!(found, expected, "{at}");
            assert_eq!(job["output"]["pages"], found, "{at}");
        }
        (_, "json") => assert!(
            serde_json::from_slice::<Value>(result).unwrap().is_object(),
            "{at}"
        ),
        (_, "hocr") => assert!(String::from_utf8_lossy(result).contains("ocr_page"), "{at}"),
        (_, "txt") => assert!(std::str::from_utf8(result).is_ok(), "{at}"),
        _ => {
            let picture = raster::decode(result);
            let sides = (picture.width(), picture.height());
            match case.name.as_str() {
                "resize" => assert_eq!(sides, (20, 20), "{at}"),
                "crop" => assert_eq!(sides, (8, 8), "{at}"),
                _ => assert!(sides.0 > 0, "{at}"),
            }
        }
    }
}
