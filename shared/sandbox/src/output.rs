//! Reads standard output and error of a child without blocking and keeps a bounded part of each.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStderr, ChildStdout};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};

/// Bytes of standard output that are kept, from its beginning.
const MAX_STDOUT: usize = 1024 * 1024;
/// Bytes of standard error that are kept, from its end.
const MAX_STDERR: usize = 4096;
/// Size of one read: the capacity of a pipe.
const CHUNK: usize = 64 * 1024;
/// Maximum number of chunks read from one pipe before limits are checked again.
const MAX_CHUNKS_PER_READ: usize = 16;

/// Standard output and error of a child.
pub(crate) struct Output {
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    stdout_bytes: Vec<u8>,
    stdout_truncated: bool,
    stderr_bytes: VecDeque<u8>,
    chunk: Vec<u8>,
}

impl Output {
    /// Takes the reading ends of a child's pipes and makes them non-blocking.
    pub(crate) fn of(
        stdout: Option<ChildStdout>,
        stderr: Option<ChildStderr>,
    ) -> std::io::Result<Self> {
        for pipe in descriptors(&stdout, &stderr) {
            ioctl_fionbio(pipe, true)?;
        }
        Ok(Self {
            stdout,
            stderr,
            stdout_bytes: Vec::new(),
            stdout_truncated: false,
            stderr_bytes: VecDeque::new(),
            chunk: vec![0; CHUNK],
        })
    }

    /// Waits until there is output, `other` becomes readable or `time` elapses, then reads the output.
    pub(crate) fn wait(
        &mut self,
        other: Option<BorrowedFd<'_>>,
        time: Duration,
    ) -> std::io::Result<()> {
        let mut waited: Vec<PollFd<'_>> = descriptors(&self.stdout, &self.stderr)
            .chain(other)
            .map(|descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN))
            .collect();
        let time = Timespec::try_from(time).unwrap_or_default();
        match poll(&mut waited, Some(&time)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        self.take()
    }

    /// Reads the available output, without waiting for processes that keep a pipe open.
    pub(crate) fn take(&mut self) -> std::io::Result<()> {
        let (kept, truncated) = (&mut self.stdout_bytes, &mut self.stdout_truncated);
        drain(&mut self.stdout, &mut self.chunk, |bytes| {
            let room = MAX_STDOUT - kept.len();
            kept.extend(bytes.iter().take(room));
            *truncated |= bytes.len() > room;
        })?;
        let kept = &mut self.stderr_bytes;
        drain(&mut self.stderr, &mut self.chunk, |bytes| {
            kept.extend(bytes.iter().skip(bytes.len().saturating_sub(MAX_STDERR)));
            kept.drain(..kept.len().saturating_sub(MAX_STDERR));
        })
    }

    /// Standard output, whether it was truncated, and the tail of standard error.
    pub(crate) fn into_parts(self) -> (Vec<u8>, bool, String) {
        let stderr: Vec<u8> = self.stderr_bytes.into();
        (
            self.stdout_bytes,
            self.stdout_truncated,
            String::from_utf8_lossy(&stderr).into_owned(),
        )
    }
}

fn descriptors<'a>(
    stdout: &'a Option<ChildStdout>,
    stderr: &'a Option<ChildStderr>,
) -> impl Iterator<Item = BorrowedFd<'a>> {
    let stdout = stdout.as_ref().map(AsFd::as_fd);
    stdout.into_iter().chain(stderr.as_ref().map(AsFd::as_fd))
}

/// Reads a pipe until it is empty or closed, at most [`MAX_CHUNKS_PER_READ`] chunks.
fn drain<Pipe: Read>(
    pipe: &mut Option<Pipe>,
    chunk: &mut [u8],
    mut keep: impl FnMut(&[u8]),
) -> std::io::Result<()> {
    for _ in 0..MAX_CHUNKS_PER_READ {
        let Some(open) = pipe else { return Ok(()) };
        match open.read(chunk) {
            Ok(0) => *pipe = None,
            Ok(count) => keep(chunk.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
