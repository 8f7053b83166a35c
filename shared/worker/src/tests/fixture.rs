//! Fixture: an accepted job, its source, and workers with scripted engines.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use domain::event::EventType;
use domain::format::Format;
use domain::job::{ArchiveContents, Charge, Job, JobStatus, JobWarning};
use domain::operation::Operation;
use domain::outbox::shard;
use domain::plan::Plan;
use domain::ports::{Due, Jobs as _, Outbox as _, Usage as _};
use domain::source::upload_object;
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;
use engine::{Artifact, EngineError, Request};
use testkit::{Environment as _, Fakes, sample};

use crate::engines::Engine;
use crate::worker::Worker;

pub(crate) const SOURCE: &[u8] = b"the words of the source";

/// Later than any due time.
const FOREVER: Timestamp = Timestamp(i64::MAX);

/// An engine that calls a closure.
pub(crate) struct Scripted<F>(F);

impl<F> Engine for Scripted<F>
where
    F: Fn(&Request<'_>) -> Result<Artifact, EngineError> + Send + Sync + 'static,
{
    fn run(&self, request: &Request<'_>) -> Result<Artifact, EngineError> {
        (self.0)(request)
    }

    fn fingerprint(&self, _operation: &Operation, _from: Format) -> Option<String> {
        Some("uppercase 1".to_owned())
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

    pub(crate) fn worker<F>(&self, engine: F) -> Worker<Fakes, Scripted<F>>
    where
        F: Fn(&Request<'_>) -> Result<Artifact, EngineError> + Send + Sync + 'static,
    {
        let now = self.now();
        let engine = Arc::new(Scripted(engine));
        Worker {
            heartbeat_interval: Duration::from_millis(10),
            ..Worker::new(
                Arc::clone(&self.fakes),
                engine,
                Arc::clone(&self.fakes) as Arc<_>,
                self.base.clone(),
                move || now,
            )
        }
    }

    /// Handles the job's ticket with this engine.
    pub(crate) async fn handle<F>(&self, engine: F)
    where
        F: Fn(&Request<'_>) -> Result<Artifact, EngineError> + Send + Sync + 'static,
    {
        self.worker(engine).handle(&self.ticket()).await.unwrap();
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
        let object = format!("results/{account}/{job}/{attempt}/result.zip");
        self.fakes.object(&object)
    }

    /// Counts the remaining scratch directories.
    pub(crate) fn scratch_directories(&self) -> usize {
        std::fs::read_dir(&self.base).unwrap().count()
    }
}

/// An engine that converts the source to upper case.
pub(crate) fn uppercase(request: &Request<'_>) -> Result<Artifact, EngineError> {
    let words = std::fs::read_to_string(request.source).unwrap();
    let path = request.scratch.join("uppercase");
    std::fs::write(&path, words.to_uppercase()).unwrap();
    Ok(artifact(&path))
}

pub(crate) fn artifact(path: &Path) -> Artifact {
    Artifact {
        path: path.to_owned(),
        content_type: "application/zip".to_owned(),
        extension: "zip".to_owned(),
        size_bytes: SOURCE.len() as u64,
        sha256: "ab12".to_owned(),
        pages: 2,
        contents: Some(ArchiveContents {
            format: Format::Png,
            sizes: vec![9],
        }),
        warnings: vec![JobWarning {
            code: "limited_by_plan".to_owned(),
            message: "smaller".to_owned(),
        }],
        engine: "uppercase 1".to_owned(),
    }
}
