//! Lifeline: a pipe that notifies a child of the end of its parent, where the platform refuses the parent-death signal.
//!
//! The parent alone holds the write end. When it ends, however that happens, the kernel closes the write end and sends SIGKILL
//! to the process group that the child registered for the read end (F_SETOWN, F_SETSIG and O_ASYNC [fcntl(2)]). No code runs
//! in the child for that, so it also holds after `exec`.

use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd, RawFd};

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pipe::{PipeFlags, pipe_with};

/// The parent's side. Dropping it ends a child that depends on it.
pub(crate) struct Lifeline {
    child_end: OwnedFd,
    _write_end: OwnedFd,
}

impl Lifeline {
    pub(crate) fn create() -> std::io::Result<Self> {
        let (child_end, write_end) = pipe_with(PipeFlags::CLOEXEC)?;
        // Every child may inherit the read end; sandboxed children close those of others.
        fcntl_setfd(&child_end, FdFlags::empty())?;
        Ok(Self {
            child_end,
            _write_end: write_end,
        })
    }

    /// The number of the child's end in a child that inherits it.
    pub(crate) fn child_number(&self) -> RawFd {
        self.child_end.as_raw_fd()
    }

    /// The child's end.
    pub(crate) fn child_end(&self) -> BorrowedFd<'_> {
        self.child_end.as_fd()
    }
}
