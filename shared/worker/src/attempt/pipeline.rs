//! Pipelines: runs the steps one after the other and reuses cached artifacts of earlier attempts and jobs.

use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::{Job, StepRun, StepStatus};
use domain::step_cache::{StepArtifact, StepInput, StepKey};
use engine::Artifact;

use super::{Attempt, StepGroup, artifact};
use crate::engines::Engine;
use crate::error::AttemptError;
use crate::sources::Sources;
use crate::worker::{Ports, Worker};

/// A running pipeline.
pub(super) struct Pipeline<'a, P, E> {
    attempt: &'a Attempt<'a, P, E>,
    sources: &'a Sources,
    scratch: &'a Path,
    runs: &'a mut [StepRun],
    /// SHA-256 of each attachment.
    attachment_hashes: Vec<String>,
}

/// The document between steps: the source or the artifact of the last step.
struct Document {
    path: PathBuf,
    format: Format,
    sha256: String,
}

/// A step whose artifact is cached.
struct CachedStep {
    key: StepKey,
    artifact: StepArtifact,
    /// The format of the artifact.
    format: Format,
}

impl<'a, P: Ports, E: Engine> Pipeline<'a, P, E> {
    pub(super) fn new(
        attempt: &'a Attempt<'a, P, E>,
        sources: &'a Sources,
        scratch: &'a Path,
        runs: &'a mut [StepRun],
    ) -> Self {
        Self {
            attempt,
            sources,
            scratch,
            runs,
            attachment_hashes: Vec::new(),
        }
    }

    /// Looks up the cached steps, fetches the last available artifact, and runs the remaining steps.
    pub(super) async fn run(mut self) -> Result<Artifact, AttemptError> {
        for attachment in &self.sources.attachments {
            let (_, sha256) = size_and_sha256(&attachment.path).await?;
            self.attachment_hashes.push(sha256);
        }
        let source = Document {
            path: self.sources.document.clone(),
            format: self.job().input_format,
            sha256: size_and_sha256(&self.sources.document).await?.1,
        };
        let cached = self.cached_steps(&source).await;
        let (mut document, mut done) = self.resume(source, cached).await;
        self.attempt.advance(done.len());
        for index in done.len()..self.job().steps.len() {
            let artifact = self.step(index, &mut document).await?;
            done.push(artifact);
            self.remove_unused(index, &document.path).await;
        }
        let path = document.path;
        artifact::combine(path, done).ok_or_else(|| AttemptError::Service("no steps".to_owned()))
    }

    fn job(&self) -> &'a Job {
        self.attempt.job
    }

    fn worker(&self) -> &'a Worker<P, E> {
        self.attempt.worker
    }

    /// Returns the leading steps that have a cached artifact, by their cache records alone.
    async fn cached_steps(&self, source: &Document) -> Vec<CachedStep> {
        let mut cached: Vec<CachedStep> = Vec::new();
        for (index, operation) in self.job().steps.iter().enumerate() {
            let previous = cached.last();
            let format = previous.map_or(source.format, |step| step.format);
            let sha256 = previous.map_or(&source.sha256, |step| &step.artifact.sha256);
            let Some(key) = self.key(index, format, sha256) else {
                break;
            };
            let (Some(artifact), Some((_, format))) =
                (self.cached_artifact(&key).await, operation.resolve(format))
            else {
                break;
            };
            cached.push(CachedStep {
                key,
                artifact,
                format,
            });
        }
        cached
    }

    /// Looks up a cached artifact. If the cache is unavailable, the step is run again.
    async fn cached_artifact(&self, key: &StepKey) -> Option<StepArtifact> {
        let account = &self.job().account_id;
        let found = self.worker().ports.step_artifact(account, key).await;
        found.unwrap_or_else(|error| {
            tracing::warn!(%error, "step cache lookup failed");
            None
        })
    }

    /// Fetches the last intact cached artifact. Returns it with the artifacts of all steps up to it.
    async fn resume(
        &mut self,
        source: Document,
        mut cached: Vec<CachedStep>,
    ) -> (Document, Vec<StepArtifact>) {
        while let Some(last) = cached.last() {
            let path = self.scratch.join(format!("cached-{}", cached.len()));
            if self.fetch(last, &path).await {
                let document = Document {
                    path,
                    format: last.format,
                    sha256: last.artifact.sha256.clone(),
                };
                self.set_reused(cached.len());
                let artifacts = cached.into_iter().map(|step| step.artifact).collect();
                return (document, artifacts);
            }
            cached.pop();
        }
        (source, Vec::new())
    }

    /// Fetches a cached artifact. Returns whether it exists and matches its recorded size and hash.
    async fn fetch(&self, step: &CachedStep, path: &Path) -> bool {
        let (account, ports) = (&self.job().account_id, &self.worker().ports);
        let fetched = ports.fetch_step_artifact(account, &step.key, &step.artifact, path);
        match fetched.await {
            Ok(true) => {}
            Ok(false) => return false,
            Err(error) => {
                tracing::warn!(%error, "cached step artifact cannot be fetched");
                return false;
            }
        }
        let expected = (step.artifact.size_bytes, step.artifact.sha256.clone());
        let is_intact = size_and_sha256(path)
            .await
            .is_ok_and(|actual| actual == expected);
        if !is_intact {
            tracing::warn!("cached step artifact does not match its hash");
        }
        is_intact
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

    /// Runs a step, caches its artifact and makes it the current document.
    async fn step(
        &mut self,
        index: usize,
        document: &mut Document,
    ) -> Result<StepArtifact, AttemptError> {
        self.set_started(index);
        let result = self.run_step(index, document).await;
        self.set_ended(index, result.is_ok());
        let (artifact, format) = result?;
        let step_artifact = StepArtifact {
            content_type: artifact.content_type,
            extension: artifact.extension,
            size_bytes: artifact.size_bytes,
            sha256: artifact.sha256,
            pages: artifact.pages,
            contents: artifact.contents,
            warnings: artifact.warnings,
            engine: artifact.engine,
        };
        if let Some(key) = self.key(index, document.format, &document.sha256) {
            self.cache(&key, &step_artifact, &artifact.path).await;
        }
        *document = Document {
            path: artifact.path,
            format,
            sha256: step_artifact.sha256.clone(),
        };
        self.attempt.check_lease().map(|()| step_artifact)
    }

    async fn run_step(
        &self,
        index: usize,
        document: &Document,
    ) -> Result<(Artifact, Format), AttemptError> {
        let operation = self.job().steps.get(index);
        let resolved = operation.and_then(|operation| operation.resolve(document.format));
        let unsupported = || AttemptError::Service("unsupported step in the pipeline".to_owned());
        let (_, format) = resolved.ok_or_else(unsupported)?;
        let scratch = self.directory(index);
        std::fs::create_dir(&scratch).map_err(|error| {
            AttemptError::Service(format!("step directory cannot be created: {error}"))
        })?;
        let group = StepGroup {
            steps: index..index + 1,
            source: document.path.clone(),
            format: document.format,
            scratch,
        };
        let artifact = self.attempt.run_engine(group, self.sources).await?;
        Ok((artifact, format))
    }

    async fn cache(&self, key: &StepKey, artifact: &StepArtifact, path: &Path) {
        let account = &self.job().account_id;
        let stored = self
            .worker()
            .ports
            .store_step_artifact(account, key, artifact, path);
        if let Err(error) = stored.await {
            tracing::warn!(%error, "step artifact not cached; another attempt would run the step again");
        }
    }

    /// Returns the cache key of the step at `index` for this document; `None` if no engine supports the step. The key includes
    /// the crate version, because results depend on this code as well as on the engine.
    fn key(&self, index: usize, format: Format, sha256: &str) -> Option<StepKey> {
        let operation = self.job().steps.get(index)?;
        let engine = self.worker().engine.fingerprint(operation, format)?;
        let attachments: Vec<_> = self
            .sources
            .attachments
            .iter()
            .zip(&self.attachment_hashes)
            .filter(|(attachment, _)| attachment.step == index)
            .map(|(attachment, sha256)| (sha256.clone(), attachment.declared_format))
            .collect();
        StepKey::of(&StepInput {
            sha256,
            format,
            attachments: &attachments,
            operation,
            limits: self.job().limits,
            filename: &self.job().filename,
            engine: &format!("{} {engine}", env!("CARGO_PKG_VERSION")),
        })
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

    fn directory(&self, index: usize) -> PathBuf {
        self.scratch.join(format!("pipeline-{index}"))
    }

    /// Frees disk space: removes the directories of earlier steps, except the one with the current document.
    async fn remove_unused(&self, index: usize, document: &Path) {
        let earlier = (0..index).map(|earlier| self.directory(earlier));
        let unused: Vec<_> = earlier
            .filter(|directory| directory.is_dir() && !document.starts_with(directory))
            .collect();
        let removal = tokio::task::spawn_blocking(move || {
            unused.iter().try_for_each(std::fs::remove_dir_all)
        });
        if !matches!(removal.await, Ok(Ok(()))) {
            tracing::warn!("directory of an earlier step could not be removed");
        }
    }
}

/// Returns the size and SHA-256 of a file.
async fn size_and_sha256(path: &Path) -> Result<(u64, String), AttemptError> {
    let path = path.to_owned();
    let result = tokio::task::spawn_blocking(move || engine::size_and_sha256(&path)).await;
    let result = result.map_err(|_| AttemptError::Service("hashing a file panicked".to_owned()))?;
    Ok(result?)
}
