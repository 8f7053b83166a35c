//! The zygote's process: starts it, requests forks and ends it.

use std::io::Error;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, setpgid};

use super::message;
use crate::channel::{Channel, Task};
use crate::error::SandboxError;
use crate::job::Job;
use crate::launcher::Launcher;
use crate::run::Running;
use crate::strays;

/// Maximum time for the response to a request. The first one includes the zygote's start-up.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);

/// A started process. Dropping it kills the process and its remaining forks.
#[derive(Debug)]
pub(super) struct Process {
    id: u32,
    /// `None` after a failed request: later data may be its late response.
    connection: Mutex<Option<OwnedFd>>,
    stop_sender: Option<Sender<()>>,
    spawner: Option<JoinHandle<()>>,
}

/// A started fork. It keeps the zygote's process alive.
pub(super) struct StartedFork {
    pub(super) process: Arc<Process>,
    pub(super) running: Running,
    pub(super) channel: Channel,
}

impl Process {
    /// Starts the process without waiting for it.
    pub(super) fn start(launcher: &Launcher, preparation: &Path) -> std::io::Result<Self> {
        let flags = SocketFlags::CLOEXEC;
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        let command = launcher.zygote(preparation, theirs);
        let (started, id) = channel();
        let (stop_sender, stop) = channel();
        let spawner = std::thread::Builder::new().name("zygote-spawner".to_owned());
        let spawner = spawner.spawn(move || spawn_and_hold(command, &started, &stop))?;
        let ended = |_| Err(Error::other("the spawner thread ended"));
        Ok(Self {
            id: id.recv().unwrap_or_else(ended)?,
            connection: Mutex::new(Some(ours)),
            stop_sender: Some(stop_sender),
            spawner: Some(spawner),
        })
    }

    /// Starts a job in a new fork.
    pub(super) fn start_fork(self: &Arc<Self>, job: &Job<'_>) -> Result<StartedFork, SandboxError> {
        let task = Task::Work(job.work.clone());
        let channel = Channel::create(job, task, Some(self.id))?;
        Ok(StartedFork {
            running: self.fork(&channel)?,
            process: Arc::clone(self),
            channel,
        })
    }

    fn fork(&self, channel: &Channel) -> Result<Running, SandboxError> {
        let failed = |errno: rustix::io::Errno| SandboxError::Fork(errno.into());
        let started = Instant::now();
        let _starting = strays::starting();
        let setup = channel.child_end()?;
        let (stdout, stdout_end) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
        let (stderr, stderr_end) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
        let descriptors = [
            setup.as_fd(),
            stdout_end.as_fd(),
            stderr_end.as_fd(),
            channel.lifeline(),
        ];
        let leader = self
            .request_fork(&descriptors)
            .map_err(SandboxError::Fork)?;
        // Parent and child both call setpgid, because either may run first; the second call fails or has no effect.
        setpgid(Some(leader), Some(leader)).ok();
        Running::monitored(leader, Some(stdout.into()), Some(stderr.into()), started)
    }

    fn request_fork(
        &self,
        descriptors: &[BorrowedFd<'_>; message::DESCRIPTORS],
    ) -> std::io::Result<Pid> {
        let connection = self.connection.lock();
        let mut connection = connection.unwrap_or_else(PoisonError::into_inner);
        let failed = || Error::other("an earlier fork request failed");
        let open = connection.take().ok_or_else(failed)?;
        message::send_request(&open, descriptors)?;
        let fork = message::receive_response(&open, RESPONSE_TIMEOUT)?;
        *connection = Some(open);
        Ok(fork)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.stop_sender.take());
        let ended = self.spawner.take().map(JoinHandle::join);
        if ended.is_some_and(|ended| ended.is_err()) {
            tracing::error!("the spawner thread of a zygote panicked");
        }
    }
}

/// Spawns the process and keeps this thread alive until the process is no longer needed. The parent-death signal
/// (PR_SET_PDEATHSIG) of the process and its forks fires when this thread ends, so it must outlive all forks.
fn spawn_and_hold(
    mut command: Command,
    started: &Sender<std::io::Result<u32>>,
    stop: &Receiver<()>,
) {
    let child = command.spawn();
    // Close the other end of the connection.
    drop(command);
    match child {
        Ok(mut child) => {
            started.send(Ok(child.id())).ok();
            // Returns when the sender is dropped.
            stop.recv().ok();
            child.kill().and_then(|()| child.wait()).ok();
        }
        Err(error) => drop(started.send(Err(error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_request_is_sent_after_a_failed_one() {
        let flags = SocketFlags::CLOEXEC;
        let (ours, zygote) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None).unwrap();
        let process = Process {
            id: 0,
            connection: Mutex::new(Some(ours)),
            stop_sender: None,
            spawner: None,
        };
        let null = std::fs::File::open("/dev/null").unwrap();
        let descriptors = [null.as_fd(); message::DESCRIPTORS];
        message::send_response(&zygote, None).unwrap();
        assert!(process.request_fork(&descriptors).is_err());
        // A late response to the first request.
        message::send_response(&zygote, Some(rustix::process::getpid())).ok();
        assert!(process.request_fork(&descriptors).is_err());
        assert!(message::receive_request(&zygote).unwrap().is_some());
        assert!(message::receive_request(&zygote).unwrap().is_none());
    }
}
