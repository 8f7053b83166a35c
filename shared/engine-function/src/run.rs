//! Runs operations on a document: download, engines, upload.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use domain::format::Format;
use domain::operation::Operation;
use engine::{Artifact, ChildPurpose, EngineError};
use invocation::{Interruption, Response, RunRequest, RunResult, Source};
use sandbox::Scratch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::checksum::crc64nvme;
use crate::handler::{Engine, Handler, blocking};
use crate::inputs::{self, Inputs};
use crate::object_store::Upload;
use crate::outcome::Failure;

/// Duration of each stage.
#[derive(Default)]
struct Stages {
    download: Duration,
    engine: Duration,
    upload: Duration,
}

impl<E: Engine> Handler<E> {
    /// Runs a request in a scratch directory of its own, which is wiped afterwards.
    pub(crate) async fn run(
        &self,
        run: RunRequest,
        deadline: Instant,
    ) -> Result<Response, Failure> {
        self.check_supported(&run).await?;
        let base = self.scratch_base.clone();
        let scratch = blocking(move || Scratch::create(Some(&base))).await?;
        let scratch = scratch.map_err(EngineError::from)?;
        let mut stages = Stages::default();
        let outcome = self
            .run_in(&Arc::new(run), scratch.path(), deadline, &mut stages)
            .await;
        log(&outcome, &stages);
        match (outcome, blocking(move || scratch.wipe()).await?) {
            (outcome, Ok(())) => outcome,
            (Ok(_), Err(error)) => Err(EngineError::from(error).into()),
            (Err(failure), Err(error)) => {
                tracing::error!(%error, "a scratch directory could not be wiped");
                Err(failure.ending_the_process())
            }
        }
    }

    /// Checks that the engines of this function can run all steps, before anything is downloaded.
    async fn check_supported(&self, run: &RunRequest) -> Result<(), Failure> {
        let engine = Arc::clone(&self.engine);
        let (steps, format) = (run.steps.clone(), run.format);
        let supported = blocking(move || supports(engine.as_ref(), &steps, format)).await?;
        match supported? {
            true => Ok(()),
            false => Err(Interruption::Unsupported.into()),
        }
    }

    async fn run_in(
        &self,
        run: &Arc<RunRequest>,
        scratch: &Path,
        deadline: Instant,
        stages: &mut Stages,
    ) -> Result<Response, Failure> {
        let timed_out = |_| Failure::from(Interruption::TimedOut);
        let started = Instant::now();
        let inputs = inputs::download(&self.store, run, scratch);
        let inputs = timeout_at(deadline, inputs).await;
        stages.download = started.elapsed();
        let inputs = inputs.map_err(timed_out)??;

        let started = Instant::now();
        let ran = self.run_engine(run, inputs, scratch, deadline).await;
        stages.engine = started.elapsed();
        let (artifact, cpu) = ran?;
        if artifact.size_bytes > run.output.max_bytes {
            return Err(Failure::output_too_large());
        }

        let started = Instant::now();
        let path = artifact.path.clone();
        let checksum = blocking(move || crc64nvme(&path)).await?;
        let checksum = checksum
            .map_err(|error| Failure::service(format!("the result cannot be read: {error}")))?;
        let upload = Upload {
            path: &artifact.path,
            size_bytes: artifact.size_bytes,
            content_type: &artifact.content_type,
            extension: &artifact.extension,
        };
        let uploaded = timeout_at(deadline, self.store.upload(&run.output, &upload)).await;
        let lost = |_| Failure::from(Interruption::Upload);
        uploaded.map_err(timed_out)?.map_err(lost)?;
        stages.upload = started.elapsed();
        Ok(Response::Completed(Box::new(result(
            artifact, checksum, cpu,
        ))))
    }

    /// Runs the engines on another thread, and stops them at the deadline.
    async fn run_engine(
        &self,
        run: &Arc<RunRequest>,
        inputs: Inputs,
        scratch: &Path,
        deadline: Instant,
    ) -> Result<(Artifact, Duration), Failure> {
        let (stop, cpu) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU64::new(0)),
        );
        let (engine, run, scratch) = (
            Arc::clone(&self.engine),
            Arc::clone(run),
            scratch.to_owned(),
        );
        let (stop_flag, cpu_counter) = (Arc::clone(&stop), Arc::clone(&cpu));
        let mut running = spawn_blocking(move || {
            let add = |_: ChildPurpose, time: Duration| {
                let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
                cpu_counter.fetch_add(microseconds, Ordering::Relaxed);
            };
            engine.run(&engine::Request {
                steps: &run.steps,
                part: run.part.as_ref(),
                source: &inputs.source,
                web_page: match &run.source {
                    Source::WebPage { url } => Some(url),
                    Source::File(_) => None,
                },
                attachments: &inputs.attachments,
                declared_format: run.format,
                filename: &run.filename,
                limits: run.limits,
                scratch: &scratch,
                stop: &stop_flag,
                progress: &|_| {},
                cpu_time: &add,
            })
        });
        let ended = tokio::select! {
            ended = &mut running => ended,
            () = sleep_until(deadline) => {
                stop.store(true, Ordering::Relaxed);
                running.await
            }
        };
        let artifact = ended.map_err(|_| Failure::service("the engine's thread panicked"))??;
        Ok((artifact, Duration::from_micros(cpu.load(Ordering::Relaxed))))
    }
}

/// Whether an engine runs each step on the format that the step before it returns.
fn supports(
    engine: &impl Engine,
    steps: &[Operation],
    format: Format,
) -> Result<bool, EngineError> {
    let mut format = format;
    for operation in steps {
        let resolved = operation.resolve(format);
        match (resolved, engine.fingerprint(operation, format)?) {
            (Some((_, to)), Some(_)) => format = to,
            _ => return Ok(false),
        }
    }
    Ok(!steps.is_empty())
}

fn result(artifact: Artifact, crc64nvme: String, cpu: Duration) -> RunResult {
    RunResult {
        content_type: artifact.content_type,
        extension: artifact.extension,
        size_bytes: artifact.size_bytes,
        sha256: artifact.sha256,
        crc64nvme,
        pages: artifact.pages,
        contents: artifact.contents,
        warnings: artifact.warnings,
        engine: artifact.engine,
        cpu_ms: milliseconds(cpu),
    }
}

fn log(outcome: &Result<Response, Failure>, stages: &Stages) {
    let (download_ms, engine_ms, upload_ms) = (
        milliseconds(stages.download),
        milliseconds(stages.engine),
        milliseconds(stages.upload),
    );
    let response = match outcome {
        Ok(response) => response,
        Err(failure) => failure.response(),
    };
    match response {
        Response::Completed(result) => tracing::info!(
            download_ms,
            engine_ms,
            upload_ms,
            cpu_ms = result.cpu_ms,
            bytes = result.size_bytes,
            pages = result.pages,
            "run completed"
        ),
        other => tracing::info!(
            download_ms,
            engine_ms,
            outcome = outcome_name(other),
            "run not completed"
        ),
    }
}

/// The name of the outcome in logs, without messages, which may quote the document.
fn outcome_name(response: &Response) -> String {
    match response {
        Response::Rejected(error) => format!("rejected: {:?}", error.code),
        Response::Interrupted(Interruption::Service(_)) => "interrupted: Service".to_owned(),
        Response::Interrupted(interruption) => format!("interrupted: {interruption:?}"),
        Response::TooLong(ranges) => format!("too long: {} ranges", ranges.spans.len()),
        Response::Completed(_) | Response::Fingerprint(_) => "completed".to_owned(),
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
