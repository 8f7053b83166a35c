//! Handles invocations: parses the request, and responds with a result, a rejection or an interruption.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use domain::format::Format;
use domain::operation::Operation;
use engine::{Artifact, EngineError};
use invocation::{Interruption, JobContext, Request, Response, VERSION, Work};
use runtime::invocation::{Invocation, Reply};
use serde_json::Value;
use tokio::task::spawn_blocking;
use tokio::time::Instant;
use tracing::Instrument as _;

use crate::object_store::ObjectStore;
use crate::outcome::{Failure, reply};

/// Time for sending the response before Lambda ends the invocation.
const RESPONSE_TIME: Duration = Duration::from_secs(2);

/// The engines as the handler uses them. Its methods block.
pub trait Engine: Send + Sync + 'static {
    /// Runs operations on a document and verifies the result.
    ///
    /// # Errors
    /// [`EngineError`]; no process of the document is alive after any error.
    fn run(&self, request: &engine::Request<'_>) -> Result<Artifact, EngineError>;

    /// Returns the engines that run an operation on a format; `None` if there are none.
    ///
    /// # Errors
    /// [`EngineError::Service`] if an engine does not work.
    fn fingerprint(
        &self,
        operation: &Operation,
        format: Format,
    ) -> Result<Option<String>, EngineError>;
}

/// Handles invocations.
#[derive(Debug)]
pub struct Handler<E> {
    pub(crate) engine: Arc<E>,
    pub(crate) store: ObjectStore,
    pub(crate) scratch_base: PathBuf,
}

impl<E: Engine> Handler<E> {
    /// Creates a handler whose documents have their scratch directories in `scratch_base`.
    #[must_use]
    pub fn new(engine: E, store: ObjectStore, scratch_base: PathBuf) -> Self {
        Self {
            engine: Arc::new(engine),
            store,
            scratch_base,
        }
    }

    /// Handles an invocation.
    pub async fn handle(&self, invocation: Invocation) -> Reply<Response> {
        let now = Instant::now();
        let latest = now + invocation.time_left.saturating_sub(RESPONSE_TIME);
        let request = match parse(invocation.payload) {
            Ok(request) => request,
            Err(interruption) => return reply(Err(interruption.into())),
        };
        let span = span(&request.job);
        let work = async {
            let outcome = match request.work {
                Work::Run(run) => {
                    let time = Duration::from_millis(run.time_ms);
                    let deadline = now.checked_add(time).unwrap_or(latest).min(latest);
                    self.run(*run, deadline).await
                }
                Work::Fingerprint { operation, format } => {
                    self.fingerprint(operation, format).await
                }
            };
            reply(outcome)
        };
        work.instrument(span).await
    }

    async fn fingerprint(&self, operation: Operation, format: Format) -> Result<Response, Failure> {
        let engine = Arc::clone(&self.engine);
        let found = blocking(move || engine.fingerprint(&operation, format)).await?;
        Ok(Response::Fingerprint(found?))
    }
}

/// Runs blocking work on another thread.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let panicked = |_| Failure::service("a thread panicked");
    spawn_blocking(work).await.map_err(panicked)
}

/// Parses a request of this release's version. Its content is not logged: it has presigned URLs.
fn parse(payload: Value) -> Result<Request, Interruption> {
    let version = payload.get("version").and_then(Value::as_u64);
    if version != Some(VERSION.into()) {
        tracing::warn!(version, "a request has another version");
        return Err(Interruption::Unsupported);
    }
    serde_json::from_value(payload).map_err(|_| {
        tracing::warn!("a request cannot be parsed");
        Interruption::Unsupported
    })
}

fn span(job: &JobContext) -> tracing::Span {
    let JobContext {
        job_id,
        attempt,
        traceparent,
    } = job;
    tracing::info_span!("job", job_id, attempt, traceparent)
}
