//! The steps of a pipeline: each is done once, whatever happens to the attempts.

use std::path::Path;
use std::sync::{Arc, Mutex};

use domain::format::Format;
use domain::job::{Job, JobError, JobErrorCode, JobStatus, StepStatus, Warning};
use domain::operation::Operation;
use domain::processor::Processor;
use domain::retry;
use engine::{Artifact, EngineError, Request};
use serde_json::{Value, json};
use testkit::{Call, Fault};

use super::fixture::{Fixture, artifact};
use crate::worker::Worker;

/// What an engine was asked, call by call.
type Calls = Arc<Mutex<Vec<(String, Format)>>>;

/// A job of three steps, accepted and untouched.
async fn pipeline() -> Fixture {
    let steps = json!([
        {"operation": "convert", "format": "pdf"},
        {"operation": "optimise"},
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

/// An engine that writes its operation's name behind the source, and notes what it was asked.
fn writer(
    calls: &Calls,
) -> impl Fn(&Request<'_>) -> Result<Artifact, EngineError> + Send + Sync + 'static {
    let calls = Arc::clone(calls);
    move |request| {
        let [operation] = request.steps else {
            panic!("{} steps at a time", request.steps.len());
        };
        let name = operation.name().to_owned();
        calls.lock().unwrap().push((name.clone(), request.claimed));
        let source = std::fs::read_to_string(request.source).unwrap();
        let path = request.scratch.join("written");
        std::fs::write(&path, format!("{source} {name}")).unwrap();
        Ok(whole(&path, &name))
    }
}

/// The artifact at `path`, as an engine tells of it.
fn whole(path: &Path, warning: &str) -> Artifact {
    let (size_bytes, sha256) = engine::weigh(path).unwrap();
    let warn = |code: &str| Warning {
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

/// The same, until it is asked for `step`: then it ends like this.
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

/// Has a worker handle the ticket when the job's next attempt is due.
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

/// How each step went, and in which attempt.
fn runs(job: &Job) -> Vec<(StepStatus, u32)> {
    let runs = job.step_runs.iter();
    runs.map(|run| (run.status, run.attempt)).collect()
}

fn result(fixture: &Fixture, attempt: u32) -> String {
    String::from_utf8(fixture.stored(attempt).unwrap().1).unwrap()
}

#[tokio::test]
async fn each_step_works_on_what_the_one_before_has_left() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    fixture.handle(writer(&calls)).await;
    let job = fixture.record().await;
    assert_eq!(job.status, JobStatus::Completed);
    let expected = [
        ("convert".to_owned(), Format::Txt),
        ("optimise".to_owned(), Format::Pdf),
        ("ocr".to_owned(), Format::Pdf),
    ];
    assert_eq!(*calls.lock().unwrap(), expected);
    let text = "the words of the source convert optimise ocr";
    assert_eq!(result(&fixture, 1), text);
    let codes: Vec<_> = job.warnings.iter().map(|warning| &warning.code).collect();
    assert_eq!(codes, ["convert", "common", "optimise", "ocr"]);
    let output = job.output.clone().unwrap();
    assert_eq!(
        (output.engine.as_str(), output.size_bytes),
        ("shouter 1", text.len() as u64)
    );

    assert_eq!(runs(&job), [(StepStatus::Completed, 1); 3]);
    for (run, operation) in job.step_runs.iter().zip(["convert", "optimise", "ocr"]) {
        assert_eq!(run.operation, operation);
        assert_eq!(run.started_at, Some(fixture.now()));
        assert_eq!(run.ended_at, Some(fixture.now()));
    }
    assert_eq!(fixture.left_in_scratch(), 0);
}

#[tokio::test]
async fn another_attempt_goes_on_at_the_step_that_was_interrupted() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    fixture
        .handle(writer_until(&calls, "optimise", broken))
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
    assert_eq!(names(&calls), ["convert", "optimise", "ocr"]);
    assert_eq!(
        result(&fixture, 2),
        "the words of the source convert optimise ocr"
    );
    let expected = [
        (StepStatus::Reused, 2),
        (StepStatus::Completed, 2),
        (StepStatus::Completed, 2),
    ];
    assert_eq!(runs(&job), expected);
    let codes: Vec<_> = job.warnings.iter().map(|warning| &warning.code).collect();
    assert_eq!(codes, ["convert", "common", "optimise", "ocr"]);
    assert_eq!(fixture.left_in_scratch(), 0);
}

#[tokio::test]
async fn a_result_that_could_not_be_stored_is_not_made_again() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    fixture.fakes.fail(Call::Store, Fault::Unavailable, 1);
    fixture.handle(writer(&calls)).await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
    // Only the last artifact is needed.
    let kept = fixture.fakes.kept_steps();
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
        "the words of the source convert optimise ocr"
    );
}

/// A job whose first two steps are kept and whose second attempt is due.
async fn interrupted_at_the_third_step(calls: &Calls) -> Fixture {
    let fixture = pipeline().await;
    fixture.handle(writer_until(calls, "ocr", broken)).await;
    assert_eq!(names(calls), ["convert", "optimise"]);
    fixture
}

/// The name of the kept artifact that ends with these bytes.
fn kept(fixture: &Fixture, end: &str) -> String {
    let names = fixture.fakes.kept_steps().into_iter();
    let ends = |name: &String| {
        let (_, bytes) = fixture.fakes.object(name).unwrap();
        bytes.ends_with(end.as_bytes())
    };
    names.filter(ends).collect::<Vec<_>>().concat()
}

#[tokio::test]
async fn an_artifact_that_is_gone_is_made_again_from_the_one_before() {
    let calls = Calls::default();
    let fixture = interrupted_at_the_third_step(&calls).await;
    fixture.fakes.remove_object(&kept(&fixture, "optimise"));
    handle_later(&fixture, writer(&calls)).await;
    let job = fixture.record().await;
    assert_eq!(names(&calls), ["convert", "optimise", "optimise", "ocr"]);
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
async fn an_artifact_with_other_bytes_is_not_believed() {
    let calls = Calls::default();
    let fixture = interrupted_at_the_third_step(&calls).await;
    for end in ["optimise", "convert"] {
        let name = kept(&fixture, end);
        fixture
            .fakes
            .put_object(&name, "text/plain", b"something else");
    }
    handle_later(&fixture, writer(&calls)).await;
    let again = ["convert", "optimise", "convert", "optimise", "ocr"];
    assert_eq!(names(&calls), again);
    assert_eq!(
        result(&fixture, 2),
        "the words of the source convert optimise ocr"
    );
}

#[tokio::test]
async fn what_another_engine_or_plan_left_is_not_taken() {
    let calls = Calls::default();
    let fixture = interrupted_at_the_third_step(&calls).await;
    let mut job = fixture.record().await;
    job.limits.pages += 1;
    fixture.fakes.put_job(job);
    handle_later(&fixture, writer(&calls)).await;
    assert_eq!(names(&calls)[2..], ["convert", "optimise", "ocr"]);
}

#[tokio::test]
async fn a_store_that_keeps_nothing_costs_time_and_not_the_job() {
    for call in [Call::KeptStep, Call::FetchStep, Call::KeepStep] {
        let calls = Calls::default();
        let fixture = interrupted_at_the_third_step(&calls).await;
        fixture.fakes.fail(call, Fault::Unavailable, 9);
        handle_later(&fixture, writer(&calls)).await;
        let job = fixture.record().await;
        assert_eq!(job.status, JobStatus::Completed, "{call:?}");
        assert_eq!(
            result(&fixture, 2),
            "the words of the source convert optimise ocr",
            "{call:?}"
        );
    }
}

#[tokio::test]
async fn a_fault_of_the_document_is_that_of_its_step() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    let corrupt = || {
        let error = JobError::new(JobErrorCode::InputCorrupt, "cannot be read");
        EngineError::Document(error)
    };
    fixture
        .handle(writer_until(&calls, "optimise", corrupt))
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
async fn progress_is_that_of_all_steps() {
    let fixture = pipeline().await;
    let (calls, seen) = (Calls::default(), Arc::new(Mutex::new(Vec::new())));
    let (write, noted) = (writer(&calls), Arc::clone(&seen));
    let (fakes, id) = (Arc::clone(&fixture.fakes), fixture.job.id.clone());
    let engine = move |request: &Request<'_>| {
        use domain::ports::Jobs as _;
        (request.progress)(50);
        // Longer than some heartbeats.
        std::thread::sleep(std::time::Duration::from_millis(60));
        let job = tokio::runtime::Handle::current().block_on(fakes.job(&id));
        noted.lock().unwrap().push(job.unwrap().unwrap().progress);
        write(request)
    };
    fixture.handle(engine).await;
    assert_eq!(*seen.lock().unwrap(), [16, 50, 83]);
}

#[tokio::test]
async fn what_is_not_needed_any_more_leaves_scratch_at_once() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    let write = writer(&calls);
    let engine = move |request: &Request<'_>| {
        let all = request.scratch.parent().unwrap();
        let left = std::fs::read_dir(all).unwrap().flatten();
        let directories = left.filter(|entry| entry.path().is_dir()).count();
        // Its own, and the one that its source lies in.
        assert!(directories <= 2, "{directories}");
        write(request)
    };
    fixture.handle(engine).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

#[tokio::test]
async fn a_job_of_one_processor_is_done_in_one_go_and_keeps_nothing() {
    let fixture = Fixture::with(|job| {
        let steps = json!([{"operation": "convert", "format": "pdf"}, {"operation": "optimise"}]);
        make_pipeline(job, &steps);
        job.processor = Processor::ProcessPdf;
    })
    .await;
    let engine = |request: &Request<'_>| {
        assert_eq!(request.steps.len(), 2);
        super::fixture::shout(request)
    };
    fixture.handle(engine).await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.step_runs), (JobStatus::Completed, vec![]));
    assert!(fixture.fakes.kept_steps().is_empty());
}
