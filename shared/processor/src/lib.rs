//! The one `main` of all processors: a queue, a worker, and engines behind a sandbox that was tried out.

mod start;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use aws::{Need, Services};
use domain::processor::Processor;
use domain::ticket::Ticket;
use engine::Engines;
use fetch::RemoteSources;
use worker::Worker;

pub use engine::Modules;
pub use start::StartError;
pub use web::{GuardedWeb, PAGE};

/// How long fetching a remote source may take: the engines' budget, which begins after it, leaves 40 s of a function's
/// time, and storing the result needs the rest.
const FETCH_WITHIN: Duration = Duration::from_secs(20);

/// Is a processor with these modules until Lambda ends it, or the sandboxed child of one. To be called first thing in `main`.
#[must_use]
pub fn main(processor: Processor, modules: Modules) -> ExitCode {
    if let Some(code) = engine::child(modules) {
        return code;
    }
    runtime::telemetry::init();
    match start(processor, modules) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, processor = processor.name(), "cannot serve");
            ExitCode::FAILURE
        }
    }
}

fn start(processor: Processor, modules: Modules) -> Result<(), runtime::Error> {
    let scratch_base = std::env::temp_dir();
    let engines = start::confined_engines((processor, modules), &scratch_base)?;
    serve(processor, engines, scratch_base)
}

/// A message that is no ticket stays in its queue, whose redrive hands it to an operator.
#[tokio::main(flavor = "current_thread")]
async fn serve(
    processor: Processor,
    engines: Engines,
    scratch_base: PathBuf,
) -> Result<(), runtime::Error> {
    let needs = [
        Need::Accounts,
        Need::Jobs,
        Need::Library,
        Need::Documents,
        Need::Queue(processor),
        Need::Bus,
    ];
    let engines = web::with_web(processor, engines, &scratch_base).await?;
    let services = Services::from_environment(&needs).await?;
    let remote = RemoteSources::new(
        fetch::Client::from_environment(runtime::config::own_hosts())?,
        FETCH_WITHIN,
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
