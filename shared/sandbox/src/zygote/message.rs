//! Messages between parent and zygote over a `SOCK_SEQPACKET` socket: a request is a packet with four file descriptors
//! (SCM_RIGHTS), its response a packet with the process id of the fork.

use std::io::{Error, ErrorKind, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recv, recvmsg, send, sendmsg,
};
use rustix::process::Pid;

/// Number of descriptors passed to a fork: its setup, standard output, standard error, lifeline.
pub(super) const DESCRIPTORS: usize = 4;
/// Payload of a request. There is one kind of request.
const FORK_REQUEST: [u8; 1] = [1];

/// Requests a fork.
pub(super) fn send_request(
    connection: &OwnedFd,
    descriptors: &[BorrowedFd<'_>; DESCRIPTORS],
) -> std::io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(Error::from(ErrorKind::InvalidInput));
    }
    let request = [IoSlice::new(&FORK_REQUEST)];
    sendmsg(connection, &request, &mut control, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Waits for the next request; `None` if the connection was closed.
pub(super) fn receive_request(
    connection: &OwnedFd,
) -> std::io::Result<Option<[OwnedFd; DESCRIPTORS]>> {
    let mut request = FORK_REQUEST;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = retry_on_intr(|| {
        let mut request = [IoSliceMut::new(&mut request)];
        recvmsg(connection, &mut request, &mut control, flags)
    })?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let rights = control.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(rights) => Some(rights),
        _ => None,
    });
    let descriptors: Vec<OwnedFd> = rights.flatten().collect();
    let garbled = |_| Error::from(ErrorKind::InvalidData);
    descriptors.try_into().map(Some).map_err(garbled)
}

/// Sends the process id of the fork, or 0 if forking failed.
pub(super) fn send_response(connection: &OwnedFd, fork: Option<Pid>) -> std::io::Result<()> {
    let response = fork.map_or(0, |fork| fork.as_raw_nonzero().get());
    send(connection, &response.to_ne_bytes(), SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Waits at most `timeout` for the response to a request.
pub(super) fn receive_response(connection: &OwnedFd, timeout: Duration) -> std::io::Result<Pid> {
    let time = Timespec::try_from(timeout).unwrap_or_default();
    let mut waited = [PollFd::from_borrowed_fd(connection.as_fd(), PollFlags::IN)];
    if retry_on_intr(|| poll(&mut waited, Some(&time)))? == 0 {
        return Err(Error::from(ErrorKind::TimedOut));
    }
    let mut response = 0_i32.to_ne_bytes();
    let (count, _) = retry_on_intr(|| recv(connection, &mut response, RecvFlags::empty()))?;
    let fork = Pid::from_raw(i32::from_ne_bytes(response));
    let none = || Error::from(ErrorKind::UnexpectedEof);
    fork.filter(|_| count == response.len()).ok_or_else(none)
}
