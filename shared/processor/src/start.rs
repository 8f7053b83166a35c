//! What a processor does before its first document: keeps its secrets from its children and makes sure that they are
//! confined.

use std::path::Path;

use domain::processor::Processor;
use engine::{EngineError, Engines, Modules};
use sandbox::{Containment, Launcher, SandboxError};
use thiserror::Error;

/// Set to `true` where something other than the kernel keeps children off the network, such as a subnet without a route.
const ALLOW_WEAK_SANDBOX: &str = "ALLOW_WEAK_SANDBOX";

/// Why a processor does not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The sandbox does not work at all.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// Children could reach the network.
    #[error(
        "the kernel does not keep engines off the network; isolate the function and set {ALLOW_WEAK_SANDBOX}=true"
    )]
    NetworkNotContained,
    /// An engine is missing or does not work.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// The engines of a processor, behind a sandbox that was tried out. Blocks.
///
/// # Errors
/// [`StartError`]; a processor that cannot confine its engines must not take a ticket.
pub(crate) fn confined_engines(
    (processor, modules): (Processor, Modules),
    scratch_base: &Path,
) -> Result<Engines, StartError> {
    sandbox::harden_parent()?;
    wipe_leftovers(scratch_base);
    let launcher = Launcher::current();
    let containment = sandbox::probe(&launcher)?;
    tracing::info!(?containment, "sandbox probed");
    let weak = !is_contained(&containment, weak_is_allowed())?;
    let engines = Engines::discover(launcher.allow_weak(weak), modules, &[processor])?;
    engines.warm_up()?;
    Ok(engines)
}

/// A process that was killed could not wipe its scratch. What cannot be removed now is out of reach of the children.
fn wipe_leftovers(scratch_base: &Path) {
    match sandbox::sweep_leftovers(scratch_base) {
        Ok(0) => {}
        Ok(count) => tracing::warn!(count, "removed scratch directories of killed processes"),
        Err(error) => tracing::error!(%error, "scratch directories left behind"),
    }
}

fn weak_is_allowed() -> bool {
    std::env::var(ALLOW_WEAK_SANDBOX).is_ok_and(|value| value == "true")
}

/// Whether the kernel keeps children off the network; an error where it does not and nothing else is said to.
fn is_contained(containment: &Containment, weak_is_allowed: bool) -> Result<bool, StartError> {
    if containment.network_is_contained() {
        return Ok(true);
    }
    tracing::error!("weak sandbox: the kernel does not keep engines off the network");
    tracing::info!(target: "metrics", WeakSandbox = 1_u64);
    match weak_is_allowed {
        true => Ok(false),
        false => Err(StartError::NetworkNotContained),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_is_not_contained_must_be_allowed_in_so_many_words() {
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
