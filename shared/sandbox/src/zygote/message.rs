//! What a processor and its zygote tell each other: an order is a packet with three descriptors, its answer a packet with the
//! number of the process that was made.

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

/// What a fork is given: the description of its job, standard output, standard error.
const ENDS: usize = 3;
/// What an order says beside its descriptors; there is one kind.
const ORDER: [u8; 1] = [1];

/// Orders a fork.
pub(super) fn send_order(
    connection: &OwnedFd,
    ends: &[BorrowedFd<'_>; ENDS],
) -> std::io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(ENDS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(ends)) {
        return Err(Error::from(ErrorKind::InvalidInput));
    }
    let order = [IoSlice::new(&ORDER)];
    sendmsg(connection, &order, &mut control, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Waits for the next order; `None` when nobody is left to give any.
pub(super) fn receive_order(connection: &OwnedFd) -> std::io::Result<Option<[OwnedFd; ENDS]>> {
    let mut order = ORDER;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(ENDS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = retry_on_intr(|| {
        let mut order = [IoSliceMut::new(&mut order)];
        recvmsg(connection, &mut order, &mut control, flags)
    })?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let rights = control.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(rights) => Some(rights),
        _ => None,
    });
    let ends: Vec<OwnedFd> = rights.flatten().collect();
    let garbled = |_| Error::from(ErrorKind::InvalidData);
    ends.try_into().map(Some).map_err(garbled)
}

/// Says which process was made, if one could be.
pub(super) fn send_answer(connection: &OwnedFd, fork: Option<Pid>) -> std::io::Result<()> {
    let answer = fork.map_or(0, |fork| fork.as_raw_nonzero().get());
    send(connection, &answer.to_ne_bytes(), SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Waits for the answer to an order, no longer than this.
pub(super) fn receive_answer(connection: &OwnedFd, within: Duration) -> std::io::Result<Pid> {
    let time = Timespec::try_from(within).unwrap_or_default();
    let mut waited = [PollFd::from_borrowed_fd(connection.as_fd(), PollFlags::IN)];
    if retry_on_intr(|| poll(&mut waited, Some(&time)))? == 0 {
        return Err(Error::from(ErrorKind::TimedOut));
    }
    let mut answer = 0_i32.to_ne_bytes();
    let (count, _) = retry_on_intr(|| recv(connection, &mut answer, RecvFlags::empty()))?;
    let fork = Pid::from_raw(i32::from_ne_bytes(answer));
    let none = || Error::from(ErrorKind::UnexpectedEof);
    fork.filter(|_| count == answer.len()).ok_or_else(none)
}
