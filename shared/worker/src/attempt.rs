//! One attempt at a job: sources to scratch, engine, artifact to the object store.

mod chain;
mod gathered;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use domain::format::Format;
use domain::job::{Job, JobSource, Output, StepRun};
use domain::processor::Processor;
use domain::source::{SourceUrl, result_object};
use domain::timestamp::days;
use domain::transition::Ending;
use engine::{Artifact, Attachment, Request};
use sandbox::Scratch;

use self::chain::Chain;
use crate::engines::Engine;
use crate::halt::Halt;
use crate::lease::Pulse;
use crate::measure::Stages;
use crate::sources::{Fetcher, Sources, check_sizes};
use crate::worker::{Ports, Worker};

/// An attempt that this worker holds the lease of.
pub(crate) struct Attempt<'a, P, E> {
    pub(crate) worker: &'a Worker<P, E>,
    pub(crate) job: &'a Job,
    pub(crate) pulse: &'a Arc<Pulse>,
}

/// An attempt that has come to an ending.
pub(crate) struct Attempted {
    /// How it ended.
    pub(crate) ending: Ending,
    /// How each step of a pipeline went.
    pub(crate) step_runs: Vec<StepRun>,
}

/// Steps of a job that an engine does in one go.
pub(crate) struct Section {
    /// Their places among the job's steps.
    pub(crate) steps: Range<usize>,
    /// The document.
    pub(crate) source: PathBuf,
    /// What it is.
    pub(crate) format: Format,
    /// A directory of their own.
    pub(crate) scratch: PathBuf,
}

impl<'a, P: Ports, E: Engine> Attempt<'a, P, E> {
    pub(crate) fn new(worker: &'a Worker<P, E>, job: &'a Job, pulse: &'a Arc<Pulse>) -> Self {
        Self { worker, job, pulse }
    }

    /// Works until the attempt has come to an ending; `None` when the lease was lost.
    pub(crate) async fn run(self, stages: &mut Stages) -> Option<Attempted> {
        let mut step_runs = StepRun::waiting(self.job.processor, &self.job.steps);
        let ending = match self.work(stages, &mut step_runs).await {
            Ok(ending) => ending,
            Err(Halt::Fault(error)) => Ending::Failed(error),
            Err(Halt::Service(reason)) => Ending::Interrupted(reason),
            Err(Halt::LeaseLost) => return None,
        };
        Some(Attempted { ending, step_runs })
    }

    async fn work(&self, stages: &mut Stages, step_runs: &mut [StepRun]) -> Result<Ending, Halt> {
        check_sizes(self.job)?;
        let scratch = self.make_scratch().await?;
        let result = self.work_in(scratch.path(), stages, step_runs).await;
        wipe(scratch).await;
        result
    }

    async fn work_in(
        &self,
        scratch: &Path,
        stages: &mut Stages,
        step_runs: &mut [StepRun],
    ) -> Result<Ending, Halt> {
        let began = Instant::now();
        let fetched = self.fetch(scratch).await;
        stages.fetch = began.elapsed();
        let sources = fetched?;

        let began = Instant::now();
        let made = self.make(sources, scratch, step_runs).await;
        stages.engine = began.elapsed();
        stages.engine_cpu = self.pulse.spent();
        let artifact = made?;

        let began = Instant::now();
        let stored = self.store(artifact).await;
        stages.store = began.elapsed();
        stored
    }

    async fn make_scratch(&self) -> Result<Scratch, Halt> {
        let base = self.worker.scratch_base.clone();
        let made = tokio::task::spawn_blocking(move || Scratch::create(Some(&base))).await;
        made.map_err(|_| Halt::Service("making the scratch directory panicked".to_owned()))?
            .map_err(|error| Halt::Service(error.to_string()))
    }

    async fn fetch(&self, scratch: &Path) -> Result<Sources, Halt> {
        let fetcher = Fetcher {
            ports: self.worker.ports.as_ref(),
            remote: self.worker.remote.as_ref(),
            job: self.job,
        };
        let sources = fetcher.fetch_all(scratch).await?;
        self.still_held().map(|()| sources)
    }

    async fn make(
        &self,
        sources: Sources,
        scratch: &Path,
        step_runs: &mut [StepRun],
    ) -> Result<Artifact, Halt> {
        // A page from the web is another one each time: nothing of it is kept.
        let fetched = !matches!(self.job.source, JobSource::WebPage(_));
        if fetched && self.job.processor == Processor::ProcessPipeline {
            return Chain::new(self, &sources, scratch, step_runs).run().await;
        }
        let whole = Section {
            steps: 0..self.job.steps.len(),
            source: sources.document.clone(),
            format: self.job.input_format,
            scratch: scratch.to_owned(),
        };
        self.run_engine(whole, &sources).await
    }

    /// Has an engine do a section of the job's steps. Its progress is that of the job.
    async fn run_engine(&self, section: Section, sources: &Sources) -> Result<Artifact, Halt> {
        let attachments = attachments(&section.steps, sources);
        let engine = Arc::clone(&self.worker.engine);
        let pulse = Arc::clone(self.pulse);
        let job = self.job.clone();
        let span = tracing::Span::current();
        let run = move || {
            let _entered = span.enter();
            let Section { steps, .. } = &section;
            engine.run(&Request {
                steps: job.steps.get(steps.clone()).unwrap_or_default(),
                source: &section.source,
                web_page: web_page(&job, steps),
                attachments: &attachments,
                claimed: section.format,
                filename: &job.filename,
                limits: job.limits,
                scratch: &section.scratch,
                stop: pulse.stop_flag(),
                progress: &|progress| pulse.advance(share(steps, job.steps.len(), progress)),
                spent: &|time| pulse.spend(time),
            })
        };
        let made = tokio::task::spawn_blocking(run).await;
        let artifact =
            made.map_err(|_| Halt::Service("the engine's thread panicked".to_owned()))??;
        self.still_held().map(|()| artifact)
    }

    async fn store(&self, artifact: Artifact) -> Result<Ending, Halt> {
        let job = self.job;
        let findings = self.findings(&artifact).await?;
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
            findings,
        })
    }

    fn still_held(&self) -> Result<(), Halt> {
        match self.pulse.is_lost() {
            false => Ok(()),
            true => Err(Halt::LeaseLost),
        }
    }

    /// Notes that the first `count` steps are done.
    fn advance(&self, count: usize) {
        self.pulse
            .advance(share(&(0..count), self.job.steps.len(), 100));
    }
}

/// The page that the browser loads, for the first step of a job that has one.
fn web_page<'a>(job: &'a Job, steps: &Range<usize>) -> Option<&'a SourceUrl> {
    match &job.source {
        JobSource::WebPage(page) if steps.start == 0 => Some(&page.web_page),
        _ => None,
    }
}

/// The files that these steps need, by the places of the steps among themselves.
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

/// How far a job of `count` steps is, in percent, when so much of these steps is done.
fn share(steps: &Range<usize>, count: usize, progress: u8) -> u8 {
    let done = steps.start * 100 + steps.len() * usize::from(progress.min(100));
    u8::try_from(done / count.max(1)).unwrap_or(100)
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
