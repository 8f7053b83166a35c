//! OCR of a document that is too long for one invocation: recognizes its ranges in concurrent invocations, keeps each as an
//! artifact for the next attempt, and assembles the result from all of them.

use std::time::Duration;

use domain::engine_function::EngineFunction;
use domain::format::Format;
use domain::job::Job;
use domain::ocr_part::{OcrPart, OcrRanges, PageSpan};
use domain::operation::Operation;
use domain::retry;
use domain::step_cache::{StepInput, StepKey, step_artifact_metadata_object, step_object};
use futures::StreamExt as _;
use tokio::time::Instant;

use super::artifact::artifact_file;
use super::invoke::unsupported;
use super::{Artifact, Attempt, Run};
use crate::error::AttemptError;
use crate::sources::{Attachment, Document, StoredFile};
use crate::worker::Ports;

/// Maximum number of ranges of a job that are recognized at the same time, so that one job does not use all engine functions.
const CONCURRENT_RANGES: usize = 8;

/// Time for which it is worthwhile to start a range, or the assembly.
const RANGE_TIME: Duration = Duration::from_secs(240);

/// Progress when all ranges are recognized, in percent.
const RECOGNIZED_PROGRESS: usize = 95;

/// Returns what a run of these steps does first.
pub(super) fn part(steps: &[Operation], format: Format) -> Option<&'static OcrPart> {
    let is_divisible = matches!(steps, [Operation::Ocr(_)]) && format == Format::Pdf;
    is_divisible.then_some(&OcrPart::WholeOrRanges)
}

/// Whether the steps of a job run one by one, because OCR of the document may take several runs.
pub(super) fn are_steps_divisible(job: &Job) -> bool {
    let is_ocr = |step: &Operation| matches!(step, Operation::Ocr(_));
    job.input_format == Format::Pdf && job.steps.len() > 1 && job.steps.iter().any(is_ocr)
}

/// A range of an attempt.
struct Range<'a> {
    part: OcrPart,
    span: PageSpan,
    /// Cache key of its file, and the fingerprint in it; `None` if it is not cached.
    key: Option<(StepKey, String)>,
    run: &'a Run<'a>,
}

/// What an attempt has of a range.
struct RangeResult {
    file: StoredFile,
    cpu_time: Duration,
    /// Whether another attempt would find it.
    is_cached: bool,
}

impl<P: Ports> Attempt<'_, P> {
    /// Recognizes the ranges that are not cached, and assembles the result.
    ///
    /// # Errors
    /// [`AttemptError::Continued`] if the time is over and this attempt cached at least one more range, so that a document takes
    /// at most as many attempts as it has ranges.
    pub(super) async fn run_ranges(
        &self,
        run: &Run<'_>,
        ranges: OcrRanges,
    ) -> Result<Artifact, AttemptError> {
        if !ranges.is_valid(self.job.limits.pages) {
            return Err(AttemptError::Service(
                "the ranges exceed the limits of the job".to_owned(),
            ));
        }
        let fingerprint = self.ocr_fingerprint(run).await?;
        let all = ranges.spans.iter().map(|span| {
            let part = OcrPart::Pages {
                span: *span,
                languages: ranges.languages.clone(),
            };
            Range {
                key: self.range_key(run, &part, fingerprint.clone()),
                part,
                span: *span,
                run,
            }
        });
        let all: Vec<Range<'_>> = all.collect();
        let mut files = self.cached_files(&all).await;
        let report = |files: &[Option<StoredFile>]| {
            let done = files.iter().flatten().count();
            let percent = done * RECOGNIZED_PROGRESS / files.len().max(1);
            self.advance_within(run.step, percent)
        };
        let mut progress = report(&files);
        let missing: Vec<usize> = (0..all.len())
            .filter(|index| files.get(*index).is_none_or(Option::is_none))
            .collect();
        tracing::info!(ranges = all.len(), missing = missing.len(), "OCR by ranges");
        let (mut cpu_time, mut is_any_cached, mut failure) = (Duration::ZERO, false, None);
        let results = futures::stream::iter(missing).map(async |index| {
            let range = all.get(index).ok_or_else(unsupported)?;
            Ok((index, self.range(range).await?))
        });
        let mut results = std::pin::pin!(results.buffer_unordered(CONCURRENT_RANGES));
        while let Some(result) = results.next().await {
            match result {
                Ok((_, None)) => {}
                Ok((index, Some(result))) => {
                    cpu_time += result.cpu_time;
                    is_any_cached |= result.is_cached;
                    if let Some(file) = files.get_mut(index) {
                        *file = Some(result.file);
                    }
                    progress = report(&files);
                }
                Err(AttemptError::Job(error)) => return Err(AttemptError::Job(error)),
                Err(error) => failure = Some(error),
            }
        }
        let found: Option<Vec<StoredFile>> = files.into_iter().collect();
        match found.filter(|_| self.has_time()) {
            Some(files) => {
                let assembled = match self.assemble(run, ranges, files).await {
                    Err(AttemptError::UnusableArtifact(reason)) => {
                        self.forget(&all).await;
                        return Err(AttemptError::Service(reason));
                    }
                    result => result?,
                };
                cpu_time += assembled.cpu_time;
                Ok(Artifact {
                    cpu_time,
                    ..assembled
                })
            }
            None if is_any_cached && self.may_continue(all.len()) => {
                Err(AttemptError::Continued(progress))
            }
            None => Err(failure.unwrap_or_else(|| {
                AttemptError::Service("no time left for ranges of pages".to_owned())
            })),
        }
    }

    /// Whether the job has had no more attempts than there are ranges, besides those that count. If it has, the document is
    /// another one in each attempt.
    fn may_continue(&self, ranges: usize) -> bool {
        let most = u32::try_from(ranges).unwrap_or(u32::MAX);
        self.job.attempt <= most.saturating_add(retry::ATTEMPTS)
    }

    /// Removes the cache records of ranges, so that another attempt recognizes them again.
    async fn forget(&self, ranges: &[Range<'_>]) {
        for (key, _) in ranges.iter().filter_map(|range| range.key.as_ref()) {
            let record = step_artifact_metadata_object(&self.job.account_id, key);
            if let Err(error) = self.worker.ports.discard(&record).await {
                tracing::warn!(%error, "cache record of a range not removed");
            }
        }
    }

    fn has_time(&self) -> bool {
        self.deadline.saturating_duration_since(Instant::now()) >= RANGE_TIME
    }

    /// Recognizes a range; `None` if too little time is left.
    async fn range(&self, range: &Range<'_>) -> Result<Option<RangeResult>, AttemptError> {
        if !self.has_time() {
            return Ok(None);
        }
        let PageSpan { first, last } = range.span;
        let run = Run {
            part: Some(&range.part),
            output: &format!("pages-{first}-{last}"),
            ..*range.run
        };
        let artifact = self
            .run_part(&run, |result| result.check_pages(range.span))
            .await?;
        let is_cached = match &range.key {
            Some((key, fingerprint)) if *fingerprint == artifact.metadata.engine => {
                self.cache(key, &artifact).await
            }
            Some(_) => {
                let operation = run.steps.first().ok_or_else(unsupported)?;
                self.drop_fingerprint(operation, run.format);
                false
            }
            None => false,
        };
        Ok(Some(RangeResult {
            file: artifact.file(),
            cpu_time: artifact.cpu_time,
            is_cached,
        }))
    }

    async fn assemble(
        &self,
        run: &Run<'_>,
        ranges: OcrRanges,
        files: Vec<StoredFile>,
    ) -> Result<Artifact, AttemptError> {
        let attachments = files.into_iter().map(|file| Attachment {
            step: 0,
            format: Format::Json,
            file,
            name: "pages".to_owned(),
        });
        let attachments: Vec<Attachment> = attachments.collect();
        let run = Run {
            part: Some(&OcrPart::Assembly(ranges)),
            attachments: &attachments,
            ..*run
        };
        let expected = run.result_format()?;
        self.run_part(&run, |result| result.check_format(expected))
            .await
    }

    async fn ocr_fingerprint(&self, run: &Run<'_>) -> Result<Option<String>, AttemptError> {
        let operation = run.steps.first().ok_or_else(unsupported)?;
        if EngineFunction::for_operation(operation, run.format) != Some(run.function) {
            return Err(unsupported());
        }
        self.fingerprint(operation, run.format).await
    }

    fn range_key(
        &self,
        run: &Run<'_>,
        part: &OcrPart,
        fingerprint: Option<String>,
    ) -> Option<(StepKey, String)> {
        let (Document::File(file), Some(fingerprint)) = (run.document, fingerprint) else {
            return None;
        };
        let key = StepKey::of(&StepInput {
            identity: &file.identity,
            format: run.format,
            attachments: &[],
            operation: run.steps.first()?,
            part: Some(part),
            limits: self.job.limits,
            filename: &self.job.filename,
            engine: &format!("{} {fingerprint}", env!("CARGO_PKG_VERSION")),
        });
        key.map(|key| (key, fingerprint))
    }

    /// Returns the cached file of each range, if it agrees with its record.
    async fn cached_files(&self, ranges: &[Range<'_>]) -> Vec<Option<StoredFile>> {
        let found = futures::stream::iter(ranges).map(async |range| {
            let (key, _) = range.key.as_ref()?;
            let artifact = self.cached_artifact(key).await?;
            let object = step_object(&self.job.account_id, key, &artifact.sha256);
            let stored = self.worker.ports.stored(&object).await;
            let stored = stored.ok().flatten()?;
            let is_it = stored.is(&artifact);
            is_it.then(|| artifact_file(object, stored.etag, &artifact))
        });
        found.buffered(CONCURRENT_RANGES).collect().await
    }
}
