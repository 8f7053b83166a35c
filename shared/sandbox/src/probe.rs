//! Detects which layers of confinement this kernel grants, by a trial.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::channel::Task;
use crate::containment::Containment;
use crate::error::SandboxError;
use crate::job::{Job, Limits, Network, Work};
use crate::launcher::Launcher;
use crate::run::run_task;

/// Starts a throw-away child and reports how well it was confined.
///
/// # Errors
/// [`SandboxError`] if the child could not be started or did not report. A weak confinement is no error.
pub fn probe(launcher: &Launcher) -> Result<Containment, SandboxError> {
    let job = Job {
        work: Work::Entry {
            name: "probe".to_owned(),
            request: serde_json::Value::Null,
        },
        scratch: Path::new("/"),
        readable: &[],
        network: Network::Nothing,
        limits: Limits::default(),
    };
    let launcher = launcher.clone().allow_weak(true);
    let never = AtomicBool::new(false);
    run_task(&launcher, &job, Task::Probe, &never).map(|(_, containment)| containment)
}
