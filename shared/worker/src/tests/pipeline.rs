//! Pipelines: each step runs once, even across attempts.

mod cache_keys;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::engine_function::EngineFunction;
use domain::format::Format;
use domain::job::{Job, JobErrorCode, JobStatus, StepStatus};
use domain::operation::Operation;
use domain::processor::Processor;
use domain::retry;
use domain::source::result_object;
use invocation::{FailedInput, Interruption, Response, RunResult, Source};
use serde_json::{Value, json};
use testkit::{Call, Fakes, Fault};

use super::fixture::{
    End, EngineResult, EngineRun, Fixture, PDF, breaks, rejects, unreachable, warning,
};
use crate::worker::Worker;

/// The runs of engine functions.
type Calls = Arc<Mutex<Vec<(String, Format)>>>;

/// Creates a queued job of three steps.
async fn pipeline() -> Fixture {
    let steps = json!([
        {"operation": "convert", "format": "pdf"},
        {"operation": "optimize"},
        {"operation": "ocr", "output": "pdf"},
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
fn writer(calls: &Calls) -> impl Fn(&EngineRun<'_>) -> EngineResult + Send + Sync + 'static {
    let calls = Arc::clone(calls);
    move |run| {
        let [operation] = run.request.steps.as_slice() else {
            panic!("{} steps at a time", run.request.steps.len());
        };
        let name = operation.name().to_owned();
        let source = run.source()?;
        let call = (name.clone(), run.request.format);
        calls.lock().unwrap().push(call);
        let result = run.writes_pdf(&format!("{source} {name}"))?;
        Ok(RunResult {
            warnings: vec![warning(&name), warning("common")],
            ..result
        })
    }
}

/// Like [`writer`], but fails at `step`.
fn writer_until(
    calls: &Calls,
    step: &'static str,
    end: impl Fn() -> End + Send + Sync + 'static,
) -> impl Fn(&EngineRun<'_>) -> EngineResult + Send + Sync + 'static {
    let write = writer(calls);
    move |run| match run.request.steps[0].name() {
        name if name == step => Err(end()),
        _ => write(run),
    }
}

/// Handles the ticket when the job's next attempt is due.
async fn handle_later<F>(fixture: &Fixture, engine: F)
where
    F: Fn(&EngineRun<'_>) -> EngineResult + Send + Sync + 'static,
{
    fixture.script(engine);
    let later = fixture.now().plus(retry::backoff(1));
    let worker = Worker {
        clock: Box::new(move || later),
        ..fixture.worker()
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
    let functions: Vec<_> = fixture
        .runs()
        .into_iter()
        .map(|(function, _)| function)
        .collect();
    let expected = [
        EngineFunction::EngineOffice,
        EngineFunction::EnginePdf,
        EngineFunction::EngineOcr,
    ];
    assert_eq!(functions, expected);
}

#[tokio::test]
async fn another_attempt_resumes_at_the_interrupted_step() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    fixture
        .handle(writer_until(&calls, "optimize", breaks))
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
async fn cached_steps_are_not_repeated() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    fixture
        .handle({
            let write = writer(&calls);
            move |run| {
                let result = write(run)?;
                if result.size_bytes > 40 {
                    // The outcome cannot be written, so that another attempt follows.
                    run.fakes.fail(Call::Apply, Fault::Contended, 3);
                }
                Ok(result)
            }
        })
        .await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
    // Only the last artifact is read.
    let kept = fixture.fakes.stored_step_artifacts();
    assert_eq!(kept.len(), 3);
    for name in kept {
        let (_, bytes) = fixture.fakes.object(&name).unwrap();
        if !bytes.ends_with(b"ocr") {
            fixture.fakes.remove_object(&name);
        }
    }
    handle_later(&fixture, unreachable).await;
    let job = fixture.record().await;
    assert_eq!(job.status, JobStatus::Completed);
    assert_eq!(runs(&job), [(StepStatus::Reused, 2); 3]);
    assert_eq!(
        result(&fixture, 2),
        "the words of the source convert optimize ocr"
    );
    let output = job.output.unwrap();
    assert_eq!(output.object, "result");
}

#[tokio::test]
async fn a_result_that_is_not_copied_is_made_again() {
    for (call, fault) in [
        (Call::Copy, Fault::Unavailable),
        (Call::Stored, Fault::Unavailable),
    ] {
        let (fixture, calls) = (pipeline().await, Calls::default());
        fixture.handle(writer(&calls)).await;
        let mut job = fixture.job.clone();
        job.status = JobStatus::Retrying;
        job.attempt = 1;
        fixture.fakes.put_job(job);
        fixture.fakes.fail(call, fault, 1);
        handle_later(&fixture, writer(&calls)).await;
        let job = fixture.record().await;
        assert_eq!(job.status, JobStatus::Completed, "{call:?}");
        let expected = [
            (StepStatus::Reused, 2),
            (StepStatus::Reused, 2),
            (StepStatus::Completed, 2),
        ];
        assert_eq!(runs(&job), expected, "{call:?}");
        assert_eq!(names(&calls)[3..], ["ocr"], "{call:?}");
    }
}

#[tokio::test]
async fn an_artifact_that_is_replaced_after_its_check_is_not_copied() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    fixture.handle(writer(&calls)).await;
    let mut job = fixture.job.clone();
    job.status = JobStatus::Retrying;
    job.attempt = 1;
    fixture.fakes.put_job(job);
    let object = cached_object(&fixture, "ocr");
    fixture.fakes.before(Call::Copy, 0, replace(object));
    handle_later(&fixture, writer(&calls)).await;
    assert_eq!(names(&calls)[3..], ["ocr"]);
    assert_eq!(
        result(&fixture, 2),
        "the words of the source convert optimize ocr"
    );
}

#[tokio::test]
async fn a_step_artifact_that_is_replaced_after_its_check_is_not_cached() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    let (account, job) = (&fixture.job.account_id, &fixture.job.id);
    let object = result_object(account, job, 1, "step-0");
    fixture.fakes.before(Call::KeepStep, 0, replace(object));
    fixture.handle(writer(&calls)).await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
    assert_eq!(names(&calls), ["convert"]);
    assert!(fixture.fakes.stored_step_artifacts().is_empty());
}

/// Replaces an object.
fn replace(object: String) -> impl FnOnce(&Fakes) + Send + 'static {
    move |fakes| drop(fakes.put_object(&object, PDF, b"something else"))
}

/// Creates a job whose first two steps are cached and whose second attempt is due.
async fn interrupted_at_the_third_step(calls: &Calls) -> Fixture {
    let fixture = pipeline().await;
    fixture.handle(writer_until(calls, "ocr", breaks)).await;
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
async fn an_artifact_that_the_engine_finds_damaged_is_not_used() {
    let calls = Calls::default();
    let fixture = interrupted_at_the_third_step(&calls).await;
    let damaged = cached_object(&fixture, "optimize");
    let write = writer(&calls);
    // Between the check and the download.
    let engine = move |run: &EngineRun<'_>| {
        let Source::File(file) = &run.request.source else {
            panic!("not a file");
        };
        if file.get.url.contains(&damaged) {
            run.fakes.remove_object(&damaged);
        }
        write(run)
    };
    handle_later(&fixture, engine).await;
    let job = fixture.record().await;
    assert_eq!(names(&calls)[2..], ["optimize", "ocr"]);
    let expected = [
        (StepStatus::Reused, 2),
        (StepStatus::Completed, 2),
        (StepStatus::Completed, 2),
    ];
    assert_eq!(
        (job.status, runs(&job)),
        (JobStatus::Completed, expected.to_vec())
    );
    assert_eq!(
        result(&fixture, 2),
        "the words of the source convert optimize ocr"
    );
}

#[tokio::test]
async fn a_source_that_the_engine_finds_damaged_is_retried() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    let damaged = || {
        let input = Interruption::Input {
            attachment: None,
            failure: FailedInput::Damaged,
        };
        End::Responds(Response::Interrupted(input))
    };
    fixture
        .handle(writer_until(&calls, "optimize", damaged))
        .await;
    assert_eq!(fixture.record().await.status, JobStatus::Retrying);
    assert_eq!(names(&calls), ["convert"]);
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
    for call in [Call::KeptStep, Call::KeepStep] {
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
    let corrupt = || rejects(JobErrorCode::InputCorrupt);
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

#[tokio::test(start_paused = true)]
async fn progress_is_that_of_the_completed_steps() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    fixture.fakes.delay_engine(Duration::from_millis(100));
    let observe = async {
        let mut seen = Vec::new();
        for _ in 0..150 {
            tokio::time::sleep(Duration::from_millis(5)).await;
            seen.push(fixture.record().await.progress);
        }
        seen.dedup();
        seen
    };
    let ((), seen) = tokio::join!(fixture.handle(writer(&calls)), observe);
    assert_eq!(seen, [0, 33, 66, 100]);
}

#[tokio::test]
async fn a_job_of_one_processor_is_one_engine_run_without_cache() {
    let fixture = Fixture::with(|job| {
        let steps = json!([{"operation": "rotate", "angle": 90}, {"operation": "optimize"}]);
        make_pipeline(job, &steps);
        job.input_format = Format::Pdf;
        job.processor = Processor::ProcessPdf;
    })
    .await;
    fixture
        .handle(|run| {
            assert_eq!(run.request.steps.len(), 2);
            super::fixture::uppercase(run)
        })
        .await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.step_runs), (JobStatus::Completed, vec![]));
    assert!(fixture.fakes.stored_step_artifacts().is_empty());
    assert_eq!(fixture.fakes.invocations().len(), 1, "no fingerprint");
}
