//! Entry point of all engine functions: discovers the engines, starts their zygotes, and serves invocations.
//!
//! An engine function has no rights: it reads its inputs and writes its output through the presigned requests of an
//! invocation, and knows no tables, queues or accounts.

mod checksum;
mod environment;
mod handler;
mod inputs;
mod object_store;
mod outcome;
mod run;
mod start;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;

use domain::engine_function::EngineFunction;
use engine::Engines;

pub use engine::Modules;
pub use handler::{Engine, Handler};
pub use object_store::ObjectStore;
pub use web::{GuardedWeb, InstalledEngines, PAGE};

/// Runs an engine function with these modules until Lambda ends it, until a document requires a fresh process, or, in a
/// child process, the sandboxed engine. Call it first in `main`.
#[must_use]
pub fn main(function: EngineFunction, modules: Modules) -> ExitCode {
    if let Some(code) = engine::child(modules) {
        return code;
    }
    // Before threads exist and anything is allocated from the environment.
    let removed = environment::restart_without_credentials();
    runtime::telemetry::init();
    if let Err(error) = removed {
        tracing::warn!(%error, "credentials remain in the environment");
    }
    match start(function, modules) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, function = function.name(), "engine function failed to start");
            ExitCode::FAILURE
        }
    }
}

fn start(function: EngineFunction, modules: Modules) -> Result<(), runtime::Error> {
    let scratch_base = std::env::temp_dir();
    let engines = start::engines(function, modules, &scratch_base)?;
    serve(function, engines, scratch_base)
}

#[tokio::main(flavor = "current_thread")]
async fn serve(
    function: EngineFunction,
    engines: Engines,
    scratch_base: PathBuf,
) -> Result<(), runtime::Error> {
    let engines = match function {
        EngineFunction::EngineWeb => web::with_web(engines, &scratch_base)?,
        _ => engines,
    };
    let handler = Handler::new(
        InstalledEngines::new(engines),
        ObjectStore::new()?,
        scratch_base,
    );
    runtime::invocation::serve(|invocation| handler.handle(invocation)).await
}
