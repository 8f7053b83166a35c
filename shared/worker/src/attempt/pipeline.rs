//! Pipelines: runs the steps one after the other, each in the engine function of its operation, and reuses cached artifacts of
//! earlier attempts and jobs.

use domain::engine_function::EngineFunction;
use domain::format::Format;
use domain::job::{Job, StepRun, StepStatus};
use domain::step_cache::{StepArtifact, StepInput, StepKey, step_object};

use super::artifact::{Artifact, artifact_file, combine};
use super::invoke::unsupported;
use super::ranges::part;
use super::{Attempt, RESULT, Run, attachments};
use crate::error::AttemptError;
use crate::metrics::Stages;
use crate::sources::{Document, Sources, StoredFile};
use crate::worker::{Ports, Worker};

/// A running pipeline.
pub(super) struct Pipeline<'a, P> {
    attempt: &'a Attempt<'a, P>,
    sources: &'a Sources,
    runs: &'a mut [StepRun],
    is_cached: bool,
}

/// The input of a step: the source or the artifact of the previous step.
struct StepDocument {
    document: Document,
    format: Format,
}

/// Cache key of a step, and the fingerprint in it.
struct StepCacheKey {
    key: StepKey,
    fingerprint: String,
}

/// A step whose artifact is cached.
struct CachedStep {
    /// Object key of the artifact.
    object: String,
    artifact: StepArtifact,
    /// The format of the artifact.
    format: Format,
    /// The stored artifact, once it was compared with the record.
    file: Option<StoredFile>,
}

impl<'a, P: Ports> Pipeline<'a, P> {
    /// Creates the pipeline of an attempt. `is_cached` is whether artifacts are reused and cached.
    pub(super) fn new(
        attempt: &'a Attempt<'a, P>,
        sources: &'a Sources,
        runs: &'a mut [StepRun],
        is_cached: bool,
    ) -> Self {
        Self {
            attempt,
            sources,
            runs,
            is_cached,
        }
    }

    /// Looks up the cached steps, and runs the others on the last available artifact.
    pub(super) async fn run(mut self, stages: &mut Stages) -> Result<Artifact, AttemptError> {
        let mut cached = self.cached_steps().await?;
        loop {
            self.drop_unavailable(&mut cached).await;
            match self.run_after(&cached, stages).await {
                Err(AttemptError::UnusableArtifact(reason)) if !cached.is_empty() => {
                    tracing::warn!(reason, "cached step artifact cannot be used");
                    cached.pop();
                }
                result => return result,
            }
        }
    }

    fn job(&self) -> &'a Job {
        self.attempt.job
    }

    fn worker(&self) -> &'a Worker<P> {
        self.attempt.worker
    }

    /// Returns the leading steps that have a cached artifact, by their cache records alone.
    async fn cached_steps(&self) -> Result<Vec<CachedStep>, AttemptError> {
        let mut cached: Vec<CachedStep> = Vec::new();
        let Document::File(source) = &self.sources.document else {
            return Ok(cached);
        };
        for (index, operation) in self.job().steps.iter().enumerate() {
            let (format, identity) = match cached.last() {
                Some(previous) => (previous.format, &previous.artifact.sha256),
                None => (self.job().input_format, &source.identity),
            };
            let Some(StepCacheKey { key, .. }) = self.key(index, format, identity).await? else {
                break;
            };
            let (Some(artifact), Some((_, format))) = (
                self.attempt.cached_artifact(&key).await,
                operation.resolve(format),
            ) else {
                break;
            };
            cached.push(CachedStep {
                object: step_object(&self.job().account_id, &key, &artifact.sha256),
                artifact,
                format,
                file: None,
            });
        }
        Ok(cached)
    }

    /// Removes the last cached steps until the artifact of the last one exists and agrees with its record.
    async fn drop_unavailable(&self, cached: &mut Vec<CachedStep>) {
        while let Some(step) = cached.last() {
            let stored = self.worker().ports.stored(&step.object).await;
            let stored = stored.unwrap_or_else(|error| {
                tracing::warn!(%error, "cached step artifact cannot be checked");
                None
            });
            let Some(step) = cached.last_mut() else {
                return;
            };
            if let Some(stored) = stored.filter(|stored| stored.is(&step.artifact)) {
                let object = step.object.clone();
                step.file = Some(artifact_file(object, stored.etag, &step.artifact));
                return;
            }
            tracing::warn!("cached step artifact is missing or differs from its record");
            cached.pop();
        }
    }

    /// Runs the steps after the cached ones. [`AttemptError::UnusableArtifact`] is about the last cached artifact.
    async fn run_after(
        &mut self,
        cached: &[CachedStep],
        stages: &mut Stages,
    ) -> Result<Artifact, AttemptError> {
        self.set_reused(cached.len());
        for index in cached.len()..self.job().steps.len() {
            self.reset(index);
        }
        self.attempt.advance(cached.len());
        let mut done: Vec<_> = cached.iter().map(|step| step.artifact.clone()).collect();
        let last_cached = cached.last();
        let mut input = match last_cached.and_then(|step| Some((step.format, step.file.clone()?))) {
            Some((format, file)) => StepDocument {
                document: Document::File(file),
                format,
            },
            None => StepDocument {
                document: self.sources.document.clone(),
                format: self.job().input_format,
            },
        };
        let (mut last, mut all_cached) = (None, true);
        for index in cached.len()..self.job().steps.len() {
            let result = self.step(index, &input).await;
            let (artifact, format, is_cached) = match result {
                Err(AttemptError::UnusableArtifact(reason)) if index > cached.len() => {
                    return Err(AttemptError::Service(reason));
                }
                // The attempt counts, because the next one repeats the steps that are not cached.
                Err(AttemptError::Postponed(reason)) if !all_cached => {
                    return Err(AttemptError::Service(reason));
                }
                Err(AttemptError::Continued(_)) if !all_cached => {
                    let reason = "the ranges are those of a step that is not cached".to_owned();
                    return Err(AttemptError::Service(reason));
                }
                result => result?,
            };
            all_cached &= is_cached;
            stages.engine_cpu += artifact.cpu_time;
            done.push(artifact.metadata.clone());
            self.attempt.advance(done.len());
            input = StepDocument {
                document: Document::File(artifact.file()),
                format,
            };
            last = Some(artifact);
        }
        let last = match (last, last_cached) {
            (Some(last), _) => last,
            (None, Some(step)) => self.copy_to_result(step).await?,
            (None, None) => return Err(AttemptError::Service("no steps".to_owned())),
        };
        let metadata = combine(done).unwrap_or_else(|| last.metadata.clone());
        Ok(Artifact { metadata, ..last })
    }

    /// Copies the cached artifact of the last step to the result of the attempt.
    async fn copy_to_result(&self, step: &CachedStep) -> Result<Artifact, AttemptError> {
        let object = self.attempt.object(RESULT);
        let unusable = |reason: String| AttemptError::UnusableArtifact(reason);
        let gone = || unusable("it was deleted or replaced".to_owned());
        let StoredFile {
            object: from, etag, ..
        } = step.file.as_ref().ok_or_else(gone)?;
        let copied = self.worker().ports.copy(from, etag, &object).await;
        let etag = copied
            .map_err(|error| unusable(error.to_string()))?
            .ok_or_else(gone)?;
        Ok(Artifact {
            object,
            etag,
            metadata: step.artifact.clone(),
            cpu_time: std::time::Duration::ZERO,
        })
    }

    /// Runs a step and caches its artifact. Returns it with its format, and whether it is cached.
    async fn step(
        &mut self,
        index: usize,
        input: &StepDocument,
    ) -> Result<(Artifact, Format, bool), AttemptError> {
        self.set_started(index);
        let result = self.run_step(index, input).await;
        match &result {
            Err(AttemptError::Continued(_)) => self.reset(index),
            result => self.set_ended(index, result.is_ok()),
        }
        let (key, artifact, format) = result?;
        let is_cached = match key {
            Some(key) if key.fingerprint == artifact.metadata.engine => {
                self.attempt.cache(&key.key, &artifact).await
            }
            Some(_) => {
                if let Some(operation) = self.job().steps.get(index) {
                    self.attempt.drop_fingerprint(operation, input.format);
                }
                false
            }
            None => false,
        };
        Ok((artifact, format, is_cached))
    }

    async fn run_step(
        &self,
        index: usize,
        input: &StepDocument,
    ) -> Result<(Option<StepCacheKey>, Artifact, Format), AttemptError> {
        let key = match &input.document {
            Document::File(file) => self.key(index, input.format, &file.identity).await?,
            Document::WebPage(_) => None,
        };
        let operation = self.job().steps.get(index).ok_or_else(unsupported)?;
        let (_, format) = operation.resolve(input.format).ok_or_else(unsupported)?;
        let function = EngineFunction::for_operation(operation, input.format);
        let is_last = index + 1 == self.job().steps.len();
        let output = match is_last {
            true => RESULT.to_owned(),
            false => format!("step-{index}"),
        };
        let run = Run {
            function: function.ok_or_else(unsupported)?,
            steps: std::slice::from_ref(operation),
            part: part(std::slice::from_ref(operation), input.format),
            document: &input.document,
            step: index,
            format: input.format,
            attachments: &attachments(&(index..index + 1), self.sources),
            output: &output,
        };
        let artifact = self.attempt.run_engine(&run).await?;
        Ok((key, artifact, format))
    }

    /// Returns the cache key of the step at `index` for a document with this identity; `None` if the step is not cached. The
    /// key includes the crate version, because results depend on this code as well as on the engine.
    async fn key(
        &self,
        index: usize,
        format: Format,
        identity: &str,
    ) -> Result<Option<StepCacheKey>, AttemptError> {
        let operation = self.job().steps.get(index).filter(|_| self.is_cached);
        let Some(operation) = operation else {
            return Ok(None);
        };
        let Some(fingerprint) = self.attempt.fingerprint(operation, format).await? else {
            return Ok(None);
        };
        let attachments = self.sources.attachments.iter();
        let attachments: Vec<_> = attachments
            .filter(|attachment| attachment.step == index)
            .map(|attachment| (attachment.file.identity.clone(), attachment.format))
            .collect();
        let key = StepKey::of(&StepInput {
            identity,
            format,
            attachments: &attachments,
            operation,
            part: None,
            limits: self.job().limits,
            filename: &self.job().filename,
            engine: &format!("{} {fingerprint}", env!("CARGO_PKG_VERSION")),
        });
        Ok(key.map(|key| StepCacheKey { key, fingerprint }))
    }

    fn set_reused(&mut self, count: usize) {
        let (attempt, now) = (self.job().attempt, (self.worker().clock)());
        for run in self.runs.iter_mut().take(count) {
            run.status = StepStatus::Reused;
            run.attempt = attempt;
            run.started_at = Some(now);
            run.ended_at = Some(now);
        }
    }

    fn set_started(&mut self, index: usize) {
        let (attempt, now) = (self.job().attempt, (self.worker().clock)());
        if let Some(run) = self.runs.get_mut(index) {
            run.attempt = attempt;
            run.started_at = Some(now);
        }
    }

    fn set_ended(&mut self, index: usize, succeeded: bool) {
        let now = (self.worker().clock)();
        if let Some(run) = self.runs.get_mut(index) {
            run.ended_at = Some(now);
            run.status = match succeeded {
                true => StepStatus::Completed,
                false => StepStatus::Failed,
            };
        }
    }

    /// Sets a step back to waiting.
    fn reset(&mut self, index: usize) {
        if let Some(run) = self.runs.get_mut(index) {
            run.status = StepStatus::Waiting;
            run.attempt = 0;
            run.started_at = None;
            run.ended_at = None;
        }
    }
}
