//! Detects which confinement layers this kernel supports, by starting a child.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::channel::Task;
use crate::containment::Containment;
use crate::error::SandboxError;
use crate::job::{Job, Limits, Network, Work};
use crate::launcher::Launcher;
use crate::run::run_task;

/// Starts a child without work and returns its containment.
///
/// # Errors
/// [`SandboxError`] if the child could not be started or did not report. A weak containment is not an error.
pub fn probe(launcher: &Launcher) -> Result<Containment, SandboxError> {
    let job = Job {
        work: Work::Entry {
            name: "probe".to_owned(),
            request: serde_json::Value::Null,
        },
        scratch: Path::new("/"),
        readable: &[],
        network: Network::None,
        limits: Limits::default(),
    };
    let never = AtomicBool::new(false);
    run_task(launcher, &job, Task::Probe, &never).map(|(_, containment)| containment)
}
