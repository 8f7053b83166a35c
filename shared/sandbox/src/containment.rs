//! The confinement layers that are in force in a child.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// The layers of the first child.
static FIRST: OnceLock<Containment> = OnceLock::new();

/// The confinement layers that depend on the kernel, or on the platform's own seccomp filter. The process group is always in
/// force, and so is the parent's monitoring of time, memory and disk space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Containment {
    /// The kernel ends the child with its parent: by a signal to the leader, or by the lifeline of the whole group.
    pub ends_with_parent: bool,
    /// The kernel enforces the resource limits of each process (setrlimit).
    pub resource_limits: bool,
    /// `no_new_privs` is set: executed programs gain no privileges.
    pub no_new_privs: bool,
    /// The child has no capabilities, even as root.
    pub no_capabilities: bool,
    /// All seccomp filters are installed.
    pub seccomp: bool,
    /// The Landlock ABI version in force; 0 if none.
    pub landlock_abi: u32,
    /// A trial to create internet datagram sockets and a netlink socket was denied.
    pub network_refused: bool,
}

impl Containment {
    /// Logs if a child has other layers than the first child of this process.
    pub(crate) fn report_difference(self) {
        let first = FIRST.get_or_init(|| self);
        if self != *first {
            tracing::error!(?first, found = ?self, "a child has other confinement layers");
        }
    }

    /// Whether seccomp keeps children in one process, as far as children of this process have reported.
    pub(crate) fn limits_processes() -> bool {
        FIRST.get().is_some_and(|first| first.seccomp)
    }
}
