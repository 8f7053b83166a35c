//! Sets the rlimits of the child (setrlimit(2)).

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::channel::Rlimits;
use crate::strays::MESSAGE_QUEUE_LIMIT;

/// Sets the limits; none can be raised again.
pub(super) fn apply(limits: &Rlimits) -> rustix::io::Result<()> {
    // The soft limit sends SIGXCPU, which identifies the reason; the hard limit, one second later, SIGKILL.
    set(Resource::Cpu, limits.cpu, limits.cpu.saturating_add(1))?;
    set(Resource::As, limits.address_space, limits.address_space)?;
    set(Resource::Fsize, limits.file_size, limits.file_size)?;
    set(Resource::Nofile, limits.open_files, limits.open_files)?;
    set(Resource::Msgqueue, MESSAGE_QUEUE_LIMIT, MESSAGE_QUEUE_LIMIT)?;
    set(Resource::Core, 0, 0)
}

/// Sets a limit, capped at the current hard limit. [`u64::MAX`] means unlimited.
fn set(resource: Resource, soft: u64, hard: u64) -> rustix::io::Result<()> {
    let ceiling = getrlimit(resource).maximum.unwrap_or(u64::MAX);
    let capped = |limit: u64| Some(limit.min(ceiling)).filter(|limit| *limit != u64::MAX);
    let limit = Rlimit {
        current: capped(soft),
        maximum: capped(hard),
    };
    setrlimit(resource, limit)
}
