//! Messages that go from a dead-letter queue to where they came from.

use std::collections::HashMap;

use aws_sdk_sqs::types::{Message, MessageSystemAttributeName::SentTimestamp};
use domain::ports::PortError;
use domain::timestamp::Timestamp;

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "sqs";
/// Most messages of one receipt.
const AT_ONCE: i32 = 10;
/// How long a message that is moved is out of sight, in seconds.
const OUT_OF_SIGHT: i32 = 60;
/// How long to look for a message, in seconds: without waiting, a part of a queue may be overlooked.
const PATIENCE: i32 = 2;

/// What became of the messages of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// How many the other queue has now.
    pub moved: usize,
    /// How many came too late, and were left.
    pub left: usize,
}

impl Services {
    /// Sends the messages that the queue at `from` has held since before `until` to that at `to`, each as `read` makes it,
    /// and counts them. A message is deleted when the other queue has it. What comes back meanwhile is left: this ends when
    /// nothing comes, or nothing that was not looked at before.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] when a queue does not answer.
    pub async fn move_messages(
        &self,
        from: &str,
        to: &str,
        until: Timestamp,
        read: impl Fn(&str) -> String,
    ) -> Result<Moved, PortError> {
        let (mut moved, mut newer) = (0, HashMap::new());
        loop {
            let (older, late): (Vec<_>, Vec<_>) = self
                .receive(from)
                .await?
                .into_iter()
                .partition(|message| sent_before(message, until));
            let known = newer.len();
            newer.extend(late.into_iter().map(|late| (late.message_id.clone(), late)));
            if older.is_empty() && newer.len() == known {
                break;
            }
            for message in &older {
                self.move_one(from, to, message, &read).await?;
                moved += 1;
            }
        }
        let left = newer.len();
        self.show_again(from, newer.into_values()).await?;
        Ok(Moved { moved, left })
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

    /// Puts messages in sight again that are left where they are. One that cannot be comes in sight by itself within a
    /// minute, if it has not already.
    async fn show_again(
        &self,
        queue: &str,
        messages: impl Iterator<Item = Message>,
    ) -> Result<(), PortError> {
        for message in messages {
            let request = self.queues().change_message_visibility().queue_url(queue);
            let request = request.receipt_handle(handle(&message)?);
            if let Err(error) = request.visibility_timeout(0).send().await {
                let error = failed(SERVICE, &error);
                tracing::warn!(%error, "a message that is left stays out of sight for a minute");
            }
        }
        Ok(())
    }

    async fn receive(&self, queue: &str) -> Result<Vec<Message>, PortError> {
        let request = self.queues().receive_message().queue_url(queue);
        let received = request
            .max_number_of_messages(AT_ONCE)
            .message_system_attribute_names(SentTimestamp)
            .visibility_timeout(OUT_OF_SIGHT)
            .wait_time_seconds(PATIENCE)
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
    handle.ok_or_else(|| unavailable(SERVICE, "a message without a handle"))
}

/// Whether a queue has held a message since before that moment. One that does not say so is left where it is.
fn sent_before(message: &Message, until: Timestamp) -> bool {
    let attributes = message.attributes();
    let sent = attributes.and_then(|attributes| attributes.get(&SentTimestamp)?.parse().ok());
    sent.is_some_and(|sent: i64| sent < until.milliseconds())
}
