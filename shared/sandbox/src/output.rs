//! Takes what a child writes to standard output and error without ever waiting for it, and keeps a bounded part.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStderr, ChildStdout};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};

/// Bytes of standard output that are kept, from its beginning.
const STDOUT_KEPT: usize = 1024 * 1024;
/// Bytes of standard error that are kept, from its end.
const STDERR_KEPT: usize = 4096;
/// Bytes that are read at once, as many as a pipe holds.
const CHUNK: usize = 64 * 1024;
/// Chunks that one pipe is read for before limits are looked at again.
const CHUNKS_A_TURN: usize = 16;

/// Both outputs of a child.
pub(crate) struct Output {
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    kept_stdout: Vec<u8>,
    stdout_truncated: bool,
    kept_stderr: VecDeque<u8>,
    chunk: Vec<u8>,
}

impl Output {
    /// Takes the pipes of a child that has just been started: their reading ends.
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
            kept_stdout: Vec::new(),
            stdout_truncated: false,
            kept_stderr: VecDeque::new(),
            chunk: vec![0; CHUNK],
        })
    }

    /// Waits until there is output, `other` becomes readable or the time is over, and takes the output.
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

    /// Takes what is there now. A process that keeps a pipe open is not waited for.
    pub(crate) fn take(&mut self) -> std::io::Result<()> {
        let (kept, truncated) = (&mut self.kept_stdout, &mut self.stdout_truncated);
        drain(&mut self.stdout, &mut self.chunk, |bytes| {
            let room = STDOUT_KEPT - kept.len();
            kept.extend(bytes.iter().take(room));
            *truncated |= bytes.len() > room;
        })?;
        let kept = &mut self.kept_stderr;
        drain(&mut self.stderr, &mut self.chunk, |bytes| {
            kept.extend(bytes.iter().skip(bytes.len().saturating_sub(STDERR_KEPT)));
            kept.drain(..kept.len().saturating_sub(STDERR_KEPT));
        })
    }

    /// What was kept: standard output, whether more was written, and the tail of standard error.
    pub(crate) fn into_kept(self) -> (Vec<u8>, bool, String) {
        let stderr: Vec<u8> = self.kept_stderr.into();
        (
            self.kept_stdout,
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

/// Reads a pipe until it is empty, closed, or has had its turn.
fn drain<Pipe: Read>(
    pipe: &mut Option<Pipe>,
    chunk: &mut [u8],
    mut keep: impl FnMut(&[u8]),
) -> std::io::Result<()> {
    for _ in 0..CHUNKS_A_TURN {
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
