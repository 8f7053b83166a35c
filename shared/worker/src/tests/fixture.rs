//! Fixture: an accepted job, its source, and workers with scripted engine functions.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::engine_function::EngineFunction;
use domain::event::EventType;
use domain::job::{Charge, Job, JobError, JobErrorCode, JobStatus, JobWarning};
use domain::key::hex;
use domain::outbox::shard;
use domain::plan::Plan;
use domain::ports::{Due, InvokeError, Jobs as _, Outbox as _, Usage as _};
use domain::source::upload_object;
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;
use invocation::{
    FailedInput, Input, Interruption, Request, Response, RunRequest, RunResult, Source, Work,
};
use sha2::{Digest as _, Sha256};
use testkit::{Environment as _, Fakes, crc64nvme, sample};

use crate::worker::Worker;

pub(crate) const SOURCE: &[u8] = b"the words of the source";

pub(crate) const PDF: &str = "application/pdf";

/// Later than any due time.
const FOREVER: Timestamp = Timestamp(i64::MAX);

/// How an engine function ends without a result.
pub(crate) enum End {
    /// It responds that it has none.
    Responds(Response),
    /// It does not respond.
    Fails(InvokeError),
}

pub(crate) type EngineResult = Result<RunResult, End>;

/// A run of a scripted engine function.
pub(crate) struct EngineRun<'a> {
    pub(crate) fakes: &'a Fakes,
    pub(crate) function: EngineFunction,
    pub(crate) request: &'a RunRequest,
}

impl EngineRun<'_> {
    /// Downloads the document.
    pub(crate) fn source(&self) -> Result<String, End> {
        match &self.request.source {
            Source::File(file) => self.download(file, None),
            Source::WebPage { .. } => Err(rejects(JobErrorCode::FetchFailed)),
        }
    }

    /// Downloads the attachments.
    pub(crate) fn attachments(&self) -> Result<Vec<String>, End> {
        let attachments = self.request.attachments.iter().enumerate();
        attachments
            .map(|(index, attachment)| self.download(&attachment.file, Some(index)))
            .collect()
    }

    fn download(&self, file: &Input, attachment: Option<usize>) -> Result<String, End> {
        let interrupts = |failure| {
            let input = Interruption::Input {
                attachment,
                failure,
            };
            End::Responds(Response::Interrupted(input))
        };
        let bytes = self.fakes.download(&file.get);
        let bytes = bytes.ok_or_else(|| interrupts(FailedInput::Changed))?;
        assert_eq!(file.size_bytes, bytes.len() as u64);
        match &file.sha256 {
            Some(expected) if *expected != sha256(&bytes) => Err(interrupts(FailedInput::Damaged)),
            _ => Ok(String::from_utf8(bytes).unwrap()),
        }
    }

    /// Uploads a file of this media type and returns the result.
    pub(crate) fn writes(&self, content_type: &str, extension: &str, bytes: &[u8]) -> EngineResult {
        assert!(self.fakes.upload(&self.request.output, content_type, bytes));
        Ok(result(content_type, extension, bytes))
    }

    /// Uploads a PDF.
    pub(crate) fn writes_pdf(&self, text: &str) -> EngineResult {
        self.writes(PDF, "pdf", text.as_bytes())
    }
}

/// The result that an engine function reports for a file.
pub(crate) fn result(content_type: &str, extension: &str, bytes: &[u8]) -> RunResult {
    RunResult {
        content_type: content_type.to_owned(),
        extension: extension.to_owned(),
        size_bytes: bytes.len() as u64,
        sha256: sha256(bytes),
        crc64nvme: crc64nvme(bytes),
        pages: 2,
        contents: None,
        warnings: vec![warning("limited_by_plan")],
        engine: "uppercase 1".to_owned(),
        cpu_ms: 0,
    }
}

pub(crate) fn warning(code: &str) -> JobWarning {
    JobWarning {
        code: code.to_owned(),
        message: "smaller".to_owned(),
        data: serde_json::Map::new(),
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The document is invalid.
pub(crate) fn rejects(code: JobErrorCode) -> End {
    let error = JobError::new(code, "cannot be read");
    End::Responds(Response::Rejected(error))
}

/// The engine function has an internal error.
pub(crate) fn breaks() -> End {
    let reason = "no such library".to_owned();
    End::Responds(Response::Interrupted(Interruption::Service(reason)))
}

/// An engine that converts the source to upper case.
pub(crate) fn uppercase(run: &EngineRun<'_>) -> EngineResult {
    run.writes_pdf(&run.source()?.to_uppercase())
}

/// An engine that must not run.
pub(crate) fn unreachable(_: &EngineRun<'_>) -> EngineResult {
    panic!("the engine function was invoked");
}

/// Polls a future of the fakes that is immediately ready, inside an engine.
pub(crate) fn poll_ready<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    let waker = std::task::Waker::noop();
    match future
        .as_mut()
        .poll(&mut std::task::Context::from_waker(waker))
    {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("the future is pending"),
    }
}

/// An accepted job: ticket and `job.created` in the outbox, source in the object store.
pub(crate) struct Fixture {
    pub(crate) fakes: Arc<Fakes>,
    /// The job as it was accepted.
    pub(crate) job: Job,
    /// Parent of the scratch directories.
    pub(crate) base: PathBuf,
    _directory: tempfile::TempDir,
}

impl Fixture {
    pub(crate) async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let fakes = Fakes::new();
        let account = sample::account(&fakes, Plan::Free);
        let mut acceptance = sample::acceptance(&fakes, &account, "fingerprint");
        let job = &mut acceptance.job;
        let account_id = job.account_id.clone();
        let source = sample::upload(job);
        let name = upload_object(&account_id, &source.key);
        source.etag = fakes.put_object(&name, "text/plain", SOURCE);
        source.size_bytes = SOURCE.len() as u64;
        fakes.accept(&acceptance).await.unwrap();
        Self {
            job: acceptance.job,
            fakes: Arc::new(fakes),
            base: directory.path().to_owned(),
            _directory: directory,
        }
    }

    /// Creates a fixture whose job is modified by `change`.
    pub(crate) async fn with(change: impl FnOnce(&mut Job)) -> Self {
        let mut fixture = Self::new().await;
        change(&mut fixture.job);
        fixture.fakes.put_job(fixture.job.clone());
        fixture
    }

    /// Creates a fixture whose job was interrupted in `attempt`.
    pub(crate) async fn retrying(attempt: u32) -> Self {
        let retrying = |job: &mut Job| {
            job.status = JobStatus::Retrying;
            job.attempt = attempt;
            job.not_before = Some(job.created_at);
        };
        Self::with(retrying).await
    }

    /// The time at which the worker handles the ticket: 700 ms after the job was accepted.
    pub(crate) fn now(&self) -> Timestamp {
        self.fakes.now().plus(Duration::from_millis(700))
    }

    /// Lets engine functions respond as `engine` does.
    pub(crate) fn script<F>(&self, engine: F)
    where
        F: Fn(&EngineRun<'_>) -> EngineResult + Send + Sync + 'static,
    {
        self.fakes.script_engine(move |fakes, function, payload| {
            let request: Request = serde_json::from_slice(payload).unwrap();
            let response = match &request.work {
                Work::Fingerprint { .. } => Response::Fingerprint(Some("uppercase 1".to_owned())),
                Work::Run(request) => {
                    let run = EngineRun {
                        fakes,
                        function,
                        request,
                    };
                    match engine(&run) {
                        Ok(result) => Response::Completed(Box::new(result)),
                        Err(End::Responds(response)) => response,
                        Err(End::Fails(error)) => return Err(error),
                    }
                }
            };
            Ok(serde_json::to_vec(&response).unwrap())
        });
    }

    /// Returns a worker on the scripted engine functions.
    pub(crate) fn worker(&self) -> Worker<Fakes> {
        let now = self.now();
        Worker {
            heartbeat_interval: Duration::from_millis(10),
            ..Worker::new(
                Arc::clone(&self.fakes),
                Arc::clone(&self.fakes) as Arc<_>,
                self.base.clone(),
                move || now,
                || 0.5,
            )
        }
    }

    /// Handles the job's ticket with this engine.
    pub(crate) async fn handle<F>(&self, engine: F)
    where
        F: Fn(&EngineRun<'_>) -> EngineResult + Send + Sync + 'static,
    {
        self.script(engine);
        self.handle_as_scripted().await;
    }

    /// Handles the job's ticket.
    pub(crate) async fn handle_as_scripted(&self) {
        self.worker().handle(&self.ticket()).await.unwrap();
    }

    /// Returns the requests of all invocations that run operations, and the functions.
    pub(crate) fn runs(&self) -> Vec<(EngineFunction, RunRequest)> {
        let invocations = self.fakes.invocations().into_iter();
        let runs = invocations.filter_map(|invocation| {
            let request: Request = serde_json::from_slice(&invocation.payload).unwrap();
            match request.work {
                Work::Run(run) => Some((invocation.function, *run)),
                Work::Fingerprint { .. } => None,
            }
        });
        runs.collect()
    }

    pub(crate) fn ticket(&self) -> Ticket {
        Ticket::for_job(&self.job)
    }

    /// Returns the stored job.
    pub(crate) async fn record(&self) -> Job {
        self.fakes.job(&self.job.id).await.unwrap().unwrap()
    }

    pub(crate) fn published(&self) -> Vec<EventType> {
        let events = self.fakes.published().into_iter();
        events.map(|event| event.event_type).collect()
    }

    /// Returns the rows of the outbox, except leases.
    pub(crate) async fn outbox(&self) -> Vec<Due> {
        let shard = shard(&self.job.id);
        let page = self.fakes.due(shard, FOREVER, None, 100).await;
        let mut rows = page.unwrap().rows;
        rows.retain(|row| !matches!(row, Due::Lease(_)));
        rows
    }

    pub(crate) fn refund(&self) -> Option<Charge> {
        self.fakes.refund(&self.job.id)
    }

    /// Returns the account's usage of today.
    pub(crate) async fn used_today(&self) -> u32 {
        let period = self.job.created_at.period();
        let used = self.fakes.used(&self.job.account_id, period).await;
        used.unwrap().today
    }

    /// Returns content type and bytes of an attempt's result.
    pub(crate) fn stored(&self, attempt: u32) -> Option<(String, Vec<u8>)> {
        let (account, job) = (&self.job.account_id, &self.job.id);
        let object = format!("results/{account}/{job}/{attempt}/result");
        self.fakes.object(&object)
    }

    /// Counts the remaining temporary directories.
    pub(crate) fn scratch_directories(&self) -> usize {
        std::fs::read_dir(&self.base).unwrap().count()
    }
}
