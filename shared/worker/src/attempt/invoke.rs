//! Invokes engine functions: presigned inputs and output, back-off while throttled, and strict checks of response and result.

use std::time::Duration;

use domain::engine_function::EngineFunction;
use domain::format::Format;
use domain::limits::{MEBIBYTE, work_limit};
use domain::ocr_part::{OcrPart, OcrRanges};
use domain::operation::Operation;
use domain::ports::InvokeError;
use domain::step_cache::StepArtifact;
use invocation::{
    FailedInput, Input, Interruption, InvalidResponse, JobContext, Request, Response, RunRequest,
    RunResult, Source, VERSION, Work,
};
use tokio::time::Instant;

use super::{Artifact, Attempt};
use crate::error::AttemptError;
use crate::fingerprints::FingerprintKey;
use crate::sources::{Attachment, Document, StoredFile, source_missing};
use crate::worker::Ports;

/// Time between the end of an engine's work and the response: upload of the result, network.
const RESPONSE_TIME: Duration = Duration::from_secs(10);

/// The shortest time for which an invocation is worthwhile.
const MIN_TIME: Duration = Duration::from_secs(5);

/// Maximum wait for a fingerprint: the start of an engine function.
const FINGERPRINT_TIME: Duration = Duration::from_secs(60);

/// Maximum size of the result of operations without a limit of their own, in bytes.
const MAX_OUTPUT_BYTES: u64 = 1_024 * MEBIBYTE;

/// Operations that one invocation performs.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    /// The engine function.
    pub(crate) function: EngineFunction,
    /// The operations, in order.
    pub(crate) steps: &'a [Operation],
    /// What the run does of its only operation, if that is `ocr` on a PDF.
    pub(crate) part: Option<&'a OcrPart>,
    /// The document.
    pub(crate) document: &'a Document,
    /// Index of the first operation among the steps of the job.
    pub(crate) step: usize,
    /// The format of the document.
    pub(crate) format: Format,
    /// The attachments, with step indexes relative to `steps`.
    pub(crate) attachments: &'a [Attachment],
    /// Name of the result among the attempt's objects.
    pub(crate) output: &'a str,
}

/// The outcome of a run.
enum RunOutcome {
    Completed(Box<RunResult>),
    /// OCR of the document takes several runs.
    TooLong(OcrRanges),
}

/// What an invocation asks for.
enum Task<'a> {
    Run(&'a Run<'a>),
    Fingerprint(&'a Operation, Format),
}

/// Time limits of an invocation.
struct Times {
    /// For the engine function.
    work: Duration,
    /// Until the response must be there.
    response: Duration,
}

impl<P: Ports> Attempt<'_, P> {
    /// Runs operations in an engine function, or OCR of a long document in several, and returns the checked result.
    pub(crate) async fn run_engine(&self, run: &Run<'_>) -> Result<Artifact, AttemptError> {
        let expected = run.result_format()?;
        match self.result(run).await? {
            RunOutcome::Completed(result) => {
                let checked = result.check_format(expected);
                self.stored_artifact(run, *result, checked).await
            }
            RunOutcome::TooLong(ranges) => self.run_ranges(run, ranges).await,
        }
    }

    /// Runs a part of an operation, whose result `check` accepts.
    pub(super) async fn run_part(
        &self,
        run: &Run<'_>,
        check: impl FnOnce(&RunResult) -> Result<(), InvalidResponse>,
    ) -> Result<Artifact, AttemptError> {
        match self.result(run).await? {
            RunOutcome::Completed(result) => {
                let checked = check(&result);
                self.stored_artifact(run, *result, checked).await
            }
            RunOutcome::TooLong(_) => Err(failed(run.function, "divided a part of a document")),
        }
    }

    /// Checks that a result is stored.
    async fn stored_artifact(
        &self,
        run: &Run<'_>,
        result: RunResult,
        checked: Result<(), InvalidResponse>,
    ) -> Result<Artifact, AttemptError> {
        checked.map_err(|error| invalid(run.function, &error))?;
        let object = self.object(run.output);
        let etag = self.check_stored(run.function, &object, &result).await?;
        Ok(artifact(object, etag, result))
    }

    /// Returns the fingerprint of the engine for an operation on a format; `None` if it is unknown.
    pub(super) async fn fingerprint(
        &self,
        operation: &Operation,
        format: Format,
    ) -> Result<Option<String>, AttemptError> {
        let Some(key) = FingerprintKey::of(operation, format) else {
            return Ok(None);
        };
        let known = &self.worker.fingerprints;
        if let Some(fingerprint) = known.get(&key) {
            return Ok(Some(fingerprint));
        }
        let task = Task::Fingerprint(operation, format);
        match self.send(key.function, &task).await {
            Ok(Response::Fingerprint(Some(fingerprint))) => {
                known.insert(key, fingerprint.clone());
                Ok(Some(fingerprint))
            }
            Err(AttemptError::Postponed(reason)) => Err(AttemptError::Postponed(reason)),
            Ok(_) => {
                tracing::warn!(
                    function = key.function.name(),
                    "no fingerprint; the step is not cached"
                );
                Ok(None)
            }
            Err(error) => {
                tracing::warn!(?error, "fingerprint unknown; the step is not cached");
                Ok(None)
            }
        }
    }

    /// Invokes the function until it has a result. Presigned requests that have expired are renewed once.
    async fn result(&self, run: &Run<'_>) -> Result<RunOutcome, AttemptError> {
        let mut is_renewed = false;
        loop {
            match self.send(run.function, &Task::Run(run)).await? {
                Response::Completed(result) => return Ok(RunOutcome::Completed(result)),
                Response::TooLong(ranges) if run.part == Some(&OcrPart::WholeOrRanges) => {
                    return Ok(RunOutcome::TooLong(ranges));
                }
                Response::TooLong(_) => {
                    return Err(failed(
                        run.function,
                        "divided a document that has no ranges",
                    ));
                }
                Response::Rejected(error) => return Err(AttemptError::Job(error)),
                Response::Interrupted(Interruption::Input {
                    failure: FailedInput::Expired,
                    ..
                }) if !is_renewed => {
                    tracing::info!("presigned requests have expired; repeating with new ones");
                    is_renewed = true;
                }
                Response::Interrupted(interruption) => {
                    return Err(interrupted(run, interruption));
                }
                Response::Fingerprint(_) => {
                    return Err(failed(run.function, "responded with a fingerprint"));
                }
            }
        }
    }

    /// Invokes a function, with exponential back-off and full jitter while it is throttled, and parses its response.
    async fn send(
        &self,
        function: EngineFunction,
        task: &Task<'_>,
    ) -> Result<Response, AttemptError> {
        let mut backoff = Backoff::default();
        loop {
            let times = self.times(function, task, backoff.is_started());
            let times = times.ok_or_else(|| match backoff.is_started() {
                true => postponed(function, "has no concurrency left"),
                false => failed(function, "has no time left"),
            })?;
            let payload = self.payload(task, times.work).await?;
            let account = &self.job.account_id;
            let ports = &self.worker.ports;
            match ports
                .invoke(function, account, payload, times.response)
                .await
            {
                Ok(payload) => {
                    return Response::parse(&payload).map_err(|error| invalid(function, &error));
                }
                Err(InvokeError::Throttled) => {
                    let pause = backoff.next((self.worker.jitter)());
                    tracing::info!(function = function.name(), ?pause, "throttled");
                    tokio::time::sleep(pause).await;
                }
                Err(InvokeError::NotInvoked(error)) => {
                    return Err(postponed(function, &format!("was not invoked: {error}")));
                }
                Err(error) => return Err(failed(function, &error.to_string())),
            }
        }
    }

    /// Returns the time limits of an invocation that starts now; `None` if too little time is left. A run that was
    /// throttled needs its full time, because it would use up an attempt if it was stopped early.
    fn times(
        &self,
        function: EngineFunction,
        task: &Task<'_>,
        is_throttled: bool,
    ) -> Option<Times> {
        let longest = match task {
            Task::Run(_) => function.resources().read_timeout,
            Task::Fingerprint(..) => FINGERPRINT_TIME,
        };
        let left = self.deadline.saturating_duration_since(Instant::now());
        let response = longest.min(left);
        let work = response.saturating_sub(RESPONSE_TIME);
        let is_enough = match task {
            Task::Run(_) if is_throttled => response == longest,
            _ => work >= MIN_TIME,
        };
        is_enough.then_some(Times { work, response })
    }

    async fn payload(&self, task: &Task<'_>, time: Duration) -> Result<Vec<u8>, AttemptError> {
        let work = match task {
            Task::Run(run) => Work::Run(Box::new(self.run_request(run, time).await?)),
            Task::Fingerprint(operation, format) => Work::Fingerprint {
                operation: (*operation).clone(),
                format: *format,
            },
        };
        let job = JobContext {
            job_id: self.job.id.to_string(),
            attempt: self.job.attempt,
            traceparent: self.job.traceparent.clone(),
        };
        let version = VERSION;
        serde_json::to_vec(&Request { version, job, work })
            .map_err(|_| AttemptError::Service("the request cannot be serialized".to_owned()))
    }

    /// Builds a request with newly presigned inputs and output.
    async fn run_request(&self, run: &Run<'_>, time: Duration) -> Result<RunRequest, AttemptError> {
        let source = match run.document {
            Document::File(file) => Source::File(self.input(file).await?),
            Document::WebPage(url) => Source::WebPage { url: url.clone() },
        };
        let mut attachments = Vec::new();
        for attachment in run.attachments {
            attachments.push(invocation::Attachment {
                step: attachment.step,
                format: attachment.format,
                file: self.input(&attachment.file).await?,
            });
        }
        let object = self.object(run.output);
        let ports = &self.worker.ports;
        Ok(RunRequest {
            steps: run.steps.to_vec(),
            part: run.part.cloned(),
            source,
            format: run.format,
            attachments,
            filename: self.job.filename.clone(),
            limits: self.job.limits,
            output: ports.output_form(&object, run.max_bytes()?).await?,
            time_ms: u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
        })
    }

    async fn input(&self, file: &StoredFile) -> Result<Input, AttemptError> {
        let ports = &self.worker.ports;
        let get = ports.input_request(&file.object, &file.etag).await?;
        Ok(Input {
            get,
            size_bytes: file.size_bytes,
            sha256: file.sha256.clone(),
        })
    }

    /// Checks that the uploaded object is the reported one, and returns its entity tag.
    async fn check_stored(
        &self,
        function: EngineFunction,
        object: &str,
        result: &RunResult,
    ) -> Result<String, AttemptError> {
        let Some(stored) = self.worker.ports.stored(object).await? else {
            return Err(failed(function, "uploaded nothing"));
        };
        let mismatch = if stored.size_bytes != result.size_bytes {
            "size"
        } else if stored.content_type != result.content_type {
            "content type"
        } else if stored.crc64nvme.as_ref() != Some(&result.crc64nvme) {
            "checksum"
        } else {
            return Ok(stored.etag);
        };
        Err(failed(
            function,
            &format!("uploaded a file with another {mismatch} than it reported"),
        ))
    }
}

impl Run<'_> {
    /// Returns the processor of the last operation and the format of the result.
    fn last(&self) -> Result<(&Operation, domain::processor::Processor, Format), AttemptError> {
        let mut last = None;
        let mut format = self.format;
        for operation in self.steps {
            let resolved = operation.resolve(format);
            let (processor, to) = resolved.ok_or_else(unsupported)?;
            last = Some((operation, processor, to));
            format = to;
        }
        last.ok_or_else(unsupported)
    }

    pub(super) fn result_format(&self) -> Result<Format, AttemptError> {
        self.last().map(|(_, _, format)| format)
    }

    /// Returns the maximum size of the result in bytes.
    fn max_bytes(&self) -> Result<u64, AttemptError> {
        let (operation, processor, _) = self.last()?;
        let limit = work_limit(operation.name(), processor);
        Ok(limit.map_or(MAX_OUTPUT_BYTES, |limit| limit.written))
    }

    /// Returns the input that a response names, with the name of an attachment.
    fn input(&self, attachment: Option<usize>) -> Option<(&StoredFile, Option<&str>)> {
        match (attachment, self.document) {
            (None, Document::File(file)) => Some((file, None)),
            (None, Document::WebPage(_)) => None,
            (Some(index), _) => {
                let attachment = self.attachments.get(index)?;
                Some((&attachment.file, Some(&attachment.name)))
            }
        }
    }
}

/// Converts an interruption to an error of the attempt.
fn interrupted(run: &Run<'_>, interruption: Interruption) -> AttemptError {
    let reason = match interruption {
        Interruption::Input {
            attachment,
            failure,
        } => return unusable_input(run, attachment, failure),
        Interruption::Upload => "could not upload the result",
        Interruption::Unsupported => {
            return postponed(run.function, "does not support the request");
        }
        Interruption::TimedOut => "exceeded the time limit",
        Interruption::Service(reason) => return failed(run.function, &format!("failed: {reason}")),
    };
    failed(run.function, reason)
}

fn unusable_input(run: &Run<'_>, attachment: Option<usize>, failure: FailedInput) -> AttemptError {
    let Some((file, name)) = run.input(attachment) else {
        return failed(run.function, "named an input that does not exist");
    };
    match failure {
        FailedInput::Changed if file.is_of_client => match name {
            Some(name) => source_missing().in_file(name),
            None => source_missing(),
        },
        FailedInput::Changed => {
            AttemptError::UnusableArtifact("a stored file is missing".to_owned())
        }
        FailedInput::Damaged => {
            AttemptError::UnusableArtifact("a stored file is damaged".to_owned())
        }
        FailedInput::Expired => failed(run.function, "could not use new presigned requests"),
        FailedInput::Interrupted => failed(run.function, "could not download an input"),
    }
}

pub(super) fn unsupported() -> AttemptError {
    AttemptError::Service("unsupported step".to_owned())
}

fn failed(function: EngineFunction, reason: &str) -> AttemptError {
    AttemptError::Service(format!("{} {reason}", function.name()))
}

fn postponed(function: EngineFunction, reason: &str) -> AttemptError {
    AttemptError::Postponed(format!("{} {reason}", function.name()))
}

fn invalid(function: EngineFunction, error: &InvalidResponse) -> AttemptError {
    failed(function, &format!("responded invalidly: {error}"))
}

fn artifact(object: String, etag: String, result: RunResult) -> Artifact {
    let metadata = StepArtifact {
        content_type: result.content_type,
        extension: result.extension,
        size_bytes: result.size_bytes,
        sha256: result.sha256,
        crc64nvme: Some(result.crc64nvme),
        pages: result.pages,
        contents: result.contents,
        warnings: result.warnings,
        engine: result.engine,
    };
    Artifact {
        object,
        etag,
        metadata,
        cpu_time: Duration::from_millis(result.cpu_ms),
    }
}

/// Exponential back-off with full jitter.
#[derive(Debug, Default)]
struct Backoff {
    tries: u32,
}

impl Backoff {
    const FIRST: Duration = Duration::from_millis(200);
    const MAX: Duration = Duration::from_secs(5);

    fn is_started(&self) -> bool {
        self.tries > 0
    }

    /// Returns the next pause for a random number in `[0, 1)`.
    fn next(&mut self, random: f64) -> Duration {
        let factor = 1_u32.checked_shl(self.tries).unwrap_or(u32::MAX);
        self.tries = self.tries.saturating_add(1).min(16);
        let ceiling = Self::FIRST.saturating_mul(factor).min(Self::MAX);
        ceiling.mul_f64(random.clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_five_seconds_and_are_jittered() {
        let pauses = |random: f64| {
            let mut backoff = Backoff::default();
            let next = std::iter::repeat_with(move || backoff.next(random).as_millis());
            next.take(20).collect::<Vec<_>>()
        };
        assert_eq!(pauses(1.0)[..7], [200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!(pauses(1.0)[19], 5_000);
        assert_eq!(pauses(0.5)[..3], [100, 200, 400]);
        assert_eq!(pauses(0.0)[..3], [0, 0, 0]);
    }
}
