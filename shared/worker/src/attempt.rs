//! One attempt at a job: fetches the sources, runs the engine, stores the artifact.

mod artifact;
mod pipeline;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use domain::format::Format;
use domain::job::{Job, JobSource, Output, StepRun};
use domain::processor::Processor;
use domain::source::{SourceUrl, result_object};
use domain::timestamp::days;
use domain::transition::AttemptOutcome;
use engine::{Artifact, Attachment, Request};
use sandbox::Scratch;

use self::pipeline::Pipeline;
use crate::engines::Engine;
use crate::error::AttemptError;
use crate::lease::Heartbeat;
use crate::metrics::Stages;
use crate::sources::{Fetcher, Sources, check_sizes};
use crate::worker::{Ports, Worker};

/// An attempt whose lease this worker holds.
pub(crate) struct Attempt<'a, P, E> {
    pub(crate) worker: &'a Worker<P, E>,
    pub(crate) job: &'a Job,
    pub(crate) heartbeat: &'a Arc<Heartbeat>,
}

/// The result of an attempt.
pub(crate) struct AttemptResult {
    /// The outcome.
    pub(crate) outcome: AttemptOutcome,
    /// The state of each step of a pipeline.
    pub(crate) step_runs: Vec<StepRun>,
}

/// Steps of a job that one engine run performs.
pub(crate) struct StepGroup {
    /// Indexes of the job's steps.
    pub(crate) steps: Range<usize>,
    /// The path of the document.
    pub(crate) source: PathBuf,
    /// The format of the document.
    pub(crate) format: Format,
    /// The scratch directory of this run.
    pub(crate) scratch: PathBuf,
}

impl<'a, P: Ports, E: Engine> Attempt<'a, P, E> {
    pub(crate) fn new(
        worker: &'a Worker<P, E>,
        job: &'a Job,
        heartbeat: &'a Arc<Heartbeat>,
    ) -> Self {
        Self {
            worker,
            job,
            heartbeat,
        }
    }

    /// Runs the attempt; `None` if the lease was lost.
    pub(crate) async fn run(self, stages: &mut Stages) -> Option<AttemptResult> {
        let mut step_runs = StepRun::waiting(self.job.processor, &self.job.steps);
        let outcome = match self.work(stages, &mut step_runs).await {
            Ok(outcome) => outcome,
            Err(AttemptError::Job(error)) => AttemptOutcome::Failed(error),
            Err(AttemptError::Service(reason)) => AttemptOutcome::Interrupted(reason),
            Err(AttemptError::LeaseLost) => return None,
        };
        Some(AttemptResult { outcome, step_runs })
    }

    async fn work(
        &self,
        stages: &mut Stages,
        step_runs: &mut [StepRun],
    ) -> Result<AttemptOutcome, AttemptError> {
        check_sizes(self.job)?;
        let scratch = self.make_scratch().await?;
        let result = self.work_in(scratch.path(), stages, step_runs).await;
        remove_scratch(scratch).await;
        result
    }

    async fn work_in(
        &self,
        scratch: &Path,
        stages: &mut Stages,
        step_runs: &mut [StepRun],
    ) -> Result<AttemptOutcome, AttemptError> {
        let started = Instant::now();
        let sources = self.fetch(scratch).await;
        stages.fetch = started.elapsed();
        let sources = sources?;

        let started = Instant::now();
        let artifact = self.process(sources, scratch, step_runs).await;
        stages.engine = started.elapsed();
        stages.engine_cpu = self.heartbeat.cpu_time();
        let artifact = artifact?;

        let started = Instant::now();
        let outcome = self.store(artifact).await;
        stages.store = started.elapsed();
        outcome
    }

    async fn make_scratch(&self) -> Result<Scratch, AttemptError> {
        let base = self.worker.scratch_base.clone();
        let created = tokio::task::spawn_blocking(move || Scratch::create(Some(&base))).await;
        created
            .map_err(|_| {
                AttemptError::Service("creating the scratch directory panicked".to_owned())
            })?
            .map_err(|error| AttemptError::Service(error.to_string()))
    }

    async fn fetch(&self, scratch: &Path) -> Result<Sources, AttemptError> {
        let fetcher = Fetcher {
            ports: self.worker.ports.as_ref(),
            remote: self.worker.remote.as_ref(),
            job: self.job,
        };
        let sources = fetcher.fetch_all(scratch).await?;
        self.check_lease().map(|()| sources)
    }

    async fn process(
        &self,
        sources: Sources,
        scratch: &Path,
        step_runs: &mut [StepRun],
    ) -> Result<Artifact, AttemptError> {
        // Artifacts of web pages are not cached: the page may change at any time.
        let is_cacheable = !matches!(self.job.source, JobSource::WebPage(_));
        if is_cacheable && self.job.processor == Processor::ProcessPipeline {
            return Pipeline::new(self, &sources, scratch, step_runs)
                .run()
                .await;
        }
        let all_steps = StepGroup {
            steps: 0..self.job.steps.len(),
            source: sources.document.clone(),
            format: self.job.input_format,
            scratch: scratch.to_owned(),
        };
        self.run_engine(all_steps, &sources).await
    }

    /// Runs the engine for a group of steps. Scales its progress to the whole job.
    async fn run_engine(
        &self,
        group: StepGroup,
        sources: &Sources,
    ) -> Result<Artifact, AttemptError> {
        let attachments = attachments(&group.steps, sources);
        let engine = Arc::clone(&self.worker.engine);
        let heartbeat = Arc::clone(self.heartbeat);
        let job = self.job.clone();
        let span = tracing::Span::current();
        let run = move || {
            let _entered = span.enter();
            let StepGroup { steps, .. } = &group;
            engine.run(&Request {
                steps: job.steps.get(steps.clone()).unwrap_or_default(),
                source: &group.source,
                web_page: web_page(&job, steps),
                attachments: &attachments,
                declared_format: group.format,
                filename: &job.filename,
                limits: job.limits,
                scratch: &group.scratch,
                stop: heartbeat.stop_flag(),
                progress: &|progress| {
                    heartbeat.advance(job_progress(steps, job.steps.len(), progress))
                },
                cpu_time: &|time| heartbeat.add_cpu_time(time),
            })
        };
        let result = tokio::task::spawn_blocking(run).await;
        let artifact = result
            .map_err(|_| AttemptError::Service("the engine's thread panicked".to_owned()))??;
        self.check_lease().map(|()| artifact)
    }

    async fn store(&self, artifact: Artifact) -> Result<AttemptOutcome, AttemptError> {
        let job = self.job;
        let findings = self.findings(&artifact).await?;
        let name = format!("result.{}", artifact.extension);
        let object = result_object(&job.account_id, &job.id, job.attempt, &name);
        self.worker
            .ports
            .store(&artifact.path, &object, &artifact.content_type)
            .await?;
        self.check_lease()?;
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
        Ok(AttemptOutcome::Completed {
            output: Box::new(output),
            warnings: artifact.warnings,
            findings,
        })
    }

    fn check_lease(&self) -> Result<(), AttemptError> {
        match self.heartbeat.is_lease_lost() {
            false => Ok(()),
            true => Err(AttemptError::LeaseLost),
        }
    }

    /// Sets the progress to `count` completed steps.
    fn advance(&self, count: usize) {
        self.heartbeat
            .advance(job_progress(&(0..count), self.job.steps.len(), 100));
    }
}

/// Returns the URL that the browser loads, for the first step of a web page job.
fn web_page<'a>(job: &'a Job, steps: &Range<usize>) -> Option<&'a SourceUrl> {
    match &job.source {
        JobSource::WebPage(page) if steps.start == 0 => Some(&page.web_page),
        _ => None,
    }
}

/// Returns the attachments of these steps, with step indexes relative to the group.
fn attachments(steps: &Range<usize>, sources: &Sources) -> Vec<Attachment> {
    let all = sources.attachments.iter();
    let needed = all.filter(|attachment| steps.contains(&attachment.step));
    needed
        .map(|attachment| Attachment {
            step: attachment.step - steps.start,
            ..attachment.clone()
        })
        .collect()
}

/// Converts the progress of a group of steps to that of a job with `count` steps, in percent.
fn job_progress(steps: &Range<usize>, count: usize, progress: u8) -> u8 {
    let done = steps.start * 100 + steps.len() * usize::from(progress.min(100));
    u8::try_from(done / count.max(1)).unwrap_or(100)
}

/// Removes the scratch directory. A failure is only logged: later child processes cannot read other directories than their own,
/// and the next start of the process removes stale ones.
async fn remove_scratch(scratch: Scratch) {
    match tokio::task::spawn_blocking(move || scratch.wipe()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::error!(%error, "scratch directory could not be removed"),
        Err(_) => tracing::error!("removing the scratch directory panicked"),
    }
}
