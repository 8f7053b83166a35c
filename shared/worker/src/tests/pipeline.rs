//! Pipelines: each step runs once, even across attempts.

use std::path::Path;
use std::sync::{Arc, Mutex};

use domain::format::Format;
use domain::job::{Job, JobError, JobErrorCode, JobStatus, JobWarning, StepStatus};
use domain::operation::Operation;
use domain::processor::Processor;
use domain::retry;
use engine::{Artifact, EngineError, Request};
use serde_json::{Value, json};
use testkit::{Call, Fault};

use super::fixture::{Fixture, artifact};
use crate::worker::Worker;

/// The requests to an engine.
type Calls = Arc<Mutex<Vec<(String, Format)>>>;

/// Creates a queued job of three steps.
async fn pipeline() -> Fixture {
    let steps = json!([
        {"operation": "convert", "format": "pdf"},
        {"operation": "optimize"},
        {"operation": "ocr"},
    ]);
    Fixture::with(|job| make_pipeline(job, &steps)).await
}

fn make_pipeline(job: &mut Job, steps: &Value) {
    job.processor = Processor::ProcessPipeline;
    let steps = steps.as_array().unwrap().iter();
    job.steps = steps
        .map(|step| Operation::read(step, "$").unwrap())
        .collect();
}

/// An engine that appends its operation's name to the source and records its requests.
fn writer(
    calls: &Calls,
) -> impl Fn(&Request<'_>) -> Result<Artifact, EngineError> + Send + Sync + 'static {
    let calls = Arc::clone(calls);
    move |request| {
        let [operation] = request.steps else {
            panic!("{} steps at a time", request.steps.len());
        };
        let name = operation.name().to_owned();
        calls
            .lock()
            .unwrap()
            .push((name.clone(), request.declared_format));
        let source = std::fs::read_to_string(request.source).unwrap();
        let path = request.scratch.join("written");
        std::fs::write(&path, format!("{source} {name}")).unwrap();
        Ok(artifact_of(&path, &name))
    }
}

/// The artifact at `path`, as an engine returns it.
fn artifact_of(path: &Path, warning: &str) -> Artifact {
    let (size_bytes, sha256) = engine::size_and_sha256(path).unwrap();
    let warn = |code: &str| JobWarning {
        code: code.to_owned(),
        message: "m".to_owned(),
    };
    Artifact {
        size_bytes,
        sha256,
        warnings: vec![warn(warning), warn("common")],
        ..artifact(path)
    }
}

/// Like [`writer`], but fails at `step`.
fn writer_until(
    calls: &Calls,
    step: &'static str,
    end: impl Fn() -> EngineError + Send + Sync + 'static,
) -> impl Fn(&Request<'_>) -> Result<Artifact, EngineError> + Send + Sync + 'static {
    let write = writer(calls);
    move |request| match request.steps[0].name() {
        name if name == step => Err(end()),
        _ => write(request),
    }
}

fn broken() -> EngineError {
    EngineError::Service("no such library".to_owned())
}

/// Handles the ticket when the job's next attempt is due.
async fn handle_later<F>(fixture: &Fixture, engine: F)
where
    F: Fn(&Request<'_>) -> Result<Artifact, EngineError> + Send + Sync + 'static,
{
    let later = fixture.now().plus(retry::backoff(1));
    let worker = Worker {
        clock: Box::new(move || later),
        ..fixture.worker(engine)
    };
    worker.handle(&fixture.ticket()).await.unwrap();
}

fn names(calls: &Calls) -> Vec<String> {
    let calls = calls.lock().unwrap();
    calls.iter().map(|(name, _)| name.clone()).collect()
}

/// Returns status and attempt of each step.
fn runs(job: &Job) -> Vec<(StepStatus, u32)> {
    let runs = job.step_runs.iter();
    runs.map(|run| (run.status, run.attempt)).collect()
}

fn result(fixture: &Fixture, attempt: u32) -> String {
    String::from_utf8(fixture.stored(attempt).unwrap().1).unwrap()
}

#[tokio::test]
async fn each_step_processes_the_artifact_of_the_previous_one() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    fixture.handle(writer(&calls)).await;
    let job = fixture.record().await;
    assert_eq!(job.status, JobStatus::Completed);
    let expected = [
        ("convert".to_owned(), Format::Txt),
        ("optimize".to_owned(), Format::Pdf),
        ("ocr".to_owned(), Format::Pdf),
    ];
    assert_eq!(*calls.lock().unwrap(), expected);
    let text = "the words of the source convert optimize ocr";
    assert_eq!(result(&fixture, 1), text);
    let codes: Vec<_> = job.warnings.iter().map(|warning| &warning.code).collect();
    assert_eq!(codes, ["convert", "common", "optimize", "ocr"]);
    let output = job.output.clone().unwrap();
    assert_eq!(
        (output.engine.as_str(), output.size_bytes),
        ("uppercase 1", text.len() as u64)
    );

    assert_eq!(runs(&job), [(StepStatus::Completed, 1); 3]);
    for (run, operation) in job.step_runs.iter().zip(["convert", "optimize", "ocr"]) {
        assert_eq!(run.operation, operation);
        assert_eq!(run.started_at, Some(fixture.now()));
        assert_eq!(run.ended_at, Some(fixture.now()));
    }
    assert_eq!(fixture.scratch_directories(), 0);
}

#[tokio::test]
async fn another_attempt_resumes_at_the_interrupted_step() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    fixture
        .handle(writer_until(&calls, "optimize", broken))
        .await;
    let job = fixture.record().await;
    assert_eq!(job.status, JobStatus::Retrying);
    let expected = [
        (StepStatus::Completed, 1),
        (StepStatus::Failed, 1),
        (StepStatus::Waiting, 0),
    ];
    assert_eq!(runs(&job), expected);
    assert_eq!(job.step_runs[2].started_at, None);

    handle_later(&fixture, writer(&calls)).await;
    let job = fixture.record().await;
    assert_eq!(job.status, JobStatus::Completed);
    assert_eq!(names(&calls), ["convert", "optimize", "ocr"]);
    assert_eq!(
        result(&fixture, 2),
        "the words of the source convert optimize ocr"
    );
    let expected = [
        (StepStatus::Reused, 2),
        (StepStatus::Completed, 2),
        (StepStatus::Completed, 2),
    ];
    assert_eq!(runs(&job), expected);
    let codes: Vec<_> = job.warnings.iter().map(|warning| &warning.code).collect();
    assert_eq!(codes, ["convert", "common", "optimize", "ocr"]);
    assert_eq!(fixture.scratch_directories(), 0);
}

#[tokio::test]
async fn steps_are_not_repeated_after_a_failed_store() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    fixture.fakes.fail(Call::Store, Fault::Unavailable, 1);
    fixture.handle(writer(&calls)).await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
    // Only the last artifact is fetched.
    let kept = fixture.fakes.stored_step_artifacts();
    assert_eq!(kept.len(), 3);
    for name in kept {
        let (_, bytes) = fixture.fakes.object(&name).unwrap();
        if !bytes.ends_with(b"ocr") {
            fixture.fakes.remove_object(&name);
        }
    }
    handle_later(&fixture, |_: &Request<'_>| Err(broken())).await;
    let job = fixture.record().await;
    assert_eq!(job.status, JobStatus::Completed);
    assert_eq!(runs(&job), [(StepStatus::Reused, 2); 3]);
    assert_eq!(
        result(&fixture, 2),
        "the words of the source convert optimize ocr"
    );
}

/// Creates a job whose first two steps are cached and whose second attempt is due.
async fn interrupted_at_the_third_step(calls: &Calls) -> Fixture {
    let fixture = pipeline().await;
    fixture.handle(writer_until(calls, "ocr", broken)).await;
    assert_eq!(names(calls), ["convert", "optimize"]);
    fixture
}

/// Returns the object of the cached artifact that ends with these bytes.
fn cached_object(fixture: &Fixture, end: &str) -> String {
    let names = fixture.fakes.stored_step_artifacts().into_iter();
    let ends = |name: &String| {
        let (_, bytes) = fixture.fakes.object(name).unwrap();
        bytes.ends_with(end.as_bytes())
    };
    names.filter(ends).collect::<Vec<_>>().concat()
}

#[tokio::test]
async fn a_missing_artifact_is_recreated_from_the_previous_one() {
    let calls = Calls::default();
    let fixture = interrupted_at_the_third_step(&calls).await;
    fixture
        .fakes
        .remove_object(&cached_object(&fixture, "optimize"));
    handle_later(&fixture, writer(&calls)).await;
    let job = fixture.record().await;
    assert_eq!(names(&calls), ["convert", "optimize", "optimize", "ocr"]);
    let expected = [
        (StepStatus::Reused, 2),
        (StepStatus::Completed, 2),
        (StepStatus::Completed, 2),
    ];
    assert_eq!(
        (job.status, runs(&job)),
        (JobStatus::Completed, expected.to_vec())
    );
}

#[tokio::test]
async fn an_artifact_with_a_wrong_hash_is_not_used() {
    let calls = Calls::default();
    let fixture = interrupted_at_the_third_step(&calls).await;
    for end in ["optimize", "convert"] {
        let name = cached_object(&fixture, end);
        fixture
            .fakes
            .put_object(&name, "text/plain", b"something else");
    }
    handle_later(&fixture, writer(&calls)).await;
    let again = ["convert", "optimize", "convert", "optimize", "ocr"];
    assert_eq!(names(&calls), again);
    assert_eq!(
        result(&fixture, 2),
        "the words of the source convert optimize ocr"
    );
}

#[tokio::test]
async fn artifacts_of_other_engine_versions_or_plans_are_not_used() {
    let calls = Calls::default();
    let fixture = interrupted_at_the_third_step(&calls).await;
    let mut job = fixture.record().await;
    job.limits.pages += 1;
    fixture.fakes.put_job(job);
    handle_later(&fixture, writer(&calls)).await;
    assert_eq!(names(&calls)[2..], ["convert", "optimize", "ocr"]);
}

#[tokio::test]
async fn an_unavailable_cache_does_not_fail_the_job() {
    for call in [Call::KeptStep, Call::FetchStep, Call::KeepStep] {
        let calls = Calls::default();
        let fixture = interrupted_at_the_third_step(&calls).await;
        fixture.fakes.fail(call, Fault::Unavailable, 9);
        handle_later(&fixture, writer(&calls)).await;
        let job = fixture.record().await;
        assert_eq!(job.status, JobStatus::Completed, "{call:?}");
        assert_eq!(
            result(&fixture, 2),
            "the words of the source convert optimize ocr",
            "{call:?}"
        );
    }
}

#[tokio::test]
async fn a_document_error_fails_its_step() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    let corrupt = || {
        let error = JobError::new(JobErrorCode::InputCorrupt, "cannot be read");
        EngineError::Document(error)
    };
    fixture
        .handle(writer_until(&calls, "optimize", corrupt))
        .await;
    let job = fixture.record().await;
    assert_eq!(job.status, JobStatus::Failed);
    assert_eq!(job.error.clone().unwrap().code, JobErrorCode::InputCorrupt);
    let expected = [
        (StepStatus::Completed, 1),
        (StepStatus::Failed, 1),
        (StepStatus::Waiting, 0),
    ];
    assert_eq!(runs(&job), expected);
    assert_eq!(fixture.refund(), Some(job.charge));
}

#[tokio::test]
async fn progress_is_scaled_to_all_steps() {
    let fixture = pipeline().await;
    let (calls, seen) = (Calls::default(), Arc::new(Mutex::new(Vec::new())));
    let (write, noted) = (writer(&calls), Arc::clone(&seen));
    let (fakes, id) = (Arc::clone(&fixture.fakes), fixture.job.id.clone());
    let engine = move |request: &Request<'_>| {
        use domain::ports::Jobs as _;
        (request.progress)(50);
        // Longer than several heartbeat intervals.
        std::thread::sleep(std::time::Duration::from_millis(60));
        let job = tokio::runtime::Handle::current().block_on(fakes.job(&id));
        noted.lock().unwrap().push(job.unwrap().unwrap().progress);
        write(request)
    };
    fixture.handle(engine).await;
    assert_eq!(*seen.lock().unwrap(), [16, 50, 83]);
}

#[tokio::test]
async fn directories_of_earlier_steps_are_removed_during_the_attempt() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    let write = writer(&calls);
    let engine = move |request: &Request<'_>| {
        let all = request.scratch.parent().unwrap();
        let left = std::fs::read_dir(all).unwrap().flatten();
        let directories = left.filter(|entry| entry.path().is_dir()).count();
        // Its own directory, and that of its source.
        assert!(directories <= 2, "{directories}");
        write(request)
    };
    fixture.handle(engine).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

#[tokio::test]
async fn a_job_of_one_processor_is_one_engine_run_without_cache() {
    let fixture = Fixture::with(|job| {
        let steps = json!([{"operation": "convert", "format": "pdf"}, {"operation": "optimize"}]);
        make_pipeline(job, &steps);
        job.processor = Processor::ProcessPdf;
    })
    .await;
    let engine = |request: &Request<'_>| {
        assert_eq!(request.steps.len(), 2);
        super::fixture::uppercase(request)
    };
    fixture.handle(engine).await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.step_runs), (JobStatus::Completed, vec![]));
    assert!(fixture.fakes.stored_step_artifacts().is_empty());
}
