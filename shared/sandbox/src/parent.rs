//! Keeps what the parent knows from its children.

use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};

use crate::error::SandboxError;

/// Makes this process unreadable for others of the same user and forbids core dumps. A processor calls it first thing,
/// after [`crate::child::enter`]: without it a child without Landlock reads credentials from `/proc/<parent>/environ`.
///
/// # Errors
/// [`SandboxError::Harden`] if the kernel refuses.
pub fn harden_parent() -> Result<(), SandboxError> {
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .and_then(|()| setrlimit(Resource::Core, none))
        .map_err(|errno| SandboxError::Harden(errno.into()))
}
