//! Ways to signal another process, or to leave one to the parent, that no call for that is needed for.
#![expect(
    unsafe_code,
    reason = "no safe wrapper offers these calls; they take integers, and memory that outlives them"
)]

use std::io;
use std::os::fd::AsRawFd as _;

use rustix::io::Errno;
use rustix::process::Pid;

/// Takes any process for the owner of a pipe, which is signalled when the pipe can be read.
pub(crate) fn own_a_pipe(pid: Pid) -> rustix::io::Result<()> {
    let (pipe, _) = rustix::pipe::pipe()?;
    let owner = pid.as_raw_nonzero().get();
    // SAFETY: the call takes three integers.
    answered(unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_SETOWN, owner) }.into())
}

/// The same, said in the two other ways.
pub(crate) fn own_a_pipe_at_large(pid: Pid) -> rustix::io::Result<()> {
    /// Says that the owner is a process [linux/fcntl.h: F_SETOWN_EX, F_OWNER_PID].
    const OWNER: (libc::c_int, libc::c_int) = (15, 1);
    let (pipe, _) = rustix::pipe::pipe()?;
    let owner = [OWNER.1, pid.as_raw_nonzero().get()];
    // SAFETY: the memory is what the call expects, and outlives it.
    answered(unsafe { libc::fcntl(pipe.as_raw_fd(), OWNER.0, owner.as_ptr()) }.into())
}

/// The same of a socket.
pub(crate) fn own_a_socket(pid: Pid) -> rustix::io::Result<()> {
    /// Sets the owner of a socket [linux/sockios.h: SIOCSPGRP].
    const OWNER: libc::Ioctl = 0x8902;
    let (socket, _) = std::os::unix::net::UnixStream::pair().map_err(|_| Errno::INVAL)?;
    let owner = pid.as_raw_nonzero().get();
    // SAFETY: the memory is what the call expects, and outlives it.
    answered(unsafe { libc::ioctl(socket.as_raw_fd(), OWNER, &raw const owner) }.into())
}

/// Queues a signal, as a program does that sends a number with it.
pub(crate) fn queue_a_signal(pid: Pid) -> rustix::io::Result<()> {
    let number = libc::sigval {
        sival_ptr: std::ptr::null_mut(),
    };
    // SAFETY: the call takes two integers and a number that nobody looks at.
    answered(unsafe { libc::sigqueue(pid.as_raw_nonzero().get(), libc::SIGCONT, number) }.into())
}

/// Makes a process that is not its own child but its parent's, which waits for children that it has started only.
pub(crate) fn leave_a_child() -> rustix::io::Result<()> {
    const FLAGS: libc::c_long = (libc::CLONE_PARENT | libc::SIGCHLD) as libc::c_long;
    const NONE: libc::c_long = 0;
    // SAFETY: without a stack of its own, the new process goes on with a copy of this one's memory, and ends at once.
    let child = unsafe { libc::syscall(libc::SYS_clone, FLAGS, NONE, NONE, NONE, NONE) };
    if child == 0 {
        sandbox::end(0);
    }
    answered(child)
}

fn answered(answer: libc::c_long) -> rustix::io::Result<()> {
    let failed = || Errno::from_io_error(&io::Error::last_os_error());
    match answer {
        -1 => Err(failed().unwrap_or(Errno::INVAL)),
        _ => Ok(()),
    }
}
