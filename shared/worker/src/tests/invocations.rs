//! Invocations of engine functions: requests, implausible responses and results, retries, time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use domain::engine_function::{EngineFunction, coordinator_timeout};
use domain::format::Format;
use domain::job::{ArchiveContents, Job, JobStatus};
use domain::operation::Operation;
use domain::ports::{InvokeError, PortError, UploadForm};
use domain::processor::Processor;
use domain::retry;
use invocation::{FailedInput, Interruption, Request, Response, RunResult, Source, VERSION, Work};
use serde_json::json;
use testkit::{Call, Fakes, Fault, Invocation};
use tokio::time::Instant;

use super::fixture::{
    End, EngineResult, EngineRun, Fixture, PDF, SOURCE, breaks, result, uppercase,
};
use super::outcome::{assert_postponed, assert_retrying};
use crate::worker::Worker;

const RESULT: &[u8] = b"a result";

#[tokio::test]
async fn the_request_has_the_job_the_limits_and_the_time() {
    let fixture = Fixture::new().await;
    fixture.handle(uppercase).await;
    let [invocation] = fixture.fakes.invocations().try_into().unwrap();
    let resources = EngineFunction::EngineOffice.resources();
    assert_eq!(invocation.function, EngineFunction::EngineOffice);
    assert_eq!(invocation.account, fixture.job.account_id);
    assert_eq!(invocation.timeout, resources.read_timeout);
    let request: Request = serde_json::from_slice(&invocation.payload).unwrap();
    assert_eq!(request.version, VERSION);
    assert_eq!(request.job.job_id, fixture.job.id.as_str());
    assert_eq!(request.job.attempt, 1);
    assert_eq!(request.job.traceparent, fixture.job.traceparent);
    let Work::Run(run) = request.work else {
        panic!("not a run");
    };
    assert_eq!(run.steps, fixture.job.steps);
    assert_eq!((run.format, run.attachments.len()), (Format::Txt, 0));
    assert_eq!(run.filename, fixture.job.filename);
    assert_eq!(run.limits, fixture.job.limits);
    assert_eq!(run.output.max_bytes, 512 * 1024 * 1024);
    assert_eq!(Duration::from_millis(run.time_ms), resources.timeout);
    let Source::File(file) = run.source else {
        panic!("not a file");
    };
    assert_eq!((file.size_bytes, file.sha256), (SOURCE.len() as u64, None));
}

/// The form of a request.
fn form(payload: &[u8]) -> UploadForm {
    let request: Request = serde_json::from_slice(payload).unwrap();
    match request.work {
        Work::Run(run) => run.output,
        Work::Fingerprint { .. } => panic!("not a run"),
    }
}

/// Handles the job with an engine function that responds with these bytes after `upload`.
async fn responds<F>(upload: F, response: Vec<u8>) -> Fixture
where
    F: Fn(&Fakes, &UploadForm) + Send + Sync + 'static,
{
    let fixture = Fixture::new().await;
    fixture.fakes.script_engine(move |fakes, _, payload| {
        upload(fakes, &form(payload));
        Ok(response.clone())
    });
    fixture.handle_as_scripted().await;
    fixture
}

fn uploads(content_type: &'static str, bytes: &'static [u8]) -> impl Fn(&Fakes, &UploadForm) {
    move |fakes, form| assert!(fakes.upload(form, content_type, bytes))
}

fn completed(result: RunResult) -> Vec<u8> {
    serde_json::to_vec(&Response::Completed(Box::new(result))).unwrap()
}

#[tokio::test]
async fn a_plausible_result_completes_the_job() {
    let response = completed(result(PDF, "pdf", RESULT));
    let fixture = responds(uploads(PDF, RESULT), response).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

#[tokio::test]
async fn an_implausible_response_is_retried() {
    let good = || result(PDF, "pdf", RESULT);
    let large = vec![b' '; invocation::MAX_RESPONSE_BYTES + 1];
    let fingerprint = serde_json::to_vec(&Response::Fingerprint(None)).unwrap();
    let code = json!({"type": "rejected", "value": {"code": "cancelled", "message": "m"}});
    let image = RunResult {
        content_type: "image/png".to_owned(),
        extension: "png".to_owned(),
        ..good()
    };
    let archive = RunResult {
        content_type: "application/zip".to_owned(),
        extension: "zip".to_owned(),
        contents: Some(ArchiveContents {
            format: Format::Png,
            sizes: vec![8],
            images: None,
        }),
        ..good()
    };
    for response in [
        Vec::new(),
        b"nonsense".to_vec(),
        large,
        fingerprint,
        serde_json::to_vec(&code).unwrap(),
        completed(RunResult {
            sha256: "ab12".to_owned(),
            ..good()
        }),
        completed(image),
        completed(archive),
    ] {
        let fixture = responds(uploads(PDF, RESULT), response).await;
        assert_retrying(&fixture).await;
        assert_eq!(fixture.record().await.output, None);
    }
}

#[tokio::test]
async fn an_upload_that_differs_from_the_response_is_retried() {
    let response = || completed(result(PDF, "pdf", RESULT));
    for fixture in [
        responds(|_, _| (), response()).await,
        responds(uploads(PDF, b"another size"), response()).await,
        responds(uploads(PDF, b"A RESULT"), response()).await,
        responds(uploads("text/html", RESULT), response()).await,
    ] {
        assert_retrying(&fixture).await;
        assert_eq!(fixture.record().await.output, None);
    }
}

#[tokio::test]
async fn of_two_uploads_the_last_must_agree_with_the_response() {
    let twice = |first: &'static [u8], last: &'static [u8]| {
        move |fakes: &Fakes, form: &UploadForm| {
            assert!(fakes.upload(form, PDF, first));
            assert!(fakes.upload(form, PDF, last));
        }
    };
    let response = completed(result(PDF, "pdf", RESULT));
    let fixture = responds(twice(RESULT, b"A RESULT"), response.clone()).await;
    assert_retrying(&fixture).await;
    let fixture = responds(twice(b"A RESULT", RESULT), response).await;
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
    assert_eq!(fixture.stored(1).unwrap().1, RESULT);
}

#[tokio::test]
async fn a_crash_or_a_missing_response_is_retried() {
    let ends: [fn() -> End; 6] = [
        breaks,
        || End::Fails(InvokeError::Crashed("Runtime.ExitError".to_owned())),
        || End::Fails(InvokeError::TimedOut),
        || End::Responds(Response::Interrupted(Interruption::TimedOut)),
        || End::Responds(Response::Interrupted(Interruption::Upload)),
        || End::Responds(Response::Interrupted(input(Some(7), FailedInput::Changed))),
    ];
    for end in ends {
        let fixture = Fixture::new().await;
        fixture.handle(move |_| Err(end())).await;
        assert_retrying(&fixture).await;
        assert_eq!(fixture.runs().len(), 1, "one invocation an attempt");
    }
    for fault in [Fault::Unavailable, Fault::ResponseLost] {
        let fixture = Fixture::new().await;
        fixture.fakes.fail(Call::Invoke, fault, 1);
        fixture.handle(uppercase).await;
        assert_retrying(&fixture).await;
        assert_eq!(fixture.runs().len(), 1, "one invocation an attempt");
    }
}

#[tokio::test]
async fn an_engine_function_that_cannot_serve_uses_up_no_attempt() {
    let ends: [fn() -> End; 2] = [
        || End::Responds(Response::Interrupted(Interruption::Unsupported)),
        || End::Fails(InvokeError::NotInvoked(PortError::Contended)),
    ];
    for end in ends {
        let fixture = Fixture::new().await;
        fixture.handle(move |_| Err(end())).await;
        assert_postponed(&fixture).await;
        assert_eq!(fixture.runs().len(), 1, "one invocation an attempt");
    }
}

fn input(attachment: Option<usize>, failure: FailedInput) -> Interruption {
    Interruption::Input {
        attachment,
        failure,
    }
}

/// An engine whose first `times` presigned requests have expired.
fn expired(times: u32) -> impl Fn(&EngineRun<'_>) -> EngineResult + Send + Sync + 'static {
    let runs = AtomicU32::new(0);
    move |run| match runs.fetch_add(1, Ordering::Relaxed) {
        number if number < times => Err(End::Responds(Response::Interrupted(input(
            None,
            FailedInput::Expired,
        )))),
        _ => uppercase(run),
    }
}

#[tokio::test]
async fn expired_requests_are_presigned_again_once() {
    for (times, status, presigned) in [(1, JobStatus::Completed, 2), (2, JobStatus::Retrying, 2)] {
        let fixture = Fixture::new().await;
        let counts: [Arc<AtomicUsize>; 2] = Default::default();
        for (call, count) in [Call::InputRequest, Call::OutputForm]
            .into_iter()
            .zip(&counts)
        {
            for passing in 0..5 {
                let count = Arc::clone(count);
                let counted = move |_: &Fakes| {
                    count.fetch_add(1, Ordering::Relaxed);
                };
                fixture.fakes.before(call, passing, counted);
            }
        }
        fixture.handle(expired(times)).await;
        let job = fixture.record().await;
        assert_eq!((job.status, job.attempt), (status, 1));
        for count in &counts {
            assert_eq!(count.load(Ordering::Relaxed), presigned);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_throttled_invocation_is_repeated_with_back_off() {
    let fixture = Fixture::new().await;
    fixture.fakes.fail(Call::Invoke, Fault::Contended, 4);
    let started = Instant::now();
    fixture.handle(uppercase).await;
    let job = fixture.record().await;
    assert_eq!((job.status, job.attempt), (JobStatus::Completed, 1));
    assert_eq!(fixture.runs().len(), 5);
    // Half of 200, 400, 800 and 1,600 ms.
    let waited = started.elapsed().as_millis();
    assert!((1_500..1_600).contains(&waited), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn a_run_that_was_throttled_gets_its_full_time_or_is_postponed() {
    let read_timeout = EngineFunction::EngineOffice.resources().read_timeout;
    // 25 s are left beyond the time of a run. 13 pauses take 23 s, and 14 take 26 s.
    for (throttled, is_postponed) in [(13, false), (14, true)] {
        let fixture = Fixture::new().await;
        let fakes = &fixture.fakes;
        fakes.fail(Call::Invoke, Fault::Contended, throttled);
        fixture.handle(uppercase).await;
        match is_postponed {
            true => assert_postponed(&fixture).await,
            false => assert_eq!(fixture.record().await.status, JobStatus::Completed),
        }
        let invocations = fakes.invocations();
        assert_eq!(invocations.len(), 14);
        let has_full_time = |invocation: &Invocation| invocation.timeout == read_timeout;
        assert!(invocations.iter().all(has_full_time));
    }
}

/// The longest time between a ticket and the outcome of its job.
fn longest() -> Duration {
    coordinator_timeout(Processor::ProcessOffice)
}

async fn handle_at_the_due_time(fixture: &Fixture) -> Job {
    let now = fixture.record().await.not_before.unwrap_or(fixture.now());
    let worker = Worker {
        clock: Box::new(move || now),
        ..fixture.worker()
    };
    let started = Instant::now();
    worker.handle(&fixture.ticket()).await.unwrap();
    assert!(started.elapsed() < longest(), "{:?}", started.elapsed());
    fixture.record().await
}

#[tokio::test(start_paused = true)]
async fn throttling_until_the_time_is_over_uses_up_no_attempts() {
    let fixture = Fixture::new().await;
    fixture.script(|_| Err(End::Fails(InvokeError::Throttled)));
    for attempt in 1..=7 {
        let before = fixture.record().await.not_before;
        let job = handle_at_the_due_time(&fixture).await;
        assert_eq!((job.status, job.attempt), (JobStatus::Retrying, attempt));
        let now = before.unwrap_or(fixture.now());
        assert_eq!(job.not_before, Some(now.plus(retry::POSTPONED)));
        assert_eq!((fixture.refund(), fixture.used_today().await), (None, 1));
    }
    fixture.script(|_| Err(breaks()));
    for attempt in 8..=12 {
        let job = handle_at_the_due_time(&fixture).await;
        assert_eq!((job.status, job.attempt), (JobStatus::Retrying, attempt));
    }
    let job = handle_at_the_due_time(&fixture).await;
    assert_eq!((job.status, job.attempt), (JobStatus::DeadLetter, 12));
}

#[tokio::test(start_paused = true)]
async fn an_engine_function_that_does_not_respond_is_retried_in_time() {
    let fixture = Fixture::new().await;
    fixture.script(uppercase);
    fixture.fakes.delay_engine(Duration::from_secs(10_000));
    let job = handle_at_the_due_time(&fixture).await;
    assert_eq!((job.status, job.attempt), (JobStatus::Retrying, 1));
    assert_eq!(job.not_before, Some(fixture.now().plus(retry::backoff(1))));
}

#[tokio::test(start_paused = true)]
async fn the_steps_of_a_pipeline_share_the_time() {
    let fixture = Fixture::with(|job| {
        let steps = [
            json!({"operation": "rotate", "angle": 90}),
            json!({"operation": "ocr", "output": "pdf"}),
        ];
        job.steps = steps
            .iter()
            .map(|step| Operation::read(step, "$").unwrap())
            .collect();
        job.input_format = Format::Pdf;
        job.processor = Processor::ProcessPipeline;
    })
    .await;
    fixture.script(uppercase);
    // Fingerprints take this long, too, but are awaited for a minute only.
    fixture.fakes.delay_engine(Duration::from_secs(300));
    fixture.handle_as_scripted().await;
    let runs = fixture.runs();
    let times: Vec<_> = runs.iter().map(|(_, run)| run.time_ms / 1_000).collect();
    let total = coordinator_timeout(Processor::ProcessPipeline).as_secs() - 15;
    assert_eq!(times, [total - 120 - 10, total - 120 - 300 - 60 - 10]);
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}
