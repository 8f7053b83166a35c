//! Applies every confinement layer that the platform grants; each one must come before those that would deny it.

use std::os::fd::{AsFd as _, OwnedFd};

use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketType, socket};
use rustix::process::{
    Pid, Signal, chdir, getpgrp, getpid, getppid, set_parent_process_death_signal, umask,
};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set, set_capabilities,
    set_no_new_privs,
};

use super::layer::granted;
use super::{filesystem, limits, syscalls};
use crate::channel::ChildSetup;
use crate::containment::Containment;
use crate::unchecked;

/// Confines this process. On `Err` the work must not start; a layer that is not granted is no error.
pub(super) fn confine(
    setup: &ChildSetup,
    lifeline: Option<OwnedFd>,
) -> Result<Containment, String> {
    require_single_thread()?;
    let ends_with_parent = end_with_parent(setup.parent, lifeline)?;
    umask(Mode::RWXG | Mode::RWXO);
    chdir(&setup.scratch)
        .map_err(|errno| format!("cannot enter the scratch directory: {errno}"))?;
    let resource_limits = granted("limits", limits::apply(&setup.limits))?.is_some();
    Ok(Containment {
        ends_with_parent,
        resource_limits,
        ..restrict(setup)?
    })
}

/// Fails if there are several threads: seccomp and Landlock apply to the calling thread and its descendants only.
fn require_single_thread() -> Result<(), String> {
    match thread_names().len() {
        1 => Ok(()),
        threads => Err(format!("expected one thread, found {threads}")),
    }
}

/// The names of this process's threads; empty if they cannot be listed.
#[must_use]
pub fn thread_names() -> Vec<String> {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let names = threads.flatten().map(|thread| {
        let name = std::fs::read_to_string(thread.path().join("comm"));
        name.unwrap_or_default().trim_end().to_owned()
    });
    names.collect()
}

/// Makes the kernel end this process with its parent, by the parent-death signal or else by the lifeline, and checks that
/// the process leads its own group. Returns whether it does; otherwise the CPU time limit ends an orphan.
fn end_with_parent(parent: u32, lifeline: Option<OwnedFd>) -> Result<bool, String> {
    let by_signal = set_parent_process_death_signal(Some(Signal::KILL)).is_ok();
    let by_lifeline = lifeline.filter(|_| !by_signal).is_some_and(|lifeline| {
        let is_set = unchecked::kill_on_hangup(lifeline.as_fd(), getpid()).is_ok();
        // It must stay open until the process ends.
        std::mem::forget(lifeline);
        is_set
    });
    let found = getppid().map(Pid::as_raw_nonzero);
    if found.map(|pid| pid.get().cast_unsigned()) != Some(parent) {
        return Err("the parent has ended".to_owned());
    }
    if getpgrp() != getpid() {
        return Err("not the leader of a process group".to_owned());
    }
    Ok(by_signal || by_lifeline)
}

/// Applies the layers that a kernel may lack, and queries the kernel for those in force.
fn restrict(setup: &ChildSetup) -> Result<Containment, String> {
    drop_capabilities()?;
    granted("no_new_privs", set_no_new_privs(true))?;
    // Read before Landlock; it cannot be unset.
    let no_new_privs = has_no_new_privs();
    let landlock_abi = filesystem::restrict(setup)?;
    let seccomp = syscalls::restrict(setup)?;
    Ok(Containment {
        no_new_privs,
        no_capabilities: capabilities(None).is_ok_and(|sets| sets.permitted.is_empty()),
        seccomp,
        landlock_abi,
        network_refused: network_is_refused(),
        ..Containment::default()
    })
}

/// Whether `no_new_privs` is set, by this process or by the platform. Not queried with `prctl`, which may be refused.
fn has_no_new_privs() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    lines.any(|line| line.strip_prefix("NoNewPrivs:").map(str::trim) == Some("1"))
}

/// Drops all capabilities. Root without capabilities has no power over processes and files of others, and with
/// `no_new_privs` cannot regain them by executing a program.
fn drop_capabilities() -> Result<(), String> {
    granted("ambient capabilities", clear_ambient_capability_set())?;
    let none = CapabilitySet::empty();
    let sets = CapabilitySets {
        effective: none,
        permitted: none,
        inheritable: none,
    };
    granted("capabilities", set_capabilities(None, sets))?;
    Ok(())
}

/// Whether our seccomp filter denies internet and netlink sockets: only its EACCES counts, not the error of a kernel that
/// lacks these sockets.
fn network_is_refused() -> bool {
    [
        AddressFamily::INET,
        AddressFamily::INET6,
        AddressFamily::NETLINK,
    ]
    .into_iter()
    .all(|family| socket(family, SocketType::DGRAM, None).err() == Some(Errno::ACCESS))
}
