//! Entry point of all processors: probes the sandbox, starts the engines, and serves the queue with a worker.

mod start;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use aws::{ResourceVariable, Services};
use domain::processor::Processor;
use domain::ticket::Ticket;
use engine::Engines;
use fetch::RemoteSources;
use worker::Worker;

pub use engine::Modules;
pub use start::StartError;
pub use web::{GuardedWeb, PAGE};

/// Timeout for fetching a remote source. The engines' time budget, which starts after the fetch, is 40 s shorter than the
/// function's timeout: 20 s for the fetch, the rest for storing the result.
const FETCH_TIMEOUT: Duration = Duration::from_secs(20);

/// Runs a processor with these modules until Lambda ends it, or, in a child process, the sandboxed engine. Call it first in
/// `main`.
#[must_use]
pub fn main(processor: Processor, modules: Modules) -> ExitCode {
    if let Some(code) = engine::child(modules) {
        return code;
    }
    runtime::telemetry::init();
    match start(processor, modules) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, processor = processor.name(), "processor failed to start");
            ExitCode::FAILURE
        }
    }
}

fn start(processor: Processor, modules: Modules) -> Result<(), runtime::Error> {
    let scratch_base = std::env::temp_dir();
    let engines = start::confined_engines((processor, modules), &scratch_base)?;
    serve(processor, engines, scratch_base)
}

/// Serves the queue. A message that is not a ticket returns to its queue, which moves it to the dead-letter queue.
#[tokio::main(flavor = "current_thread")]
async fn serve(
    processor: Processor,
    engines: Engines,
    scratch_base: PathBuf,
) -> Result<(), runtime::Error> {
    let needs = [
        ResourceVariable::Accounts,
        ResourceVariable::Jobs,
        ResourceVariable::Library,
        ResourceVariable::Documents,
        ResourceVariable::Queue(processor),
        ResourceVariable::Bus,
    ];
    let engines = web::with_web(processor, engines, &scratch_base).await?;
    let services = Services::from_environment(&needs).await?;
    let remote = RemoteSources::new(
        fetch::Client::from_environment(runtime::config::own_hosts())?,
        FETCH_TIMEOUT,
    );
    let worker = Worker::new(
        Arc::new(services),
        Arc::new(engines),
        Arc::new(remote),
        scratch_base,
        runtime::clock::now,
    );
    runtime::queue::serve(async |message| {
        let ticket = Ticket::read(&message.body)?;
        Ok(worker.handle(&ticket).await?)
    })
    .await
}
