//! Start-up of a processor: hides its secrets from child processes, probes the sandbox and discovers the engines.

use std::path::Path;

use domain::processor::Processor;
use engine::{EngineError, Engines, Modules};
use sandbox::{Containment, Launcher, SandboxError};
use thiserror::Error;

/// Environment variable: `true` if the network is isolated by other means than the kernel, such as a subnet without routes.
const ALLOW_WEAK_SANDBOX: &str = "ALLOW_WEAK_SANDBOX";

/// Error that prevents a processor from starting.
#[derive(Debug, Error)]
pub enum StartError {
    /// The sandbox does not work at all.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// Child processes could reach the network.
    #[error(
        "the kernel does not isolate engines from the network; isolate the function and set {ALLOW_WEAK_SANDBOX}=true"
    )]
    NetworkNotContained,
    /// An engine is missing or does not work.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Probes the sandbox and returns the processor's engines. Blocks.
///
/// # Errors
/// [`StartError`]; a processor that cannot sandbox its engines must not take tickets.
pub(crate) fn confined_engines(
    (processor, modules): (Processor, Modules),
    scratch_base: &Path,
) -> Result<Engines, StartError> {
    sandbox::harden_parent()?;
    remove_stale_scratch(scratch_base);
    let launcher = Launcher::current();
    let containment = sandbox::probe(&launcher)?;
    tracing::info!(?containment, "sandbox probed");
    let weak = !is_contained(&containment, allows_weak())?;
    let engines = Engines::discover(launcher.allow_weak(weak), modules, &[processor])?;
    engines.warm_up()?;
    Ok(engines)
}

/// Removes scratch directories of killed processes. A failure is only logged, because child processes cannot read them.
fn remove_stale_scratch(scratch_base: &Path) {
    match sandbox::remove_stale_scratch(scratch_base) {
        Ok(0) => {}
        Ok(count) => tracing::warn!(count, "removed scratch directories of killed processes"),
        Err(error) => tracing::error!(%error, "stale scratch directories could not be removed"),
    }
}

fn allows_weak() -> bool {
    std::env::var(ALLOW_WEAK_SANDBOX).is_ok_and(|value| value == "true")
}

/// Returns whether the kernel isolates child processes from the network; an error if it does not and the weak sandbox is not
/// allowed.
fn is_contained(containment: &Containment, allows_weak: bool) -> Result<bool, StartError> {
    if containment.network_is_contained() {
        return Ok(true);
    }
    tracing::error!("weak sandbox: the kernel does not isolate engines from the network");
    tracing::info!(target: "metrics", WeakSandbox = 1_u64);
    match allows_weak {
        true => Ok(false),
        false => Err(StartError::NetworkNotContained),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weak_sandbox_must_be_allowed_explicitly() {
        let strong = Containment {
            seccomp: true,
            network_refused: true,
            ..Containment::default()
        };
        let weak = Containment {
            network_refused: false,
            ..strong
        };
        assert!(is_contained(&strong, false).unwrap());
        assert!(!is_contained(&weak, true).unwrap());
        assert!(matches!(
            is_contained(&weak, false),
            Err(StartError::NetworkNotContained)
        ));
    }
}
