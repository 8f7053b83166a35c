//! One attempt at a job: source to scratch, engine, artifact to the object store.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use domain::job::{Ending, Job, JobErrorCode, JobSource, Output, RemoteSource, UploadedSource};
use domain::ports::RemoteFault;
use domain::source::result_object;
use domain::submit::days;
use engine::{Artifact, Request};
use sandbox::Scratch;

use crate::engines::Engine;
use crate::halt::Halt;
use crate::lease::Pulse;
use crate::measure::Stages;
use crate::worker::{Ports, Worker};

/// The source's name in the scratch directory.
const SOURCE: &str = "source";

/// An attempt that this worker holds the lease of.
pub(crate) struct Attempt<'a, P, E> {
    worker: &'a Worker<P, E>,
    job: &'a Job,
    pulse: &'a Arc<Pulse>,
}

impl<'a, P: Ports, E: Engine> Attempt<'a, P, E> {
    pub(crate) fn new(worker: &'a Worker<P, E>, job: &'a Job, pulse: &'a Arc<Pulse>) -> Self {
        Self { worker, job, pulse }
    }

    /// Works until the attempt has come to an ending; `None` when the lease was lost.
    pub(crate) async fn run(self, stages: &mut Stages) -> Option<Ending> {
        match self.work(stages).await {
            Ok(ending) => Some(ending),
            Err(Halt::Fault(error)) => Some(Ending::Failed(error)),
            Err(Halt::Service(reason)) => Some(Ending::Interrupted(reason)),
            Err(Halt::LeaseLost) => None,
        }
    }

    async fn work(&self, stages: &mut Stages) -> Result<Ending, Halt> {
        self.check_size()?;
        let scratch = self.make_scratch().await?;
        let result = self.work_in(scratch.path(), stages).await;
        wipe(scratch).await;
        result
    }

    async fn work_in(&self, scratch: &Path, stages: &mut Stages) -> Result<Ending, Halt> {
        let source = scratch.join(SOURCE);
        let began = Instant::now();
        let fetched = self.fetch(&source).await;
        stages.fetch = began.elapsed();
        fetched?;

        let began = Instant::now();
        let made = self.run_engine(source, scratch.to_owned()).await;
        stages.engine = began.elapsed();
        let artifact = made?;

        let began = Instant::now();
        let stored = self.store(artifact).await;
        stages.store = began.elapsed();
        stored
    }

    /// The plan's limit is judged here and not at acceptance, so that it is a job error with its own code.
    fn check_size(&self) -> Result<(), Halt> {
        let most = self.job.limits.file_bytes;
        match self.job.source.known_size() {
            Some(size) if size > most => {
                Err(too_large(format!("the source has {size} bytes"), most))
            }
            _ => Ok(()),
        }
    }

    async fn make_scratch(&self) -> Result<Scratch, Halt> {
        let base = self.worker.scratch_base.clone();
        let made = tokio::task::spawn_blocking(move || Scratch::create(Some(&base))).await;
        made.map_err(|_| Halt::Service("making the scratch directory panicked".to_owned()))?
            .map_err(|error| Halt::Service(error.to_string()))
    }

    async fn fetch(&self, path: &Path) -> Result<(), Halt> {
        match &self.job.source {
            JobSource::Upload(upload) => self.fetch_upload(upload, path).await?,
            JobSource::Remote(remote) => self.fetch_remote(remote, path).await?,
        }
        self.still_held()
    }

    async fn fetch_upload(&self, upload: &UploadedSource, path: &Path) -> Result<(), Halt> {
        let ports = &self.worker.ports;
        let found = ports
            .fetch(&self.job.account_id, &upload.key, &upload.etag, path)
            .await?;
        let message = "the source is no longer there, or is another than the one accepted";
        match found {
            true => Ok(()),
            false => Err(Halt::fault(JobErrorCode::SourceMissing, message)),
        }
    }

    async fn fetch_remote(&self, remote: &RemoteSource, path: &Path) -> Result<(), Halt> {
        let most = self.job.limits.file_bytes;
        let fetched = self.worker.remote.fetch_remote(&remote.url, most, path);
        let (code, message) = match fetched.await {
            Ok(_) => return Ok(()),
            Err(RemoteFault::NotKept(error)) => return Err(error.into()),
            Err(RemoteFault::TooLarge) => {
                return Err(too_large("the file at the URL is larger".to_owned(), most));
            }
            Err(RemoteFault::Blocked) => (
                JobErrorCode::FetchBlocked,
                "the URL leads to where this service may not go",
            ),
            Err(RemoteFault::Failed) => (
                JobErrorCode::FetchFailed,
                "the URL could not be fetched: see that it answers 200 with the file, without signing in",
            ),
        };
        Err(Halt::fault(code, message))
    }

    async fn run_engine(&self, source: PathBuf, scratch: PathBuf) -> Result<Artifact, Halt> {
        let engine = Arc::clone(&self.worker.engine);
        let pulse = Arc::clone(self.pulse);
        let job = self.job.clone();
        let span = tracing::Span::current();
        let run = move || {
            let _entered = span.enter();
            engine.run(&Request {
                steps: &job.steps,
                source: &source,
                claimed: job.input_format,
                filename: &job.filename,
                limits: job.limits,
                scratch: &scratch,
                stop: pulse.stop_flag(),
                progress: &|progress| pulse.advance(progress),
            })
        };
        let made = tokio::task::spawn_blocking(run).await;
        let artifact =
            made.map_err(|_| Halt::Service("the engine's thread panicked".to_owned()))??;
        self.still_held().map(|()| artifact)
    }

    async fn store(&self, artifact: Artifact) -> Result<Ending, Halt> {
        let job = self.job;
        let name = format!("result.{}", artifact.extension);
        let object = result_object(&job.account_id, &job.id, job.attempt, &name);
        self.worker
            .ports
            .store(&artifact.path, &object, &artifact.content_type)
            .await?;
        self.still_held()?;
        let expires_at = (self.worker.clock)().plus(days(job.result_days));
        let output = Output {
            object: name,
            filename: job.filename.with_extension(&artifact.extension),
            content_type: artifact.content_type,
            size_bytes: artifact.size_bytes,
            sha256: artifact.sha256,
            pages: artifact.pages,
            contents: artifact.contents,
            engine: artifact.engine,
            expires_at,
        };
        Ok(Ending::Completed {
            output: Box::new(output),
            warnings: artifact.warnings,
        })
    }

    fn still_held(&self) -> Result<(), Halt> {
        match self.pulse.is_lost() {
            false => Ok(()),
            true => Err(Halt::LeaseLost),
        }
    }
}

fn too_large(what: String, most: u64) -> Halt {
    let message = format!("{what}; the plan allows {most}");
    Halt::fault(JobErrorCode::InputTooLarge, message)
}

/// Removes what is left of a document. A failure is for the operator's eyes only: later children cannot read another
/// directory than their own, and the next start of the process tries again.
async fn wipe(scratch: Scratch) {
    match tokio::task::spawn_blocking(move || scratch.wipe()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::error!(%error, "scratch directory left behind"),
        Err(_) => tracing::error!("wiping the scratch directory panicked"),
    }
}
