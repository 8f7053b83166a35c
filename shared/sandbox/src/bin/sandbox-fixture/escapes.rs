//! Indirect ways to signal another process or to start a sibling, without the usual system calls.
#![expect(
    unsafe_code,
    reason = "no safe wrapper offers these calls; they take integers, and memory that outlives them"
)]

use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit};

/// Makes a process the owner of a pipe (F_SETOWN), which is signaled when the pipe is readable.
pub(crate) fn set_pipe_owner(pid: Pid) -> rustix::io::Result<()> {
    let (pipe, _) = rustix::pipe::pipe()?;
    let owner = pid.as_raw_nonzero().get();
    // SAFETY: the call takes three integers.
    check_result(unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETOWN, owner) }.into())
}

/// Makes a process the owner of a pipe with F_SETOWN_EX.
pub(crate) fn set_pipe_owner_ex(pid: Pid) -> rustix::io::Result<()> {
    /// F_SETOWN_EX and F_OWNER_PID [linux/fcntl.h].
    const OWNER: (libc::c_int, libc::c_int) = (15, 1);
    let (pipe, _) = rustix::pipe::pipe()?;
    let owner = [OWNER.1, pid.as_raw_nonzero().get()];
    // SAFETY: the memory has the expected layout and outlives the call.
    check_result(unsafe { libc::fcntl(pipe.as_raw_fd(), OWNER.0, owner.as_ptr()) }.into())
}

/// Makes a process the owner of a socket (SIOCSPGRP).
pub(crate) fn set_socket_owner(pid: Pid) -> rustix::io::Result<()> {
    /// SIOCSPGRP [linux/sockios.h].
    const OWNER: libc::Ioctl = 0x8902;
    let (socket, _) = std::os::unix::net::UnixStream::pair().map_err(|_| Errno::INVAL)?;
    let owner = pid.as_raw_nonzero().get();
    // SAFETY: the memory has the expected layout and outlives the call.
    check_result(unsafe { libc::ioctl(socket.as_raw_fd(), OWNER, &raw const owner) }.into())
}

/// Queues a signal with a value (sigqueue).
pub(crate) fn queue_a_signal(pid: Pid) -> rustix::io::Result<()> {
    let number = libc::sigval {
        sival_ptr: std::ptr::null_mut(),
    };
    // SAFETY: the call takes two integers and a value that is not dereferenced.
    check_result(
        unsafe { libc::sigqueue(pid.as_raw_nonzero().get(), libc::SIGCONT, number) }.into(),
    )
}

/// Starts a child of the parent (CLONE_PARENT), which the parent would never reap.
pub(crate) fn start_sibling() -> rustix::io::Result<()> {
    const FLAGS: libc::c_long = (libc::CLONE_PARENT | libc::SIGCHLD) as libc::c_long;
    const NONE: libc::c_long = 0;
    // SAFETY: with a null stack the new process continues on a copy of this process's memory, and exits at once.
    let child = unsafe { libc::syscall(libc::SYS_clone, FLAGS, NONE, NONE, NONE, NONE) };
    if child == 0 {
        sandbox::exit_now(0);
    }
    check_result(child)
}

/// Starts a child of the parent (CLONE_PARENT) that leads its own group and sleeps.
pub(crate) fn start_sleeping_sibling() -> io::Result<()> {
    const FLAGS: libc::c_long = (libc::CLONE_PARENT | libc::SIGCHLD) as libc::c_long;
    const NONE: libc::c_long = 0;
    // SAFETY: with a null stack the new process continues on a copy of this process's memory, which has one thread.
    let child = unsafe { libc::syscall(libc::SYS_clone, FLAGS, NONE, NONE, NONE, NONE) };
    if child == 0 {
        rustix::process::setpgid(None, None).ok();
        let _failed = Command::new("sleep").arg("1000").exec();
        sandbox::exit_now(1);
    }
    check_result(child).map_err(io::Error::from)
}

/// Starts a process in a session of its own that forks and exits in a loop, for ten seconds, if it may leave its group.
pub(crate) fn fork_in_a_loop() -> rustix::io::Result<()> {
    let end = Instant::now() + Duration::from_secs(10);
    // SAFETY: this process has one thread, and so has each copy.
    let child = unsafe { libc::fork() };
    if child != 0 {
        return check_result(child.into());
    }
    let is_alone = rustix::process::setsid().is_ok();
    // SAFETY: as above.
    while is_alone && Instant::now() < end && unsafe { libc::fork() } == 0 {}
    sandbox::exit_now(0);
}

/// Starts a process in the group of the parent, which sleeps.
pub(crate) fn join_the_parent_s_group() -> io::Result<()> {
    let group = rustix::process::getpgid(rustix::process::getppid())?;
    let mut sleeper = Command::new("sleep");
    sleeper
        .arg("1000")
        .process_group(group.as_raw_nonzero().get());
    sleeper.spawn().map(drop)
}

/// Gives the parent the limit by which sandboxed processes are recognized.
pub(crate) fn lower_the_parent_s_limit() -> rustix::io::Result<()> {
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    rustix::process::prlimit(rustix::process::getppid(), Resource::Msgqueue, none).map(drop)
}

fn check_result(result: libc::c_long) -> rustix::io::Result<()> {
    let failed = || Errno::from_io_error(&io::Error::last_os_error());
    match result {
        -1 => Err(failed().unwrap_or(Errno::INVAL)),
        _ => Ok(()),
    }
}
