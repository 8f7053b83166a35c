//! A `SOCK_SEQPACKET` connection with one JSON message per packet.

use std::io::{Error, ErrorKind};
use std::os::fd::{AsFd as _, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socketpair,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::protocol::MAX_PACKET;

/// One end of a connection.
pub(crate) struct Socket(OwnedFd);

impl Socket {
    /// Creates a connection; both ends are close-on-exec.
    pub(crate) fn pair() -> std::io::Result<(Self, Self)> {
        let flags = SocketFlags::CLOEXEC;
        let (one, other) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        Ok((Self(one), Self(other)))
    }

    /// Wraps an existing descriptor.
    pub(crate) fn of(descriptor: OwnedFd) -> Self {
        Self(descriptor)
    }

    /// The descriptor, for passing to a child process.
    pub(crate) fn into_descriptor(self) -> OwnedFd {
        self.0
    }

    /// Sends a packet.
    pub(crate) fn send(&self, message: &impl Serialize) -> std::io::Result<()> {
        let packet = serde_json::to_vec(message)?;
        if packet.len() > MAX_PACKET {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "the packet is too large",
            ));
        }
        retry_on_intr(|| send(&self.0, &packet, SendFlags::NOSIGNAL))?;
        Ok(())
    }

    /// Waits for the next packet; `None` if the connection was closed.
    pub(crate) fn receive<T: DeserializeOwned>(&self) -> std::io::Result<Option<T>> {
        let mut packet = vec![0; MAX_PACKET];
        let received = retry_on_intr(|| recv(&self.0, packet.as_mut_slice(), RecvFlags::empty()));
        let count = match received {
            Ok((count, _)) => count,
            Err(Errno::CONNRESET) => 0,
            Err(errno) => return Err(errno.into()),
        };
        match packet.get(..count) {
            None | Some([]) => Ok(None),
            Some(text) => Ok(Some(serde_json::from_slice(text)?)),
        }
    }

    /// Waits at most `time` for a packet or the end of the connection.
    pub(crate) fn is_readable_within(&self, time: Duration) -> std::io::Result<bool> {
        let time = Timespec::try_from(time).unwrap_or_default();
        let mut waited = [PollFd::from_borrowed_fd(self.0.as_fd(), PollFlags::IN)];
        match poll(&mut waited, Some(&time)) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(errno) => Err(errno.into()),
        }
    }
}
