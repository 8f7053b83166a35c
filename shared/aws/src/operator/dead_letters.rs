//! Redrives messages from a dead-letter queue to their source queue.

use std::collections::HashMap;

use aws_sdk_sqs::types::{Message, MessageSystemAttributeName::SentTimestamp};
use domain::ports::PortError;
use domain::timestamp::Timestamp;

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "sqs";
/// Maximum number of messages of one ReceiveMessage.
const MAX_MESSAGES: i32 = 10;
/// Visibility timeout of received messages, in seconds.
const VISIBILITY_TIMEOUT: i32 = 60;
/// Long-polling wait time, in seconds: short polling samples only some of the servers of a queue.
const WAIT_TIME: i32 = 2;

/// Number of messages by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveReport {
    /// Messages sent to the target queue and deleted from the source.
    pub moved: usize,
    /// Messages that arrived too late and stay in the queue.
    pub left: usize,
}

impl Services {
    /// Moves the messages sent before `until` from the queue `from` to the queue `to`, each converted by `read`, and counts
    /// them. A message is deleted after it has been sent. Ends when no message is received, or only messages seen before, so
    /// it terminates even while messages return.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] if SQS fails.
    pub async fn move_messages(
        &self,
        from: &str,
        to: &str,
        until: Timestamp,
        read: impl Fn(&str) -> String,
    ) -> Result<MoveReport, PortError> {
        let (mut moved, mut newer) = (0, HashMap::new());
        loop {
            let (older, late): (Vec<_>, Vec<_>) = self
                .receive(from)
                .await?
                .into_iter()
                .partition(|message| sent_before(message, until));
            let before = newer.len();
            newer.extend(late.into_iter().map(|late| (late.message_id.clone(), late)));
            if older.is_empty() && newer.len() == before {
                break;
            }
            for message in &older {
                self.move_one(from, to, message, &read).await?;
                moved += 1;
            }
        }
        let left = newer.len();
        self.make_visible(from, newer.into_values()).await?;
        Ok(MoveReport { moved, left })
    }

    async fn move_one(
        &self,
        from: &str,
        to: &str,
        message: &Message,
        read: impl Fn(&str) -> String,
    ) -> Result<(), PortError> {
        let body = message.body().unwrap_or_default();
        self.send_to(to, read(body)).await?;
        self.delete_from(from, message).await
    }

    /// Makes skipped messages visible again. A failure is only logged: the visibility timeout ends within a minute.
    async fn make_visible(
        &self,
        queue: &str,
        messages: impl Iterator<Item = Message>,
    ) -> Result<(), PortError> {
        for message in messages {
            let request = self.queues().change_message_visibility().queue_url(queue);
            let request = request.receipt_handle(handle(&message)?);
            if let Err(error) = request.visibility_timeout(0).send().await {
                let error = failed(SERVICE, &error);
                tracing::warn!(%error, "cannot make a skipped message visible; it stays hidden for a minute");
            }
        }
        Ok(())
    }

    async fn receive(&self, queue: &str) -> Result<Vec<Message>, PortError> {
        let request = self.queues().receive_message().queue_url(queue);
        let received = request
            .max_number_of_messages(MAX_MESSAGES)
            .message_system_attribute_names(SentTimestamp)
            .visibility_timeout(VISIBILITY_TIMEOUT)
            .wait_time_seconds(WAIT_TIME)
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(received.messages.unwrap_or_default())
    }

    async fn send_to(&self, queue: &str, body: String) -> Result<(), PortError> {
        let request = self.queues().send_message().queue_url(queue);
        let sent = request.message_body(body).send().await;
        sent.map_err(|error| failed(SERVICE, &error))?;
        Ok(())
    }

    async fn delete_from(&self, queue: &str, message: &Message) -> Result<(), PortError> {
        let request = self.queues().delete_message().queue_url(queue);
        let deleted = request.receipt_handle(handle(message)?).send().await;
        deleted.map_err(|error| failed(SERVICE, &error))?;
        Ok(())
    }
}

fn handle(message: &Message) -> Result<&str, PortError> {
    let handle = message.receipt_handle();
    handle.ok_or_else(|| unavailable(SERVICE, "a message without receipt handle"))
}

/// Whether a message was sent before `until`; `false` if it has no `SentTimestamp`.
fn sent_before(message: &Message, until: Timestamp) -> bool {
    let attributes = message.attributes();
    let sent = attributes.and_then(|attributes| attributes.get(&SentTimestamp)?.parse().ok());
    sent.is_some_and(|sent: i64| sent < until.milliseconds())
}
