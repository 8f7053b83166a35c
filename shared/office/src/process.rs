//! The zygote's process: starts it, exchanges messages with it, and ends it.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sandbox::{FinishedChild, Launcher, Scratch, kill_orphans};

use crate::error::OfficeError;
use crate::kit::measured::{MEASURED_VERSION, is_measured};
use crate::protocol::{Request, Response, Work};
use crate::socket::Socket;
use crate::zygote::{MARKER, write_profile};

/// Maximum start-up time of LibreOffice: ten times the time with a cold disk cache.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum time after the job's wall-clock limit until the zygote reports the end of the job.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum time for the zygote to exit after the connection is closed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);
/// Interval at which the stop flag is checked.
const TICK: Duration = Duration::from_millis(20);

/// A started zygote. Dropping it kills the zygote and its running fork.
pub(crate) struct Process {
    child: Child,
    socket: Option<Socket>,
    ready: bool,
    /// Whether it has accepted the last job sent.
    accepted: bool,
    /// The process id of the running fork.
    fork: Option<u32>,
    home: Option<Scratch>,
}

impl Process {
    /// Starts a zygote without waiting for it. Its own directory is created in `base`.
    pub(crate) fn start(
        launcher: &Launcher,
        installation: &Path,
        base: &Path,
    ) -> Result<Self, OfficeError> {
        let home = Scratch::create(Some(base))?;
        let variables = write_profile(home.path()).map_err(OfficeError::Start)?;
        let (ours, theirs) = Socket::pair().map_err(OfficeError::Start)?;
        let mut command = Command::new(launcher.program());
        command.arg(MARKER).arg(installation);
        command.env_clear().envs(variables).current_dir(home.path());
        command.stdin(theirs.into_descriptor());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Self {
            child: command.spawn().map_err(OfficeError::Start)?,
            socket: Some(ours),
            ready: false,
            accepted: false,
            fork: None,
            home: Some(home),
        })
    }

    /// Waits until the zygote accepts jobs.
    pub(crate) fn await_ready(&mut self, stop: &AtomicBool) -> Result<(), OfficeError> {
        self.await_ready_within(START_TIMEOUT, stop)
    }

    /// The timeout counts from this call, not from the start: a zygote started long ago may have reported readiness already.
    fn await_ready_within(
        &mut self,
        timeout: Duration,
        stop: &AtomicBool,
    ) -> Result<(), OfficeError> {
        let since = Instant::now();
        while !self.ready {
            if stop.load(Ordering::Relaxed) {
                return Err(OfficeError::Stopped);
            }
            match self.receive()? {
                Some(Response::Ready(version)) => self.started(&version),
                Some(Response::NotReady(reason)) => return Err(OfficeError::NotReady(reason)),
                Some(_) => return Err(protocol_error("a response without a request")),
                None if since.elapsed() >= timeout => {
                    return Err(OfficeError::NotReady("start-up timed out".to_owned()));
                }
                None => {}
            }
        }
        Ok(())
    }

    fn started(&mut self, version: &str) {
        self.ready = true;
        if !is_measured(version) {
            tracing::warn!(
                version,
                measured = MEASURED_VERSION,
                "missing fonts are reported without their substitutes, and fields show the working directory, with this version of LibreOffice"
            );
        }
    }

    /// Whether the zygote has exited since its last job: it sends nothing between jobs, so a readable socket means the end.
    pub(crate) fn has_ended(&self) -> bool {
        let is_readable =
            |socket: &Socket| socket.is_readable_within(Duration::ZERO).unwrap_or(true);
        self.ready && self.socket.as_ref().is_none_or(is_readable)
    }

    /// Runs a job and waits for its end. After an error the process must be replaced.
    ///
    /// # Errors
    /// [`OfficeError::NotAccepted`] if the zygote exited before it accepted the job, and [`OfficeError::ProfileChanged`] if it
    /// refused it; the job can then be retried with another zygote.
    pub(crate) fn run(
        &mut self,
        work: Work,
        stop: &AtomicBool,
    ) -> Result<FinishedChild, OfficeError> {
        let mut deadline = Instant::now() + work.limits.wall + RESPONSE_TIMEOUT;
        let mut stopped = false;
        self.accepted = false;
        self.send(&Request::Run(Box::new(work)))?;
        loop {
            match self.receive()? {
                None => {}
                Some(Response::Accepted) => self.accepted = true,
                Some(Response::Started(fork)) => self.fork = Some(fork),
                Some(Response::Finished(ended)) => {
                    self.fork = None;
                    return Ok(ended.into());
                }
                Some(Response::Failed(reason)) => return Err(OfficeError::Job(reason)),
                Some(Response::NotReady(reason)) => return Err(OfficeError::NotReady(reason)),
                Some(Response::ProfileChanged) => return Err(OfficeError::ProfileChanged),
                Some(Response::Ready(_)) => {
                    return Err(protocol_error("it reported readiness twice"));
                }
            }
            if !stopped && stop.load(Ordering::Relaxed) {
                stopped = true;
                deadline = Instant::now() + RESPONSE_TIMEOUT;
                self.send(&Request::Stop)?;
            }
            if Instant::now() > deadline {
                return Err(OfficeError::NoResponse);
            }
        }
    }

    /// The next response; `None` if there is none within [`TICK`].
    fn receive(&self) -> Result<Option<Response>, OfficeError> {
        let socket = self.socket.as_ref().ok_or(OfficeError::Died)?;
        let protocol_error = |error: std::io::Error| protocol_error(&error.to_string());
        if !socket.is_readable_within(TICK).map_err(protocol_error)? {
            return Ok(None);
        }
        let response = socket.receive().map_err(protocol_error)?;
        response.map(Some).ok_or_else(|| self.ended())
    }

    fn send(&self, request: &Request) -> Result<(), OfficeError> {
        let socket = self.socket.as_ref().ok_or(OfficeError::Died)?;
        socket.send(request).map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidInput => protocol_error("the request is too large"),
            _ => self.ended(),
        })
    }

    /// The error for a closed connection, depending on whether the job was accepted.
    fn ended(&self) -> OfficeError {
        match self.accepted {
            true => OfficeError::Died,
            false => OfficeError::NotAccepted,
        }
    }

    /// Closes the connection, which makes the zygote exit, and kills it after a timeout.
    fn end(&mut self) -> std::io::Result<()> {
        drop(self.socket.take());
        let since = Instant::now();
        // A zygote that is busy or still starting does not read the connection.
        let timeout = match self.ready && self.fork.is_none() {
            true => EXIT_TIMEOUT,
            false => Duration::ZERO,
        };
        while self.child.try_wait()?.is_none() {
            if since.elapsed() >= timeout {
                self.child.kill()?;
                self.child.wait()?;
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

fn protocol_error(reason: &str) -> OfficeError {
    OfficeError::Protocol(reason.to_owned())
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            tracing::error!(%error, "an office zygote could not be ended");
        }
        // The parent-death signal kills the fork with the zygote, where supported; wait for its end before removing its files.
        if let Some(Err(error)) = self.fork.map(kill_orphans) {
            tracing::error!(%error, "a fork of an office zygote could not be killed");
        }
        if let Some(Err(error)) = self.home.take().map(Scratch::wipe) {
            tracing::error!(%error, "an office profile could not be removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that sends nothing, and the zygote's end of its connection.
    fn silent() -> (Process, Socket) {
        // Spawn before creating the sockets, so that the child does not inherit them before `exec`.
        let child = Command::new("sleep").arg("1000").spawn().unwrap();
        let (ours, theirs) = Socket::pair().unwrap();
        let process = Process {
            child,
            socket: Some(ours),
            ready: false,
            accepted: false,
            fork: None,
            home: None,
        };
        (process, theirs)
    }

    fn ready() -> Response {
        Response::Ready("25.2".to_owned())
    }

    #[test]
    fn a_zygote_that_was_ready_before_the_wait_does_not_time_out() {
        let never = AtomicBool::new(false);
        let (mut process, zygote) = silent();
        let slow = process.await_ready_within(Duration::ZERO, &never);
        assert!(matches!(slow, Err(OfficeError::NotReady(_))), "{slow:?}");
        zygote.send(&ready()).unwrap();
        process.await_ready_within(Duration::ZERO, &never).unwrap();
    }

    #[test]
    fn the_end_of_an_idle_zygote_is_detected() {
        let (mut process, zygote) = silent();
        assert!(!process.has_ended());
        zygote.send(&ready()).unwrap();
        process.await_ready(&AtomicBool::new(false)).unwrap();
        assert!(!process.has_ended());
        drop(zygote);
        assert!(process.has_ended());
    }
}
