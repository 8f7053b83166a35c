//! Applies every confinement layer; each one must come before those that would deny it.

use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketType, socket};
use rustix::process::{
    Pid, Signal, chdir, getpgrp, getpid, getppid, set_parent_process_death_signal, umask,
};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set, no_new_privs,
    set_capabilities, set_no_new_privs,
};

use super::{filesystem, limits, syscalls};
use crate::channel::ChildSetup;
use crate::containment::Containment;

/// Confines this process. On `Err` the work must not start.
pub(super) fn confine(setup: &ChildSetup) -> Result<Containment, String> {
    require_single_thread()?;
    die_with_parent(setup.parent)?;
    umask(Mode::RWXG | Mode::RWXO);
    chdir(&setup.scratch)
        .map_err(|errno| format!("cannot enter the scratch directory: {errno}"))?;
    limits::apply(&setup.limits).map_err(|errno| format!("cannot set limits: {errno}"))?;
    let containment = restrict(setup);
    if containment.network_is_contained() || setup.allow_weak {
        Ok(containment)
    } else {
        Err("this kernel cannot deny network access".to_owned())
    }
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

/// Sets the parent-death signal and checks that this process leads its own group.
fn die_with_parent(parent: u32) -> Result<(), String> {
    // Some container runtimes deny it; there, the CPU time limit ends an orphan.
    set_parent_process_death_signal(Some(Signal::KILL)).ok();
    let found = getppid().map(Pid::as_raw_nonzero);
    if found.map(|pid| pid.get().cast_unsigned()) != Some(parent) {
        return Err("the parent has ended".to_owned());
    }
    if getpgrp() != getpid() {
        return Err("not the leader of a process group".to_owned());
    }
    Ok(())
}

/// Applies the layers that a kernel may lack, and queries the kernel for those in force.
fn restrict(setup: &ChildSetup) -> Containment {
    drop_capabilities();
    set_no_new_privs(true).ok();
    let landlock_abi = filesystem::restrict(setup);
    let seccomp = syscalls::restrict(setup);
    Containment {
        no_new_privs: no_new_privs().unwrap_or(false),
        no_capabilities: capabilities(None).is_ok_and(|sets| sets.permitted.is_empty()),
        seccomp,
        landlock_abi,
        network_refused: network_is_refused(),
    }
}

/// Drops all capabilities. Root without capabilities has no power over processes and files of others, and with
/// `no_new_privs` cannot regain them by executing a program.
fn drop_capabilities() {
    clear_ambient_capability_set().ok();
    let none = CapabilitySet::empty();
    let sets = CapabilitySets {
        effective: none,
        permitted: none,
        inheritable: none,
    };
    set_capabilities(None, sets).ok();
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
