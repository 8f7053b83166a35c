//! The confinement layers that are in force in a child.

use serde::{Deserialize, Serialize};

/// The confinement layers that depend on the kernel, or on the platform's own seccomp filter. The process group is always in
/// force, and so is the parent's monitoring of time, memory and disk space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Containment {
    /// The kernel kills the process group when the parent ends.
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
    /// The containment of a child that was killed before it reported.
    pub(crate) fn not_reported() -> Self {
        Self::default()
    }

    /// Whether the kernel limits the child's network access to its job's proxy, if any. Where it does not, only the platform
    /// can contain the network, such as a function without rights in a subnet without a route.
    #[must_use]
    pub fn network_is_contained(&self) -> bool {
        self.seccomp && self.network_refused
    }
}
