//! The confinement layers that are in force in a child.

use serde::{Deserialize, Serialize};

/// The confinement layers that depend on the kernel. Resource limits and process group are always in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Containment {
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

    /// Whether the child's network access is limited to its job's proxy, if any. Required unless something else, such as a
    /// subnet without a route, contains the network.
    #[must_use]
    pub fn network_is_contained(&self) -> bool {
        self.seccomp && self.network_refused
    }
}
