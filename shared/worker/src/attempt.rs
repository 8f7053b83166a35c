//! One attempt at a job: prepares the sources, invokes engine functions, reads findings from the result.

mod artifact;
mod invoke;
mod pipeline;
mod ranges;

use std::ops::Range;

use domain::engine_function::EngineFunction;
use domain::job::{Job, JobError, JobErrorCode, JobSource, JobWarning, Output, StepRun};
use domain::processor::Processor;
use domain::retry;
use domain::source::result_object;
use domain::timestamp::days;
use domain::transition::AttemptOutcome;
use tokio::time::Instant;

use self::invoke::unsupported;
use self::pipeline::Pipeline;
use crate::error::AttemptError;
use crate::lease::Heartbeat;
use crate::metrics::Stages;
use crate::sources::{Attachment, Fetcher, Sources, check_sizes};
use crate::worker::{Ports, Worker};

pub(crate) use self::artifact::Artifact;
pub(crate) use self::invoke::Run;

/// Name of the attempt's result in the bucket.
const RESULT: &str = "result";

/// An attempt whose lease this worker holds.
pub(crate) struct Attempt<'a, P> {
    pub(crate) worker: &'a Worker<P>,
    pub(crate) job: &'a Job,
    pub(crate) heartbeat: &'a Heartbeat,
    /// When the last response of an engine function is needed.
    pub(crate) deadline: Instant,
}

/// The result of an attempt.
pub(crate) struct AttemptResult {
    /// The outcome.
    pub(crate) outcome: AttemptOutcome,
    /// The state of each step of a pipeline.
    pub(crate) step_runs: Vec<StepRun>,
}

impl<P: Ports> Attempt<'_, P> {
    /// Runs the attempt.
    pub(crate) async fn run(&self, stages: &mut Stages) -> AttemptResult {
        let mut step_runs = StepRun::waiting(self.job.processor, &self.job.steps);
        let outcome = match self.work(stages, &mut step_runs).await {
            Ok(outcome) => outcome,
            Err(AttemptError::Job(error)) => AttemptOutcome::Failed(error),
            Err(AttemptError::Service(reason) | AttemptError::UnusableArtifact(reason)) => {
                AttemptOutcome::Interrupted(reason)
            }
            Err(AttemptError::Continued(progress)) => AttemptOutcome::Continued { progress },
            Err(AttemptError::Postponed(reason)) => {
                let jitter = 0.5 + (self.worker.jitter)().clamp(0.0, 1.0);
                let delay = retry::POSTPONED.mul_f64(jitter);
                AttemptOutcome::Postponed { delay, reason }
            }
        };
        AttemptResult { outcome, step_runs }
    }

    async fn work(
        &self,
        stages: &mut Stages,
        step_runs: &mut [StepRun],
    ) -> Result<AttemptOutcome, AttemptError> {
        check_sizes(self.job)?;
        let started = Instant::now();
        let sources = self.fetch().await;
        stages.fetch = started.elapsed();
        let sources = sources?;

        let started = Instant::now();
        let artifact = self.process(sources, step_runs, stages).await;
        stages.engine = started.elapsed();
        let artifact = artifact?;
        require_completeness(self.job, &artifact.metadata.warnings)?;

        let started = Instant::now();
        let outcome = self.complete(artifact).await;
        stages.store = started.elapsed();
        outcome
    }

    async fn fetch(&self) -> Result<Sources, AttemptError> {
        let fetcher = Fetcher {
            ports: self.worker.ports.as_ref(),
            remote: self.worker.remote.as_ref(),
            job: self.job,
            scratch_base: &self.worker.scratch_base,
        };
        fetcher.fetch_all().await
    }

    async fn process(
        &self,
        sources: Sources,
        step_runs: &mut [StepRun],
        stages: &mut Stages,
    ) -> Result<Artifact, AttemptError> {
        let job = self.job;
        if job.processor == Processor::ProcessPipeline || ranges::are_steps_divisible(job) {
            // Artifacts of web pages are not cached: the page may change at any time.
            let is_cached = !matches!(job.source, JobSource::WebPage(_));
            let pipeline = Pipeline::new(self, &sources, step_runs, is_cached);
            return pipeline.run(stages).await;
        }
        let run = Run {
            function: EngineFunction::of(job.processor).ok_or_else(unsupported)?,
            steps: &job.steps,
            part: ranges::part(&job.steps, job.input_format),
            document: &sources.document,
            step: 0,
            format: job.input_format,
            attachments: &sources.attachments,
            output: RESULT,
        };
        let artifact = self.run_engine(&run).await?;
        stages.engine_cpu += artifact.cpu_time;
        Ok(artifact)
    }

    async fn complete(&self, artifact: Artifact) -> Result<AttemptOutcome, AttemptError> {
        let job = self.job;
        let findings = self.findings(&artifact).await?;
        let expires_at = (self.worker.clock)().plus(days(job.result_days));
        let result = artifact.metadata;
        let output = Output {
            object: RESULT.to_owned(),
            filename: job.filename.with_extension(&result.extension),
            content_type: result.content_type,
            size_bytes: result.size_bytes,
            sha256: result.sha256,
            pages: result.pages,
            contents: result.contents,
            engine: result.engine,
            expires_at,
        };
        Ok(AttemptOutcome::Completed {
            output: Box::new(output),
            warnings: result.warnings,
            findings,
            etag: artifact.etag,
        })
    }

    /// Returns the key of an object of this attempt.
    fn object(&self, name: &str) -> String {
        let job = self.job;
        result_object(&job.account_id, &job.id, job.attempt, name)
    }

    /// Sets the progress to `count` completed steps.
    fn advance(&self, count: usize) {
        self.advance_within(count, 0);
    }

    /// Sets the progress to `count` completed steps and `percent` of the next one. Returns it in percent of the job.
    fn advance_within(&self, count: usize, percent: usize) -> u8 {
        let percent = (count * 100 + percent) / self.job.steps.len().max(1);
        let percent = u8::try_from(percent).unwrap_or(100);
        self.heartbeat.advance(percent);
        percent
    }
}

/// Fails a strict job whose result misses content.
fn require_completeness(job: &Job, warnings: &[JobWarning]) -> Result<(), AttemptError> {
    match warnings.iter().find(|warning| warning.is_loss()) {
        Some(loss) if job.strict => Err(AttemptError::Job(JobError::new(
            JobErrorCode::OutputIncomplete,
            format!(
                "{} Convert without `strict` to get the result with this warning.",
                loss.message
            ),
        ))),
        _ => Ok(()),
    }
}

/// Returns the attachments of these steps, with step indexes relative to the first.
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
