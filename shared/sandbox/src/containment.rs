//! The layers of a child's confinement that are in force.

use serde::{Deserialize, Serialize};

/// The layers that hold a child, beside resource limits and the process group, which always do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Containment {
    /// No program that the child executes gains privileges.
    pub no_new_privs: bool,
    /// The child has no capabilities, whoever its user is.
    pub no_capabilities: bool,
    /// The filters of system calls are in force.
    pub seccomp: bool,
    /// Version of the Landlock interface that is in force; 0 if none.
    pub landlock_abi: u32,
    /// The child tried to make an internet socket for datagrams, and one to the kernel's routing, and was refused.
    pub network_refused: bool,
}

impl Containment {
    /// What is known of a child that was killed before it could report.
    pub(crate) fn not_reported() -> Self {
        Self::default()
    }

    /// Whether a child can reach nothing over a network but the proxy that its job names, which is required wherever nothing else sees to it.
    #[must_use]
    pub fn network_is_contained(&self) -> bool {
        self.seccomp && self.network_refused
    }
}
