//! What the cache keys of steps depend on: sources and fingerprints of engines.

use domain::format::Format;
use domain::job::{JobSource, JobStatus, RemoteSource, StepStatus, WebPageSource};
use domain::ports::InvokeError;
use domain::source::SourceUrl;
use invocation::{Interruption, Request, Response, RunResult, Source, Work};
use serde_json::json;

use super::{
    Calls, handle_later, make_pipeline, names, pipeline, result, runs, writer, writer_until,
};
use crate::tests::fixture::{End, EngineRun, Fixture, SOURCE, breaks, uppercase};
use crate::tests::outcome::{assert_postponed, assert_retrying};

/// Creates a job that optimizes a web page as PDF.
async fn pipeline_of_web_page() -> Fixture {
    Fixture::with(|job| {
        let steps = json!([{"operation": "convert", "format": "pdf"}, {"operation": "optimize"}]);
        make_pipeline(job, &steps);
        job.input_format = Format::Html;
        let web_page = SourceUrl::new("https://pages.example/");
        job.source = JobSource::WebPage(WebPageSource { web_page });
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn a_throttled_step_uses_up_an_attempt_only_if_an_earlier_one_has_to_be_repeated() {
    let throttled = || End::Fails(InvokeError::Throttled);
    let calls = Calls::default();
    let cached = pipeline().await;
    let engine = writer_until(&calls, "optimize", throttled);
    cached.handle(engine).await;
    assert_eq!(names(&calls), ["convert"]);
    assert_postponed(&cached).await;

    let first = pipeline_of_web_page().await;
    first.handle(move |_| Err(throttled())).await;
    assert_postponed(&first).await;

    let repeated = pipeline_of_web_page().await;
    let engine = move |run: &EngineRun<'_>| match &run.request.source {
        Source::WebPage { .. } => run.writes_pdf("the page"),
        Source::File(_) => Err(throttled()),
    };
    repeated.handle(engine).await;
    assert_retrying(&repeated).await;
}

#[tokio::test]
async fn a_pipeline_of_a_web_page_is_not_cached() {
    let fixture = pipeline_of_web_page().await;
    fixture
        .handle(|run| match &run.request.source {
            Source::WebPage { .. } => run.writes_pdf("the page"),
            Source::File(_) => uppercase(run),
        })
        .await;
    let job = fixture.record().await;
    assert_eq!(job.status, JobStatus::Completed);
    assert_eq!(runs(&job), [(StepStatus::Completed, 1); 2]);
    assert_eq!(result(&fixture, 1), "THE PAGE");
    assert!(fixture.fakes.stored_step_artifacts().is_empty());
    assert_eq!(fixture.fakes.invocations().len(), 2, "no fingerprint");
}

#[tokio::test]
async fn artifacts_of_an_unchanged_remote_source_are_reused() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    let url = "https://files.example/words.txt";
    fixture.fakes.put_remote(url, SOURCE);
    let mut job = fixture.record().await;
    job.source = JobSource::Remote(RemoteSource {
        url: SourceUrl::new(url),
    });
    fixture.fakes.put_job(job);
    fixture.handle(writer_until(&calls, "ocr", breaks)).await;
    handle_later(&fixture, writer(&calls)).await;
    assert_eq!(names(&calls), ["convert", "optimize", "ocr"]);
    assert_eq!(fixture.record().await.status, JobStatus::Completed);
}

/// Returns the number of requests for fingerprints.
fn fingerprint_requests(fixture: &Fixture) -> usize {
    let invocations = fixture.fakes.invocations().into_iter();
    let requests = invocations.filter(|invocation| {
        let request: Request = serde_json::from_slice(&invocation.payload).unwrap();
        matches!(request.work, Work::Fingerprint { .. })
    });
    requests.count()
}

#[tokio::test]
async fn fingerprints_are_requested_once_in_the_life_of_the_process() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    fixture.script(writer(&calls));
    let worker = fixture.worker();
    worker.handle(&fixture.ticket()).await.unwrap();
    fixture.fakes.put_job(fixture.job.clone());
    worker.handle(&fixture.ticket()).await.unwrap();
    assert_eq!(fingerprint_requests(&fixture), 3);
    assert_eq!(names(&calls), ["convert", "optimize", "ocr"]);
}

#[tokio::test]
async fn artifacts_of_an_updated_engine_are_not_cached_under_its_old_fingerprint() {
    let (fixture, calls) = (pipeline().await, Calls::default());
    let write = writer(&calls);
    fixture.script(move |run| {
        let engine = "uppercase 2".to_owned();
        write(run).map(|result| RunResult { engine, ..result })
    });
    let worker = fixture.worker();
    for requests in [3, 6] {
        fixture.fakes.put_job(fixture.job.clone());
        worker.handle(&fixture.ticket()).await.unwrap();
        assert_eq!(fixture.record().await.status, JobStatus::Completed);
        assert!(fixture.fakes.stored_step_artifacts().is_empty());
        assert_eq!(fingerprint_requests(&fixture), requests);
    }
}

#[tokio::test]
async fn steps_without_a_fingerprint_are_not_cached() {
    type Respond = fn() -> Result<Response, InvokeError>;
    let responses: [Respond; 4] = [
        || Ok(Response::Fingerprint(None)),
        || Ok(Response::Interrupted(Interruption::Unsupported)),
        || Err(InvokeError::Crashed("exit".to_owned())),
        || Err(InvokeError::TimedOut),
    ];
    for respond in responses {
        let (fixture, calls) = (pipeline().await, Calls::default());
        let write = writer(&calls);
        fixture
            .fakes
            .script_engine(move |fakes, function, payload| {
                let request: Request = serde_json::from_slice(payload).unwrap();
                let response = match &request.work {
                    Work::Fingerprint { .. } => respond()?,
                    Work::Run(request) => {
                        let run = EngineRun {
                            fakes,
                            function,
                            request,
                        };
                        let Ok(result) = write(&run) else {
                            panic!("no result");
                        };
                        Response::Completed(Box::new(result))
                    }
                };
                Ok(serde_json::to_vec(&response).unwrap())
            });
        fixture.handle_as_scripted().await;
        assert_eq!(fixture.record().await.status, JobStatus::Completed);
        assert!(fixture.fakes.stored_step_artifacts().is_empty());
    }
}
