//! A thread that spawns a prewarmed child and lives as long as it.
//!
//! The child's parent-death signal (PR_SET_PDEATHSIG) fires when the thread that spawned it ends, not when the process does.

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

/// The thread that spawned a child. Drop it after the child has ended; dropping joins the thread.
#[derive(Debug)]
pub(super) struct SpawnerThread {
    stop_sender: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl SpawnerThread {
    /// Spawns a child whose standard output is the other end of `socket`.
    pub(super) fn start(
        mut command: Command,
        socket: &UnixStream,
    ) -> std::io::Result<(Self, Result<Running, SandboxError>)> {
        let stdout = ChildStdout::from(OwnedFd::from(socket.try_clone()?));
        let (started, child) = channel();
        let (stop_sender, stop) = channel::<()>();
        let thread = std::thread::Builder::new().name("prewarm-spawner".to_owned());
        let thread = thread.spawn(move || {
            started.send(command.spawn()).ok();
            // Close the child's ends of pipes and socket.
            drop(command);
            // Returns when the sender is dropped.
            stop.recv().ok();
        })?;
        let spawner = Self {
            stop_sender: Some(stop_sender),
            thread: Some(thread),
        };
        let ended = |_| Err(Error::other("the spawner thread ended"));
        let child = child.recv().unwrap_or_else(ended)?;
        Ok((spawner, monitored(child, stdout)))
    }
}

fn monitored(mut child: Child, stdout: ChildStdout) -> Result<Running, SandboxError> {
    let leader = Pid::from_child(&child);
    let stderr = child.stderr.take();
    Running::monitored(leader, Some(stdout), stderr, Instant::now())
}

impl Drop for SpawnerThread {
    fn drop(&mut self) {
        drop(self.stop_sender.take());
        let ended = self.thread.take().map(JoinHandle::join);
        if ended.is_some_and(|ended| ended.is_err()) {
            tracing::error!("the spawner thread of a prewarmed child panicked");
        }
    }
}
