//! Connection to a browser over its pipes (`--remote-debugging-pipe`): NUL-terminated JSON messages [Chrome DevTools
//! Protocol].

use std::io::{BufRead, BufReader, Read, Write as _};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Instant;

use chromiumoxide_cdp::cdp::browser_protocol::target::SessionId;
use chromiumoxide_types::{CallId, Command, MethodCall};
use serde::de::DeserializeOwned;

use crate::BrowserError;
use crate::message::Message;

/// Maximum length of a message in bytes: a chunk of a printed document is far shorter.
const MAX_MESSAGE: u64 = 64 * 1024 * 1024;
/// Maximum number of queued messages. When the queue is full, the browser's pipe fills up and the browser blocks.
const MAX_QUEUED: usize = 256;

/// The pipes of a browser.
pub(crate) struct Connection {
    commands: ChildStdin,
    messages: Receiver<Result<Message, BrowserError>>,
    last_id: usize,
}

impl Connection {
    /// Takes over the pipes of a browser. A thread reads the messages, so that receiving can have a deadline.
    pub(crate) fn new(commands: ChildStdin, messages: ChildStdout) -> Self {
        let (sender, receiver) = sync_channel(MAX_QUEUED);
        std::thread::spawn(move || read_all(messages, &sender));
        Self {
            commands,
            messages: receiver,
            last_id: 0,
        }
    }

    /// Sends a command to the browser, or to the page of `session`. Returns the number that the response will have.
    pub(crate) fn send(
        &mut self,
        session: Option<&SessionId>,
        command: &impl Command,
    ) -> Result<CallId, BrowserError> {
        self.last_id += 1;
        let id = CallId::new(self.last_id);
        let call = MethodCall {
            id,
            method: command.identifier(),
            session_id: session.map(|session| session.inner().clone()),
            params: serde_json::to_value(command).map_err(BrowserError::Serialize)?,
        };
        let mut text = serde_json::to_vec(&call).map_err(BrowserError::Serialize)?;
        text.push(0);
        let written = self.commands.write_all(&text);
        written.map_err(|_| BrowserError::Closed)?;
        Ok(id)
    }

    /// The next message; `None` if none arrives in time.
    pub(crate) fn receive(&self, until: Instant) -> Result<Option<Message>, BrowserError> {
        let time = until.saturating_duration_since(Instant::now());
        match self.messages.recv_timeout(time) {
            Ok(message) => message.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(BrowserError::Closed),
        }
    }

    /// Sends a command to the browser itself and waits for the response. Events that arrive before it are dropped.
    pub(crate) fn call<R: DeserializeOwned>(
        &mut self,
        command: &impl Command,
        until: Instant,
    ) -> Result<R, BrowserError> {
        let id = self.send(None, command)?;
        loop {
            match self.receive(until)?.ok_or(BrowserError::TimedOut)? {
                Message::Response(response) if response.id == id => {
                    return response.result(&command.identifier());
                }
                _ => {}
            }
        }
    }
}

/// Reads until the browser ends, a message is malformed, or the receiver is dropped.
fn read_all(messages: impl Read, sender: &SyncSender<Result<Message, BrowserError>>) {
    let mut messages = BufReader::new(messages);
    loop {
        let message = match read(&mut messages, MAX_MESSAGE) {
            Some(text) => text.and_then(|text| Message::parse(&text)),
            None => return,
        };
        let is_last = message.is_err();
        let Some(message) = message.transpose() else {
            continue;
        };
        if sender.send(message).is_err() || is_last {
            return;
        }
    }
}

/// Reads the next message; `None` at the end of the stream.
fn read(messages: &mut impl BufRead, max: u64) -> Option<Result<Vec<u8>, BrowserError>> {
    let mut text = Vec::new();
    let length = messages.take(max).read_until(0, &mut text).ok()?;
    match text.pop() {
        Some(0) => Some(Ok(text)),
        Some(_) if length as u64 == max => {
            let reason = format!("it has more than {max} bytes");
            Some(Err(BrowserError::malformed("message", reason)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Passes bytes through the reader and returns the received messages.
    fn receive(bytes: &[u8]) -> Vec<Result<Message, BrowserError>> {
        let (sender, receiver) = sync_channel(MAX_QUEUED);
        read_all(bytes, &sender);
        drop(sender);
        receiver.iter().collect()
    }

    #[test]
    fn messages_end_with_a_nul_byte_and_an_incomplete_one_is_dropped() {
        let received =
            receive(b"{\"id\":1,\"result\":{}}\0{\"method\":\"Page.unknown\"}\0{\"id\":2,\"res");
        assert!(matches!(&*received, [Ok(Message::Response(_))]));
    }

    #[test]
    fn nothing_is_read_after_a_malformed_message() {
        let received = receive(b"{\"id\":true}\0{\"id\":2,\"result\":{}}\0");
        assert!(matches!(&*received, [Err(BrowserError::Malformed { .. })]));
    }

    #[test]
    fn a_message_that_is_too_long_is_malformed() {
        let read = |bytes: &[u8]| read(&mut BufReader::new(bytes), 4);
        assert_eq!(read(b"123\0").unwrap().unwrap(), b"123");
        assert_eq!(
            read(b"1234\0").unwrap().unwrap_err().to_string(),
            "the browser sent a malformed message: it has more than 4 bytes"
        );
        assert!(read(b"123").is_none());
        assert!(read(b"").is_none());
    }

    #[test]
    fn a_closed_connection_is_an_error_and_a_timeout_is_none() {
        let child = |script: &str| {
            std::process::Command::new("/bin/sh")
                .args(["-c", script])
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        };
        let mut ended = child("exit");
        let connection = Connection::new(ended.stdin.take().unwrap(), ended.stdout.take().unwrap());
        let until = Instant::now() + Duration::from_secs(10);
        let received = connection.receive(until);
        assert!(
            matches!(received, Err(BrowserError::Closed)),
            "{received:?}"
        );
        ended.wait().unwrap();

        let mut silent = child("read line");
        let connection =
            Connection::new(silent.stdin.take().unwrap(), silent.stdout.take().unwrap());
        let received = connection.receive(Instant::now());
        assert!(matches!(received, Ok(None)), "{received:?}");
        drop(connection);
        silent.wait().unwrap();
    }
}
