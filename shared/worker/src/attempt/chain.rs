//! The steps of a pipeline, one after the other: what is kept of an earlier attempt or job is not done again.

use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::{Job, StepRun, StepStatus};
use domain::step_cache::{StepFacts, StepInput, StepKey};
use engine::Artifact;

use super::{Attempt, Section, gathered};
use crate::engines::Engine;
use crate::halt::Halt;
use crate::sources::Sources;
use crate::worker::{Ports, Worker};

/// A pipeline at work.
pub(super) struct Chain<'a, P, E> {
    attempt: &'a Attempt<'a, P, E>,
    sources: &'a Sources,
    scratch: &'a Path,
    runs: &'a mut [StepRun],
    /// SHA-256 of each attachment.
    attached: Vec<String>,
}

/// A document on its way: as it came, or as a step has left it.
struct Document {
    path: PathBuf,
    format: Format,
    sha256: String,
}

/// A step that is kept.
struct Kept {
    key: StepKey,
    facts: StepFacts,
    /// What it leaves.
    format: Format,
}

impl<'a, P: Ports, E: Engine> Chain<'a, P, E> {
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
            attached: Vec::new(),
        }
    }

    /// Goes by the facts of what is kept as far as they lead, fetches the last artifact that is there, and does the rest.
    pub(super) async fn run(mut self) -> Result<Artifact, Halt> {
        for attachment in &self.sources.attachments {
            self.attached.push(weigh(&attachment.path).await?.1);
        }
        let source = Document {
            path: self.sources.document.clone(),
            format: self.job().input_format,
            sha256: weigh(&self.sources.document).await?.1,
        };
        let kept = self.kept(&source).await;
        let (mut document, mut done) = self.resume(source, kept).await;
        self.attempt.advance(done.len());
        for index in done.len()..self.job().steps.len() {
            let facts = self.step(index, &mut document).await?;
            done.push(facts);
            self.tidy(index, &document.path).await;
        }
        let path = document.path;
        gathered::artifact(path, done).ok_or_else(|| Halt::Service("no steps".to_owned()))
    }

    fn job(&self) -> &'a Job {
        self.attempt.job
    }

    fn worker(&self) -> &'a Worker<P, E> {
        self.attempt.worker
    }

    /// What is known of the first steps, by facts alone.
    async fn kept(&self, source: &Document) -> Vec<Kept> {
        let mut kept: Vec<Kept> = Vec::new();
        for (index, operation) in self.job().steps.iter().enumerate() {
            let before = kept.last();
            let format = before.map_or(source.format, |kept| kept.format);
            let sha256 = before.map_or(&source.sha256, |kept| &kept.facts.sha256);
            let Some(key) = self.key(index, format, sha256) else {
                break;
            };
            let (Some(facts), Some((_, format))) =
                (self.facts(&key).await, operation.resolve(format))
            else {
                break;
            };
            kept.push(Kept { key, facts, format });
        }
        kept
    }

    /// What is kept is a convenience: a store that does not answer costs time and not the job.
    async fn facts(&self, key: &StepKey) -> Option<StepFacts> {
        let account = &self.job().account_id;
        let found = self.worker().ports.kept_step(account, key).await;
        found.unwrap_or_else(|error| {
            tracing::warn!(%error, "what is kept of a step cannot be read");
            None
        })
    }

    /// The newest artifact that is there and whole, and the facts of every step up to it.
    async fn resume(&mut self, source: Document, kept: Vec<Kept>) -> (Document, Vec<StepFacts>) {
        let mut kept = kept;
        while let Some(last) = kept.last() {
            let path = self.scratch.join(format!("kept-{}", kept.len()));
            if self.fetch(last, &path).await {
                let document = Document {
                    path,
                    format: last.format,
                    sha256: last.facts.sha256.clone(),
                };
                self.note_reused(kept.len());
                return (document, kept.into_iter().map(|kept| kept.facts).collect());
            }
            kept.pop();
        }
        (source, Vec::new())
    }

    /// Whether the artifact is there and is the one that the facts tell of.
    async fn fetch(&self, kept: &Kept, path: &Path) -> bool {
        let (account, ports) = (&self.job().account_id, &self.worker().ports);
        let fetched = ports.fetch_step(account, &kept.key, &kept.facts, path);
        match fetched.await {
            Ok(true) => {}
            Ok(false) => return false,
            Err(error) => {
                tracing::warn!(%error, "what is kept of a step cannot be fetched");
                return false;
            }
        }
        let told = (kept.facts.size_bytes, kept.facts.sha256.clone());
        let whole = weigh(path).await.is_ok_and(|found| found == told);
        if !whole {
            tracing::warn!("what is kept of a step is not what was stored");
        }
        whole
    }

    fn note_reused(&mut self, count: usize) {
        let (attempt, now) = (self.job().attempt, (self.worker().clock)());
        for run in self.runs.iter_mut().take(count) {
            run.status = StepStatus::Reused;
            run.attempt = attempt;
            run.started_at = Some(now);
            run.ended_at = Some(now);
        }
    }

    /// Has an engine do a step, keeps what it left, and goes on with that.
    async fn step(&mut self, index: usize, document: &mut Document) -> Result<StepFacts, Halt> {
        self.note_begun(index);
        let made = self.make(index, document).await;
        self.note_ended(index, made.is_ok());
        let (artifact, format) = made?;
        let facts = StepFacts {
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
            self.keep(&key, &facts, &artifact.path).await;
        }
        *document = Document {
            path: artifact.path,
            format,
            sha256: facts.sha256.clone(),
        };
        self.attempt.still_held().map(|()| facts)
    }

    async fn make(&self, index: usize, document: &Document) -> Result<(Artifact, Format), Halt> {
        let left = self.job().steps.get(index);
        let left = left.and_then(|operation| operation.resolve(document.format));
        let nobody = || Halt::Service("nobody does a step of the pipeline".to_owned());
        let (_, format) = left.ok_or_else(nobody)?;
        let scratch = self.directory(index);
        std::fs::create_dir(&scratch)
            .map_err(|error| Halt::Service(format!("no directory for a step: {error}")))?;
        let section = Section {
            steps: index..index + 1,
            source: document.path.clone(),
            format: document.format,
            scratch,
        };
        let artifact = self.attempt.run_engine(section, self.sources).await?;
        Ok((artifact, format))
    }

    async fn keep(&self, key: &StepKey, facts: &StepFacts, path: &Path) {
        let account = &self.job().account_id;
        let kept = self.worker().ports.keep_step(account, key, facts, path);
        if let Err(error) = kept.await {
            tracing::warn!(%error, "what a step left is not kept: another attempt does it again");
        }
    }

    /// Names what the step at `index` leaves of this document; `None` when nothing that would do it is known. This
    /// release is part of it, because much of the work is its own.
    fn key(&self, index: usize, format: Format, sha256: &str) -> Option<StepKey> {
        let operation = self.job().steps.get(index)?;
        let engine = self.worker().engine.fingerprint(operation, format)?;
        let attachments: Vec<_> = self
            .sources
            .attachments
            .iter()
            .zip(&self.attached)
            .filter(|(attachment, _)| attachment.step == index)
            .map(|(attachment, sha256)| (sha256.clone(), attachment.claimed))
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

    fn note_begun(&mut self, index: usize) {
        let (attempt, now) = (self.job().attempt, (self.worker().clock)());
        if let Some(run) = self.runs.get_mut(index) {
            run.attempt = attempt;
            run.started_at = Some(now);
        }
    }

    fn note_ended(&mut self, index: usize, well: bool) {
        let now = (self.worker().clock)();
        if let Some(run) = self.runs.get_mut(index) {
            run.ended_at = Some(now);
            run.status = match well {
                true => StepStatus::Completed,
                false => StepStatus::Failed,
            };
        }
    }

    fn directory(&self, index: usize) -> PathBuf {
        self.scratch.join(format!("pipeline-{index}"))
    }

    /// Makes room: what earlier steps left is not needed any more, unless the document still lies there.
    async fn tidy(&self, index: usize, document: &Path) {
        let earlier = (0..index).map(|earlier| self.directory(earlier));
        let unused: Vec<_> = earlier
            .filter(|directory| directory.is_dir() && !document.starts_with(directory))
            .collect();
        let removal = tokio::task::spawn_blocking(move || {
            unused.iter().try_for_each(std::fs::remove_dir_all)
        });
        if !matches!(removal.await, Ok(Ok(()))) {
            tracing::warn!("what an earlier step left stays in scratch until that is wiped");
        }
    }
}

/// Size and SHA-256 of a file.
async fn weigh(path: &Path) -> Result<(u64, String), Halt> {
    let path = path.to_owned();
    let weighed = tokio::task::spawn_blocking(move || engine::weigh(&path)).await;
    let weighed = weighed.map_err(|_| Halt::Service("weighing a file panicked".to_owned()))?;
    Ok(weighed?)
}
