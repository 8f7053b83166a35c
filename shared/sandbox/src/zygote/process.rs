//! A zygote's process: its start, its orders, and its end.

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

/// How long the process may take to answer an order, the first of which waits for its beginning.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// A process that has been started. Dropping it ends it; what is left of its forks ends with that.
#[derive(Debug)]
pub(super) struct Process {
    id: u32,
    /// `None` once an order failed: what is heard after that may be the answer to it.
    connection: Mutex<Option<OwnedFd>>,
    wanted: Option<Sender<()>>,
    keeper: Option<JoinHandle<()>>,
}

/// A fork that is about to do a job. It keeps the process that it was split off.
pub(super) struct Begun {
    pub(super) process: Arc<Process>,
    pub(super) running: Running,
    pub(super) channel: Channel,
}

impl Process {
    /// Starts it and does not wait for it.
    pub(super) fn start(launcher: &Launcher, preparation: &Path) -> std::io::Result<Self> {
        let flags = SocketFlags::CLOEXEC;
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        let command = launcher.zygote(preparation, theirs);
        let (started, id) = channel();
        let (wanted, unwanted) = channel();
        let keeper = std::thread::Builder::new().name("zygote's keeper".to_owned());
        let keeper = keeper.spawn(move || keep(command, &started, &unwanted))?;
        let ended = |_| Err(Error::other("its keeper has ended"));
        Ok(Self {
            id: id.recv().unwrap_or_else(ended)?,
            connection: Mutex::new(Some(ours)),
            wanted: Some(wanted),
            keeper: Some(keeper),
        })
    }

    /// Has a fork begin a job.
    pub(super) fn begin(
        self: &Arc<Self>,
        job: &Job<'_>,
        allow_weak: bool,
    ) -> Result<Begun, SandboxError> {
        let task = Task::Work(job.work.clone());
        let channel = Channel::describe(job, task, allow_weak, Some(self.id))?;
        Ok(Begun {
            running: self.fork(&channel)?,
            process: Arc::clone(self),
            channel,
        })
    }

    fn fork(&self, channel: &Channel) -> Result<Running, SandboxError> {
        let failed = |errno: rustix::io::Errno| SandboxError::Fork(errno.into());
        let started = Instant::now();
        let description = channel.child_end()?;
        let (stdout, stdout_end) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
        let (stderr, stderr_end) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
        let ends = [description.as_fd(), stdout_end.as_fd(), stderr_end.as_fd()];
        let leader = self.order(&ends).map_err(SandboxError::Fork)?;
        // Both sides do it, as neither knows which is first; the other one's call is refused or does nothing.
        setpgid(Some(leader), Some(leader)).ok();
        Running::watched(leader, Some(stdout.into()), Some(stderr.into()), started)
    }

    fn order(&self, ends: &[BorrowedFd<'_>; 3]) -> std::io::Result<Pid> {
        let connection = self.connection.lock();
        let mut connection = connection.unwrap_or_else(PoisonError::into_inner);
        let failed = || Error::other("an earlier order failed");
        let open = connection.take().ok_or_else(failed)?;
        message::send_order(&open, ends)?;
        let fork = message::receive_answer(&open, ANSWER_WITHIN)?;
        *connection = Some(open);
        Ok(fork)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.wanted.take());
        let ended = self.keeper.take().map(JoinHandle::join);
        if ended.is_some_and(|ended| ended.is_err()) {
            tracing::error!("a zygote is left behind");
        }
    }
}

/// Starts the process and waits until nobody wants it any more. The kernel ends children when the thread ends that started
/// them, forks of theirs that are children of this process included; so this thread outlives all forks.
fn keep(mut command: Command, started: &Sender<std::io::Result<u32>>, unwanted: &Receiver<()>) {
    let child = command.spawn();
    // It holds the other end of the connection.
    drop(command);
    match child {
        Ok(mut child) => {
            started.send(Ok(child.id())).ok();
            // There is nothing to be received but the end.
            unwanted.recv().ok();
            child.kill().and_then(|()| child.wait()).ok();
        }
        Err(error) => drop(started.send(Err(error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_whose_answer_failed_is_not_asked_again() {
        let flags = SocketFlags::CLOEXEC;
        let (ours, zygote) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None).unwrap();
        let process = Process {
            id: 0,
            connection: Mutex::new(Some(ours)),
            wanted: None,
            keeper: None,
        };
        let null = std::fs::File::open("/dev/null").unwrap();
        let ends = [null.as_fd(); 3];
        message::send_answer(&zygote, None).unwrap();
        assert!(process.order(&ends).is_err());
        // What would be the answer to the first order, come late.
        message::send_answer(&zygote, Some(rustix::process::getpid())).ok();
        assert!(process.order(&ends).is_err());
        assert!(message::receive_order(&zygote).unwrap().is_some());
        assert!(message::receive_order(&zygote).unwrap().is_none());
    }
}
