//! Commands to a browser and what it answers: JSON texts that end with a zero byte each [Chrome DevTools Protocol].

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};

use super::Trouble;

/// The longest message that is read, in bytes: a piece of a printed document is far shorter.
const MESSAGE: u64 = 64 * 1024 * 1024;
/// Messages that wait to be read before the browser has to wait.
const WAITING: usize = 256;

/// An answer or an event.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Message {
    /// Of the command that it answers; events have none.
    pub(super) id: Option<u64>,
    /// What the event is about; answers have none.
    pub(super) method: String,
    pub(super) params: Value,
    pub(super) result: Value,
    pub(super) error: Option<Value>,
    /// The page that it comes from.
    pub(super) session_id: String,
}

/// The pipes.
pub(crate) struct Connection {
    commands: ChildStdin,
    messages: Receiver<Message>,
    last_id: u64,
}

impl Connection {
    /// Takes the pipes of a browser. A thread reads, so that waiting can end.
    pub(super) fn new(commands: ChildStdin, answers: ChildStdout) -> Self {
        let (sender, messages) = sync_channel(WAITING);
        std::thread::spawn(move || read(answers, &sender));
        Self {
            commands,
            messages,
            last_id: 0,
        }
    }

    /// Sends a command to the browser, or to a page if `session` names one; the number of its answer.
    pub(super) fn send(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: &Value,
    ) -> Result<u64, Trouble> {
        self.last_id += 1;
        let mut command = json!({ "id": self.last_id, "method": method, "params": params });
        if let (Some(session), Some(command)) = (session, command.as_object_mut()) {
            command.insert("sessionId".to_owned(), session.into());
        }
        let mut text = command.to_string().into_bytes();
        text.push(0);
        self.commands.write_all(&text).map_err(|_| Trouble::Gone)?;
        Ok(self.last_id)
    }

    /// The next message; `None` if there is none by then.
    pub(super) fn receive(&self, until: Instant) -> Result<Option<Message>, Trouble> {
        let time = until.saturating_duration_since(Instant::now());
        match self.messages.recv_timeout(time) {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Trouble::Gone),
        }
    }

    /// Sends a command to the browser itself and waits for its answer. Whatever else it says meanwhile is passed over.
    pub(super) fn ask(
        &mut self,
        method: &str,
        params: &Value,
        until: Instant,
    ) -> Result<Value, Trouble> {
        let id = self.send(None, method, params)?;
        loop {
            let message = self.receive(until)?.ok_or(Trouble::Late)?;
            if message.id == Some(id) {
                return answer(message);
            }
        }
    }
}

/// What an answer holds.
pub(super) fn answer(message: Message) -> Result<Value, Trouble> {
    match message.error {
        None => Ok(message.result),
        Some(_) => Err(Trouble::Refused),
    }
}

/// Ends with the browser, at the first text that makes no sense, or when nobody listens any more.
fn read(answers: impl Read, sender: &SyncSender<Message>) {
    let mut answers = BufReader::new(answers);
    loop {
        let mut text = Vec::new();
        let read = (&mut answers).take(MESSAGE).read_until(0, &mut text);
        if read.is_err() || text.pop() != Some(0) {
            return;
        }
        let Ok(message) = serde_json::from_slice(&text) else {
            return;
        };
        if sender.send(message).is_err() {
            return;
        }
    }
}
