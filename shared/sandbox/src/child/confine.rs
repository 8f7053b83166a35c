//! Puts every layer of the confinement in force, in the order in which each still can be.

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
use crate::channel::Description;
use crate::containment::Containment;

/// Confines this process; on `Err` the work must not begin.
pub(super) fn confine(description: &Description) -> Result<Containment, String> {
    refuse_threads()?;
    follow_parent(description.parent)?;
    umask(Mode::RWXG | Mode::RWXO);
    chdir(&description.scratch).map_err(|errno| format!("cannot enter the scratch: {errno}"))?;
    limits::apply(&description.limits).map_err(|errno| format!("cannot set limits: {errno}"))?;
    let containment = restrict(description);
    if containment.network_is_contained() || description.allow_weak {
        Ok(containment)
    } else {
        Err("the kernel does not let the network be contained".to_owned())
    }
}

/// Seccomp and Landlock hold a thread and those that it starts later, not its siblings.
fn refuse_threads() -> Result<(), String> {
    match thread_names().len() {
        1 => Ok(()),
        threads => Err(format!("expected one thread, found {threads}")),
    }
}

/// The names of this process's threads; none if that cannot be told.
#[must_use]
pub fn thread_names() -> Vec<String> {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let names = threads.flatten().map(|thread| {
        let name = std::fs::read_to_string(thread.path().join("comm"));
        name.unwrap_or_default().trim_end().to_owned()
    });
    names.collect()
}

/// Dies with the parent, as leader of a group of its own.
fn follow_parent(parent: u32) -> Result<(), String> {
    // Refused by some container runtimes; the limit of processor time still ends an orphan there.
    set_parent_process_death_signal(Some(Signal::KILL)).ok();
    let found = getppid().map(Pid::as_raw_nonzero);
    if found.map(|pid| pid.get().cast_unsigned()) != Some(parent) {
        return Err("the parent is gone".to_owned());
    }
    if getpgrp() != getpid() {
        return Err("not the leader of a process group".to_owned());
    }
    Ok(())
}

/// The layers that a kernel may lack; what holds in the end is asked of the kernel, not remembered.
fn restrict(description: &Description) -> Containment {
    drop_capabilities();
    set_no_new_privs(true).ok();
    let landlock_abi = filesystem::restrict(description);
    let seccomp = syscalls::restrict(description);
    Containment {
        no_new_privs: no_new_privs().unwrap_or(false),
        no_capabilities: capabilities(None).is_ok_and(|sets| sets.permitted.is_empty()),
        seccomp,
        landlock_abi,
        network_refused: network_is_refused(),
    }
}

/// Root without capabilities is as powerless over others' processes and files as anybody, and cannot get them back by
/// executing a program, as there are no new privileges.
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

/// Whether each family of sockets that leaves the process's machine is refused by a filter, not merely absent.
fn network_is_refused() -> bool {
    [
        AddressFamily::INET,
        AddressFamily::INET6,
        AddressFamily::NETLINK,
    ]
    .into_iter()
    .all(|family| socket(family, SocketType::DGRAM, None).err() == Some(Errno::ACCESS))
}
