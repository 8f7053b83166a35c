//! The few system calls that no safe wrapper offers.
#![expect(
    unsafe_code,
    reason = "close_range and signal can break code that relies on a descriptor or a handler, so they have no safe wrapper; \
              the child calls them while it owns neither. A fork takes one thread along and leaves the others' locks held, \
              so it has none either; it is made only where there is one thread, and so are changes of the environment. The wrapper of getpgid asserts too much"
)]

use std::ffi::OsStr;
use std::io;

use rustix::process::Pid;

/// Closes every file descriptor above standard error.
///
/// Only for the start of a process, before anything owns a descriptor.
pub(crate) fn close_inherited_descriptors() -> io::Result<()> {
    const FIRST: libc::c_uint = 3;
    // SAFETY: the call takes three integers. The caller is at the start of `main`, where nothing owns a descriptor above 2.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, 0) };
    if closed == 0 {
        return Ok(());
    }
    // Kernels before 5.9 do not know the call.
    close_listed_descriptors(FIRST.cast_signed())
}

fn close_listed_descriptors(first: libc::c_int) -> io::Result<()> {
    // Collected first: the descriptor of the listing itself is in the list, and is closed when the listing ends.
    let listed: Vec<libc::c_int> = std::fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    for descriptor in listed.into_iter().filter(|number| *number >= first) {
        // SAFETY: as above, nothing owns these; closing one that is closed already only fails.
        unsafe { libc::close(descriptor) };
    }
    Ok(())
}

/// Splits this process in two; the identifier of the new one in this one, `None` in the new one.
///
/// Only where there is one thread: of others the new process would have the locks, but not who lets go of them.
pub(crate) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: the call takes nothing; the caller has made sure of the one thread, so that every lock is free.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        child => Ok(Pid::from_raw(child)),
    }
}

/// The same, but the new process is a child of this one's parent.
///
/// The C library is not told. What it does at a fork beside that call is for other threads, of which there are none.
pub(crate) fn fork_sibling() -> io::Result<Option<Pid>> {
    const FLAGS: libc::c_long = (libc::CLONE_PARENT | libc::SIGCHLD) as libc::c_long;
    const NONE: libc::c_long = 0;
    // SAFETY: without a stack of its own, the new process goes on with a copy of this one's memory; the caller has made sure
    // of the one thread, so that every lock is free.
    let child = unsafe { libc::syscall(libc::SYS_clone, FLAGS, NONE, NONE, NONE, NONE) };
    match libc::pid_t::try_from(child) {
        Ok(-1) | Err(_) => Err(io::Error::last_os_error()),
        Ok(child) => Ok(Pid::from_raw(child)),
    }
}

/// Sets a variable of the environment; only where there is one thread, as in a fork that has just begun.
#[expect(
    clippy::disallowed_methods,
    reason = "threads share an environment, and here there is one"
)]
pub(crate) fn set_variable(name: &OsStr, value: &OsStr) {
    // SAFETY: there is no other thread that could read the environment meanwhile; the caller has made sure of that.
    unsafe { std::env::set_var(name, value) };
}

/// Ends this process at once, without what libraries do at the end: they would do it for the process that it was split
/// off, too.
pub fn end(code: i32) -> ! {
    // SAFETY: the call takes an integer and does not return.
    unsafe { libc::_exit(code) }
}

/// Signals of defects and of requests to end, for which libraries put handlers up.
const DEFECTS: [libc::c_int; 10] = [
    libc::SIGABRT,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGSEGV,
    libc::SIGTRAP,
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGTERM,
];

/// Lets the signals of exceeded limits end the process, whatever the parent was started with.
pub(crate) fn restore_limit_signals() {
    restore(&[libc::SIGXCPU, libc::SIGXFSZ]);
}

/// Lets signals end a fork, whatever its parent's libraries would do about them: they would hide how it ended.
pub(crate) fn restore_defect_signals() {
    restore(&DEFECTS);
}

fn restore(signals: &[libc::c_int]) {
    for signal in signals {
        // SAFETY: restoring the default action installs no handler, so nothing of ours can run in a signal's context.
        unsafe { libc::signal(*signal, libc::SIG_DFL) };
    }
}

/// The process group of a process; `None` if there is no such process, 0 for the kernel's own.
///
/// `rustix` has it, but asserts that no process is in group 0.
pub(crate) fn group_of(pid: libc::pid_t) -> Option<libc::pid_t> {
    // SAFETY: the call takes an integer and touches no memory.
    let group = unsafe { libc::getpgid(pid) };
    (group >= 0).then_some(group)
}
