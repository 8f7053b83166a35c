//! Protects the parent's memory and environment from its children.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::process::{
    DumpableBehavior, Resource, Rlimit, geteuid, set_dumpable_behavior, setrlimit,
};

/// What protects this process from being read by other processes of the same user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hardening {
    /// It is not dumpable: `/proc/PID/environ` and `/proc/PID/mem` are closed to others, and none can trace it.
    pub not_dumpable: bool,
    /// It writes no core dump.
    pub no_core_dumps: bool,
}

/// Makes this process non-dumpable, hence unreadable for other processes of the same user, and disables core dumps. A
/// process with secrets calls it first, after [`crate::child::enter`]: otherwise a child without Landlock could read
/// credentials from `/proc/<parent>/environ`.
///
/// Never fails: where the platform refuses `prctl`, only a program whose file is execute-only is not dumpable.
pub fn harden_parent() -> Hardening {
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    let is_set = set_dumpable_behavior(DumpableBehavior::NotDumpable).is_ok();
    Hardening {
        not_dumpable: is_set || is_closed_to_its_user(),
        no_core_dumps: setrlimit(Resource::Core, none).is_ok(),
    }
}

/// Whether the kernel has given the files of this process in /proc to root because it is not dumpable [proc(5)]. `false` for
/// root, which owns them in either case.
fn is_closed_to_its_user() -> bool {
    let owner = std::fs::metadata(Path::new("/proc/self/environ")).map(|found| found.uid());
    owner.is_ok_and(|owner| owner != geteuid().as_raw())
}
