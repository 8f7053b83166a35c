//! Documents that the engines of `engine-image` convert or reject.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{ConvertOptions, Operation};
use invocation::{Interruption, Response};
use runtime::invocation::Next;
use serde_json::{Value, json};

use crate::store::{Store, sha256};
use crate::support::{Function, completed, convert, operation, payload, png};

#[tokio::test]
async fn a_document_is_downloaded_converted_and_uploaded() {
    let store = Store::start();
    let function = Function::image();
    let source = store.input("source", &png(64));
    let (response, next) = function.run(convert(&store, source, "jpeg")).await;
    let result = completed(response);
    assert_eq!(next, Next::Serve);
    assert_eq!(result.check_format(Format::Jpeg), Ok(()));
    assert_eq!(result.pages, 1);
    assert!(result.engine.contains("mozjpeg"), "{}", result.engine);
    let uploaded = store.uploaded();
    let names: Vec<&str> = uploaded
        .fields
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["key", "policy", "x-amz-signature", "Content-Type"]);
    assert_eq!(uploaded.fields[3].1, "image/jpeg");
    assert_eq!(result.size_bytes, uploaded.content.len() as u64);
    assert_eq!(result.sha256, sha256(&uploaded.content));
    assert!(image::load_from_memory(&uploaded.content).is_ok());
    assert_eq!(store.requests(), ["GET /source", "POST /upload"]);
}

#[tokio::test]
async fn steps_run_one_after_the_other() {
    let store = Store::start();
    let function = Function::image();
    let mut run = convert(&store, store.input("source", &png(64)), "webp");
    run.steps
        .insert(0, operation(json!({"operation": "resize", "width": 16})));
    let (response, _) = function.run(run).await;
    assert_eq!(completed(response).check_format(Format::Webp), Ok(()));
}

#[tokio::test]
async fn a_damaged_document_is_rejected_and_the_process_goes_on() {
    let store = Store::start();
    let function = Function::image();
    let good = png(64);
    let damaged = store.input("source", &good[..good.len() / 2]);
    let (response, next) = function.run(convert(&store, damaged, "jpeg")).await;
    match response {
        Response::Rejected(error) => assert_eq!(error.code, JobErrorCode::InputCorrupt),
        other => panic!("{other:?}"),
    }
    assert_eq!(next, Next::Serve);
    assert_eq!(store.uploads(), 0);
}

#[tokio::test]
async fn a_document_that_exceeds_the_time_is_stopped_and_ends_the_process() {
    let store = Store::start();
    let function = Function::image();
    let run = convert(&store, store.input("source", &png(3_000)), "avif");
    let (response, next) = function
        .run(invocation::RunRequest {
            time_ms: 1_000,
            ..run
        })
        .await;
    assert_eq!(response, Response::Interrupted(Interruption::TimedOut));
    assert_eq!(next, Next::End);
}

#[tokio::test]
async fn operations_of_other_functions_are_not_supported_and_nothing_is_downloaded() {
    let store = Store::start();
    let function = Function::image();
    let unsupported = Response::Interrupted(Interruption::Unsupported);
    let mut run = convert(&store, store.input("source", &png(8)), "jpeg");
    run.steps = vec![Operation::Convert(ConvertOptions::to(Format::Heic))];
    for run in [
        run.clone(),
        invocation::RunRequest {
            steps: Vec::new(),
            ..run
        },
    ] {
        assert_eq!(function.run(run).await.0, unsupported);
    }
    assert_eq!(store.requests(), [""; 0]);
}

#[tokio::test]
async fn requests_of_other_versions_and_shapes_are_not_supported() {
    let store = Store::start();
    let function = Function::image();
    let good = payload(convert(&store, store.input("source", &png(8)), "jpeg"));
    let changed = |member: &str, value: Value| {
        let mut payload = good.clone();
        payload[member] = value;
        payload
    };
    for payload in [
        changed("version", json!(invocation::VERSION + 1)),
        changed("version", json!(invocation::VERSION - 1)),
        changed("version", json!("1")),
        changed("version", json!(null)),
        changed("work", json!({"type": "run"})),
        changed("work", json!({"type": "delete"})),
        changed("job", json!([])),
        json!(null),
        json!([1, 2]),
        json!("text"),
        json!({}),
    ] {
        let (response, next) = function.invoke(payload.clone()).await;
        let unsupported = Response::Interrupted(Interruption::Unsupported);
        assert_eq!(response, unsupported, "{payload}");
        assert_eq!(next, Next::Serve);
    }
    assert_eq!(store.requests(), [""; 0]);
}

#[tokio::test]
async fn the_fingerprint_names_the_engines() {
    let store = Store::start();
    let function = Function::image();
    let mut request = payload(convert(&store, store.input("source", &png(8)), "jpeg"));
    let mut fingerprint = async |to| {
        let operation = serde_json::to_value(Operation::Convert(ConvertOptions::to(to))).unwrap();
        request["work"] = json!({"type": "fingerprint", "operation": operation, "format": "png"});
        function.invoke(request.clone()).await.0
    };
    match fingerprint(Format::Jpeg).await {
        Response::Fingerprint(Some(engines)) => assert!(engines.contains("mozjpeg"), "{engines}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(fingerprint(Format::Heic).await, Response::Fingerprint(None));
}
