//! A zygote's process: its start, what it says, and its end.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sandbox::{Finished, Launcher, Scratch, end_orphans};

use crate::error::OfficeError;
use crate::protocol::{Answer, Order, Work};
use crate::socket::Socket;
use crate::zygote::{MARKER, WEAK, lay_out};

/// How long LibreOffice may take to begin: ten times what it does on a cold disk.
const BEGIN_WITHIN: Duration = Duration::from_secs(60);
/// How much longer than the job's limit the zygote may take to say that it has ended a job.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);
/// How long the zygote may take to end when nobody wants it any more.
const END_WITHIN: Duration = Duration::from_secs(2);
/// Between two looks at the stop flag.
const TICK: Duration = Duration::from_millis(20);

/// A zygote that has been started. Dropping it ends it, with whatever it works on.
pub(crate) struct Process {
    child: Child,
    socket: Option<Socket>,
    ready: bool,
    /// Whether it has taken the job that it was last given.
    taken: bool,
    /// The fork that works on a document.
    fork: Option<u32>,
    home: Option<Scratch>,
}

impl Process {
    /// Starts a zygote and does not wait for it. Its own directory is made in `base`.
    pub(crate) fn start(
        launcher: &Launcher,
        installation: &Path,
        base: &Path,
    ) -> Result<Self, OfficeError> {
        let home = Scratch::create(Some(base))?;
        let variables = lay_out(home.path()).map_err(OfficeError::Start)?;
        let (ours, theirs) = Socket::pair().map_err(OfficeError::Start)?;
        let strength = match launcher.weak_is_allowed() {
            true => WEAK,
            false => "strong",
        };
        let mut command = Command::new(launcher.program());
        command.arg(MARKER).arg(strength).arg(installation);
        command.env_clear().envs(variables).current_dir(home.path());
        command.stdin(theirs.into_descriptor());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Self {
            child: command.spawn().map_err(OfficeError::Start)?,
            socket: Some(ours),
            ready: false,
            taken: false,
            fork: None,
            home: Some(home),
        })
    }

    /// Waits until it takes orders.
    pub(crate) fn await_ready(&mut self, stop: &AtomicBool) -> Result<(), OfficeError> {
        self.await_ready_within(BEGIN_WITHIN, stop)
    }

    /// It may have been started long ago and have said meanwhile that it is ready, so that only this wait counts.
    fn await_ready_within(&mut self, most: Duration, stop: &AtomicBool) -> Result<(), OfficeError> {
        let since = Instant::now();
        while !self.ready {
            if stop.load(Ordering::Relaxed) {
                return Err(OfficeError::Stopped);
            }
            match self.hear()? {
                Some(Answer::Ready) => self.ready = true,
                Some(Answer::Failed(reason)) => return Err(OfficeError::NotReady(reason)),
                Some(_) => return Err(garbled("an answer without an order")),
                None if since.elapsed() >= most => {
                    return Err(OfficeError::NotReady("it takes too long".to_owned()));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Whether it has ended since its last job: between jobs it has nothing to say.
    pub(crate) fn has_ended(&self) -> bool {
        let speaks = |socket: &Socket| socket.is_readable_within(Duration::ZERO).unwrap_or(true);
        self.ready && self.socket.as_ref().is_none_or(speaks)
    }

    /// Has a job done and waits for its end. After an error the process is of no further use.
    ///
    /// # Errors
    /// [`OfficeError::NotTaken`] if the zygote ended before it took the job, which another one may then be given.
    pub(crate) fn run(&mut self, work: Work, stop: &AtomicBool) -> Result<Finished, OfficeError> {
        let mut deadline = Instant::now() + work.limits.wall + ANSWER_WITHIN;
        let mut stopped = false;
        self.taken = false;
        self.tell(&Order::Run(Box::new(work)))?;
        loop {
            match self.hear()? {
                None => {}
                Some(Answer::Taken) => self.taken = true,
                Some(Answer::Began(fork)) => self.fork = Some(fork),
                Some(Answer::Ended(ended)) => {
                    self.fork = None;
                    return Ok(ended.into());
                }
                Some(Answer::Refused(reason)) => return Err(OfficeError::Refused(reason)),
                Some(Answer::Failed(reason)) => return Err(OfficeError::NotReady(reason)),
                Some(Answer::Ready) => return Err(garbled("it is ready again")),
            }
            if !stopped && stop.load(Ordering::Relaxed) {
                stopped = true;
                deadline = Instant::now() + ANSWER_WITHIN;
                self.tell(&Order::Stop)?;
            }
            if Instant::now() > deadline {
                return Err(OfficeError::Silent);
            }
        }
    }

    /// The next answer, if there is one soon.
    fn hear(&self) -> Result<Option<Answer>, OfficeError> {
        let socket = self.socket.as_ref().ok_or(OfficeError::Died)?;
        let garbled = |error: std::io::Error| garbled(&error.to_string());
        if !socket.is_readable_within(TICK).map_err(garbled)? {
            return Ok(None);
        }
        let answer = socket.receive().map_err(garbled)?;
        answer.map(Some).ok_or_else(|| self.ended())
    }

    fn tell(&self, order: &Order) -> Result<(), OfficeError> {
        let socket = self.socket.as_ref().ok_or(OfficeError::Died)?;
        socket.send(order).map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidInput => garbled("the order is too large"),
            _ => self.ended(),
        })
    }

    /// What the end of the connection means for the job.
    fn ended(&self) -> OfficeError {
        match self.taken {
            true => OfficeError::Died,
            false => OfficeError::NotTaken,
        }
    }

    /// Closes the connection, upon which the zygote ends, and makes sure that it does.
    fn end(&mut self) -> std::io::Result<()> {
        drop(self.socket.take());
        let since = Instant::now();
        // One that is at work, or has not begun, does not look at the connection.
        let patience = match self.ready && self.fork.is_none() {
            true => END_WITHIN,
            false => Duration::ZERO,
        };
        while self.child.try_wait()?.is_none() {
            if since.elapsed() >= patience {
                self.child.kill()?;
                self.child.wait()?;
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

fn garbled(reason: &str) -> OfficeError {
    OfficeError::Garbled(reason.to_owned())
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            tracing::error!(%error, "an office zygote is left behind");
        }
        // The kernel ends it with the zygote; where it does not, and to have it gone before its files are removed.
        if let Some(Err(error)) = self.fork.map(end_orphans) {
            tracing::error!(%error, "an office document is still worked on");
        }
        if let Some(Err(error)) = self.home.take().map(Scratch::wipe) {
            tracing::error!(%error, "an office profile is left behind");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that says nothing by itself, and the end of the connection that a zygote would have.
    fn silent() -> (Process, Socket) {
        // First, as a process that has only just been started still has the connections of this one.
        let child = Command::new("sleep").arg("1000").spawn().unwrap();
        let (ours, theirs) = Socket::pair().unwrap();
        let process = Process {
            child,
            socket: Some(ours),
            ready: false,
            taken: false,
            fork: None,
            home: None,
        };
        (process, theirs)
    }

    #[test]
    fn one_that_has_been_ready_for_long_is_not_too_slow() {
        let never = AtomicBool::new(false);
        let (mut process, zygote) = silent();
        let slow = process.await_ready_within(Duration::ZERO, &never);
        assert!(matches!(slow, Err(OfficeError::NotReady(_))), "{slow:?}");
        zygote.send(&Answer::Ready).unwrap();
        process.await_ready_within(Duration::ZERO, &never).unwrap();
    }

    #[test]
    fn one_that_ends_between_jobs_is_known_to_have_ended() {
        let (mut process, zygote) = silent();
        assert!(!process.has_ended());
        zygote.send(&Answer::Ready).unwrap();
        process.await_ready(&AtomicBool::new(false)).unwrap();
        assert!(!process.has_ended());
        drop(zygote);
        assert!(process.has_ended());
    }
}
