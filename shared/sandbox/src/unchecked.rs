//! System calls without a safe wrapper.
#![expect(
    unsafe_code,
    reason = "close_range and signal have no safe wrapper, because they can break code that relies on a descriptor or a \
              handler; the child calls them while it owns neither. F_SETSIG and the adoption of an inherited descriptor have \
              none. fork has none, because locks held by other threads stay locked in the new process; only single-threaded \
              processes fork or change the environment. The wrapper of getpgid asserts too much"
)]

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};

use rustix::process::Pid;

/// Closes every file descriptor above standard error except `kept`.
///
/// Call it only at the start of a process, before anything else owns a descriptor.
pub(crate) fn close_inherited_descriptors(kept: &[BorrowedFd<'_>]) -> io::Result<()> {
    const FIRST: RawFd = 3;
    let mut kept: Vec<RawFd> = kept.iter().map(AsRawFd::as_raw_fd).collect();
    kept.sort_unstable();
    let mut first = FIRST;
    for end in kept.iter().copied().chain([RawFd::MAX]) {
        if first < end && !close_range(first, end - 1) {
            return close_listed_descriptors(FIRST, &kept);
        }
        first = end.saturating_add(1);
    }
    Ok(())
}

/// Whether the descriptors were closed: kernels before 5.9 do not have close_range.
fn close_range(first: RawFd, last: RawFd) -> bool {
    // SAFETY: the call takes three integers. The caller is at the start of `main`, where nothing owns these descriptors.
    unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) == 0 }
}

fn close_listed_descriptors(first: RawFd, kept: &[RawFd]) -> io::Result<()> {
    // Collect first: the list contains the descriptor of the listing itself, which is closed at its end.
    let listed: Vec<RawFd> = std::fs::read_dir("/proc/self/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    let closed = |number: &RawFd| *number >= first && !kept.contains(number);
    for descriptor in listed.into_iter().filter(closed) {
        // SAFETY: as above, nothing owns these; closing a closed descriptor only fails.
        unsafe { libc::close(descriptor) };
    }
    Ok(())
}

/// A descriptor that this process has inherited, if it is open. Call it at most once for a number, at the start of a process.
pub(crate) fn inherited_descriptor(number: RawFd) -> Option<OwnedFd> {
    // SAFETY: the call takes two integers; nothing else owns the descriptor at the start of `main`.
    unsafe {
        let is_open = libc::fcntl(number, libc::F_GETFD) != -1;
        is_open.then(|| OwnedFd::from_raw_fd(number))
    }
}

/// Makes the kernel send SIGKILL to a process group of this user when the last write end of a pipe is closed, for as long as
/// a process keeps this read end open.
pub(crate) fn kill_on_hangup(pipe: BorrowedFd<'_>, group: Pid) -> io::Result<()> {
    /// `linux/fcntl.h`.
    const F_SETSIG: libc::c_int = 10;
    let group = -group.as_raw_nonzero().get();
    for (command, value) in [
        (libc::F_SETOWN, group),
        (F_SETSIG, libc::SIGKILL),
        (libc::F_SETFL, libc::O_ASYNC),
    ] {
        // SAFETY: the calls take three integers.
        if unsafe { libc::fcntl(pipe.as_raw_fd(), command, value) } == -1 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Forks this process. Returns the child's process id in the parent and `None` in the child.
///
/// Only for single-threaded processes: locks held by other threads would never be released in the child.
pub(crate) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: the call takes no arguments; the caller guarantees a single thread, so no lock is held by another thread.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        child => Ok(Pid::from_raw(child)),
    }
}

/// Forks this process as a child of this process's parent (`CLONE_PARENT`).
///
/// The raw system call skips the fork handlers of the C library, which only matter with several threads.
pub(crate) fn fork_sibling() -> io::Result<Option<Pid>> {
    const FLAGS: libc::c_long = (libc::CLONE_PARENT | libc::SIGCHLD) as libc::c_long;
    const NONE: libc::c_long = 0;
    // SAFETY: with a null stack the new process continues on a copy of this process's memory; the caller guarantees a single
    // thread, so no lock is held by another thread.
    let child = unsafe { libc::syscall(libc::SYS_clone, FLAGS, NONE, NONE, NONE, NONE) };
    match libc::pid_t::try_from(child) {
        Ok(-1) | Err(_) => Err(io::Error::last_os_error()),
        Ok(child) => Ok(Pid::from_raw(child)),
    }
}

/// Sets an environment variable; only in a single-threaded process, such as a new fork.
#[expect(
    clippy::disallowed_methods,
    reason = "threads share the environment, and here there is one thread"
)]
pub(crate) fn set_variable(name: &OsStr, value: &OsStr) {
    // SAFETY: the caller guarantees that no other thread can read the environment.
    unsafe { std::env::set_var(name, value) };
}

/// Exits immediately without running exit handlers (`_exit`): in a fork, these would act on state shared with the parent.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: the call takes an integer and does not return.
    unsafe { libc::_exit(code) }
}

/// Signals for crashes and termination, for which libraries install handlers.
const CRASH_SIGNALS: [libc::c_int; 10] = [
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

/// Restores the default action of SIGXCPU and SIGXFSZ, so that exceeded limits end the process even if the parent ignores
/// these signals.
pub(crate) fn restore_limit_signals() {
    restore(&[libc::SIGXCPU, libc::SIGXFSZ]);
}

/// Restores the default action of crash signals in a fork: handlers of the parent's libraries would hide how it ended.
pub(crate) fn restore_crash_signals() {
    restore(&CRASH_SIGNALS);
}

fn restore(signals: &[libc::c_int]) {
    for signal in signals {
        // SAFETY: restoring the default action installs no handler, so no code runs in signal context.
        unsafe { libc::signal(*signal, libc::SIG_DFL) };
    }
}

/// The process group of a process; `None` if the process does not exist, 0 for kernel threads.
///
/// The wrapper in `rustix` asserts that no process is in group 0.
pub(crate) fn group_of(pid: libc::pid_t) -> Option<libc::pid_t> {
    // SAFETY: the call takes an integer and touches no memory.
    let group = unsafe { libc::getpgid(pid) };
    (group >= 0).then_some(group)
}
