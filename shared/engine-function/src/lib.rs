//! Entry point of all engine functions: discovers the engines, starts their zygotes, and serves invocations.
//!
//! An engine function has no rights: it reads its inputs and writes its output through the presigned requests of an
//! invocation, and has no tables, queues or accounts.

mod checksum;
mod environment;
mod handler;
mod inputs;
mod object_store;
mod outcome;
mod program;
mod run;
mod start;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;

use domain::engine_function::EngineFunction;
use engine::{EngineError, Engines};

pub use engine::Modules;
pub use handler::{Engine, Handler};
pub use object_store::ObjectStore;
pub use web::{GuardedWeb, InstalledEngines, PAGE};

/// Runs an engine function with these modules until Lambda ends it, or, in a child process, the sandboxed engine. Call it
/// first in `main`.
///
/// After a crash, an exceeded limit or a timeout of a document, and once its response was sent, the process executes this
/// program again, so that the next document has a fresh one. It does not exit: what Lambda responds to the caller if a process
/// exits after its response is not documented.
#[must_use]
pub fn main(function: EngineFunction, modules: Modules) -> ExitCode {
    if let Some(code) = engine::child(modules) {
        return code;
    }
    // Before threads exist and anything is allocated from the environment.
    let has_credentials = environment::has_credentials();
    let error: runtime::Error = match has_credentials {
        true => program::execute_again().into(),
        false => run(function, modules),
    };
    if has_credentials {
        runtime::telemetry::init();
    }
    tracing::error!(%error, function = function.name(), "the engine function failed");
    ExitCode::FAILURE
}

/// Serves invocations, and executes this program again if a document requires that. Returns only on failure.
fn run(function: EngineFunction, modules: Modules) -> runtime::Error {
    runtime::telemetry::init();
    let scratch_base = std::env::temp_dir();
    let engines = start::engines(function, modules, &scratch_base);
    match serve(function, engines, scratch_base) {
        Ok(()) => {
            tracing::info!("the program is executed again for the next document");
            program::execute_again().into()
        }
        Err(error) => error,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn serve(
    function: EngineFunction,
    engines: Result<Engines, EngineError>,
    scratch_base: PathBuf,
) -> Result<(), runtime::Error> {
    let handler = engines
        .map_err(runtime::Error::from)
        .and_then(|engines| handler(function, engines, scratch_base));
    match handler {
        Ok(handler) => runtime::invocation::serve(|invocation| handler.handle(invocation)).await,
        Err(error) => {
            let function = function.name();
            tracing::error!(%error, function, "the engines cannot be started");
            tracing::info!(target: "metrics", function, EnginesUnavailable = 1_u64);
            // A failed start would use up the attempts of every job.
            runtime::invocation::serve(async |_| outcome::cannot_serve()).await
        }
    }
}

fn handler(
    function: EngineFunction,
    engines: Engines,
    scratch_base: PathBuf,
) -> Result<Handler<InstalledEngines>, runtime::Error> {
    let engines = match function {
        EngineFunction::EngineWeb => web::with_web(engines, &scratch_base)?,
        _ => engines,
    };
    let engines = InstalledEngines::new(engines);
    Ok(Handler::new(engines, ObjectStore::new()?, scratch_base))
}
