//! Starts a child and stays until nobody wants it any more: the kernel ends children when the thread ends that started them.

use std::io::Error;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdout, Command};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use rustix::process::Pid;

use crate::error::SandboxError;
use crate::run::Running;

/// A thread that has started a child. Dropping it waits for its end, which is to come after the child's.
#[derive(Debug)]
pub(super) struct Keeper {
    wanted: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Starts a child whose standard output is the other end of `line`.
    pub(super) fn start(
        mut command: Command,
        line: &UnixStream,
    ) -> std::io::Result<(Self, Result<Running, SandboxError>)> {
        let stdout = ChildStdout::from(OwnedFd::from(line.try_clone()?));
        let (started, child) = channel();
        let (wanted, unwanted) = channel::<()>();
        let thread = std::thread::Builder::new().name("standby's keeper".to_owned());
        let thread = thread.spawn(move || {
            started.send(command.spawn()).ok();
            // It holds the child's ends.
            drop(command);
            // There is nothing to be received but the end.
            unwanted.recv().ok();
        })?;
        let keeper = Self {
            wanted: Some(wanted),
            thread: Some(thread),
        };
        let ended = |_| Err(Error::other("its keeper has ended"));
        let child = child.recv().unwrap_or_else(ended)?;
        Ok((keeper, watched(child, stdout)))
    }
}

fn watched(mut child: Child, stdout: ChildStdout) -> Result<Running, SandboxError> {
    let leader = Pid::from_child(&child);
    let stderr = child.stderr.take();
    Running::watched(leader, Some(stdout), stderr, Instant::now())
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.wanted.take());
        let ended = self.thread.take().map(JoinHandle::join);
        if ended.is_some_and(|ended| ended.is_err()) {
            tracing::error!("a standby's keeper has failed");
        }
    }
}
