//! Downloads and uploads that fail.

use std::time::Duration;

use domain::job::JobErrorCode;
use engine_function::ObjectStore;
use invocation::{FailedInput, Input, Interruption, Response, Source};
use runtime::invocation::Next;

use crate::store::{Store, expired};
use crate::support::{Function, attachment, completed, convert, png};

fn input_failure(attachment: Option<usize>, failure: FailedInput) -> Response {
    Response::Interrupted(Interruption::Input {
        attachment,
        failure,
    })
}

#[tokio::test]
async fn an_upload_may_take_longer_than_a_read_of_a_download() {
    let (store, read) = (Store::start(), Duration::from_millis(500));
    let function = Function::image_over(ObjectStore::with_read_timeout(read).unwrap());
    store.delay_uploads(3 * read);
    let input = store.input("source", &png(16));
    let (response, _) = function.run(convert(&store, input, "jpeg")).await;
    completed(response);
    assert_eq!(store.uploads(), 1);
}

#[tokio::test]
async fn each_failure_of_a_download_has_its_own_interruption() {
    let store = Store::start();
    let function = Function::image();
    let picture = png(16);
    let good = store.input("good", &picture);
    let changed = store.input("changed", &picture);
    store.replace("changed", b"another file");
    let missing = {
        let mut input = good.clone();
        input.get.url = input.get.url.replace("/good", "/missing");
        input
    };
    let late = {
        let mut input = good.clone();
        input.get.url = expired(&input.get.url);
        input
    };
    let damaged = Input {
        sha256: Some("ab".repeat(32)),
        ..good.clone()
    };
    let unreachable = {
        let mut input = good.clone();
        input.get.url = "http://127.0.0.1:1/good?signature".to_owned();
        input
    };
    let size = |size_bytes| Input {
        size_bytes,
        ..good.clone()
    };
    for (input, failure) in [
        (changed, FailedInput::Changed),
        (missing, FailedInput::Changed),
        (late, FailedInput::Expired),
        (damaged, FailedInput::Damaged),
        (unreachable, FailedInput::Interrupted),
        (size(good.size_bytes - 1), FailedInput::Changed),
        (size(good.size_bytes + 1), FailedInput::Changed),
    ] {
        let (response, next) = function.run(convert(&store, input.clone(), "jpeg")).await;
        assert_eq!(response, input_failure(None, failure), "as the document");
        assert_eq!(next, Next::Serve);
        let mut run = convert(&store, good.clone(), "jpeg");
        run.attachments = vec![attachment(good.clone()), attachment(input)];
        let (response, _) = function.run(run).await;
        assert_eq!(
            response,
            input_failure(Some(1), failure),
            "as an attachment"
        );
    }
    assert_eq!(store.uploads(), 0);
}

#[tokio::test]
async fn temporary_failures_of_the_object_store_are_retried() {
    let store = Store::start();
    let function = Function::image();
    let run = convert(&store, store.input("source", &png(16)), "jpeg");
    store.fail(2);
    completed(function.run(run.clone()).await.0);
    assert_eq!(store.uploads(), 1);
    store.fail(3);
    let (response, _) = function.run(run).await;
    assert_eq!(response, input_failure(None, FailedInput::Interrupted));
}

#[tokio::test]
async fn a_result_above_the_limit_is_rejected_and_not_uploaded() {
    let store = Store::start();
    let function = Function::image();
    let mut run = convert(&store, store.input("source", &png(64)), "jpeg");
    run.output = store.form(100);
    let (response, next) = function.run(run).await;
    match response {
        Response::Rejected(error) => assert_eq!(error.code, JobErrorCode::OutputTooLarge),
        other => panic!("{other:?}"),
    }
    assert_eq!(next, Next::Serve);
    assert_eq!(store.requests(), ["GET /source"]);
}

#[tokio::test]
async fn a_refused_upload_is_an_interruption() {
    let store = Store::start();
    let function = Function::image();
    let run = convert(&store, store.input("source", &png(64)), "jpeg");
    let expired_form = {
        let mut run = run.clone();
        run.output.url = expired(&run.output.url);
        run
    };
    // The policy of the form has another limit than the request.
    let refused = {
        let mut run = run.clone();
        run.output = domain::ports::UploadForm {
            max_bytes: run.output.max_bytes,
            ..store.form(100)
        };
        run
    };
    for run in [expired_form, refused] {
        let (response, next) = function.run(run).await;
        assert_eq!(response, Response::Interrupted(Interruption::Upload));
        assert_eq!(next, Next::Serve);
    }
    assert_eq!(store.uploads(), 0);
    completed(function.run(run).await.0);
}

#[tokio::test]
async fn a_slow_download_ends_with_the_time() {
    let address = crate::http::serve(|_| {
        std::thread::sleep(std::time::Duration::from_secs(30));
        (200, Vec::new(), Vec::new())
    });
    let store = Store::start();
    let function = Function::image();
    let mut run = convert(&store, store.input("source", &png(8)), "jpeg");
    if let Source::File(input) = &mut run.source {
        input.get.url = format!("http://{address}/slow?signature");
    }
    run.time_ms = 300;
    let (response, next) = function.run(run).await;
    assert_eq!(response, Response::Interrupted(Interruption::TimedOut));
    assert_eq!(next, Next::Serve);
}
