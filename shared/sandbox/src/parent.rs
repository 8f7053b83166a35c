//! Protects the parent's memory and environment from its children.

use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};

use crate::error::SandboxError;

/// Makes this process non-dumpable, hence unreadable for other processes of the same user, and disables core dumps. A
/// process with secrets calls it first, after [`crate::child::enter`]: otherwise a child without Landlock could read
/// credentials from `/proc/<parent>/environ`.
///
/// # Errors
/// [`SandboxError::Harden`] if a system call fails.
pub fn harden_parent() -> Result<(), SandboxError> {
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .and_then(|()| setrlimit(Resource::Core, none))
        .map_err(|errno| SandboxError::Harden(errno.into()))
}
