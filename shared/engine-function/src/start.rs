//! Start-up: ends what earlier processes have left behind, hides the memory from child processes, reports the containment,
//! and discovers the engines.

use std::path::Path;

use domain::engine_function::EngineFunction;
use engine::{EngineError, Engines, Modules};
use sandbox::{Containment, Hardening, Launcher};

/// Returns the engines of a function, with their zygotes started. Waits for none of them: Lambda allows ten seconds, and disks
/// are cold.
///
/// # Errors
/// [`EngineError`] if an engine is missing, or if processes of an earlier document cannot be ended.
pub(crate) fn engines(
    function: EngineFunction,
    modules: Modules,
    scratch_base: &Path,
) -> Result<Engines, EngineError> {
    let hardening = sandbox::harden_parent();
    sandbox::end_left_behind()?;
    remove_stale_scratch(scratch_base);
    let launcher = Launcher::current();
    let engines = Engines::discover(launcher.clone(), modules, &[function])?;
    engines.warm_up()?;
    report(function, hardening, containment(&launcher));
    Ok(engines)
}

/// The layers that are in force in a child; none if the probe fails, which is only logged, because containment is defense in
/// depth: the function has no rights to steal.
fn containment(launcher: &Launcher) -> Containment {
    sandbox::probe(launcher).unwrap_or_else(|error| {
        tracing::error!(%error, "the containment of engines cannot be probed");
        Containment::default()
    })
}

/// Logs the containment and emits it as metrics, one per layer: Lambda grants other layers than a development machine, and
/// may change them at any time.
fn report(function: EngineFunction, hardening: Hardening, containment: Containment) {
    tracing::info!(?hardening, ?containment, "containment of engines");
    tracing::info!(
        target: "metrics",
        function = function.name(),
        ParentNotDumpable = u64::from(hardening.not_dumpable),
        EndsWithParent = u64::from(containment.ends_with_parent),
        ResourceLimits = u64::from(containment.resource_limits),
        NoNewPrivileges = u64::from(containment.no_new_privs),
        NoCapabilities = u64::from(containment.no_capabilities),
        Seccomp = u64::from(containment.seccomp),
        LandlockAbi = u64::from(containment.landlock_abi),
        NetworkRefused = u64::from(containment.network_refused),
    );
}

/// Removes scratch directories of killed processes. A failure is only logged.
fn remove_stale_scratch(scratch_base: &Path) {
    match sandbox::remove_stale_scratch(scratch_base) {
        Ok(0) => {}
        Ok(count) => tracing::warn!(count, "removed scratch directories of killed processes"),
        Err(error) => tracing::error!(%error, "stale scratch directories could not be removed"),
    }
}
