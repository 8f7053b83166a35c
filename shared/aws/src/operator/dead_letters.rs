//! Messages that go from a dead-letter queue to where they came from.

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

impl Services {
    /// Sends the messages that the queue at `from` has held since before `until` to that at `to`, each as `read` makes it,
    /// and counts them. A message is deleted when the other queue has it. What comes back meanwhile is left, so this ends.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] when a queue does not answer.
    pub async fn move_messages(
        &self,
        from: &str,
        to: &str,
        until: Timestamp,
        read: impl Fn(&str) -> String,
    ) -> Result<usize, PortError> {
        let mut moved = 0;
        loop {
            let mut messages = self.receive(from).await?;
            messages.retain(|message| sent_before(message, until));
            if messages.is_empty() {
                return Ok(moved);
            }
            for message in messages {
                let body = message.body().unwrap_or_default();
                self.send_to(to, read(body)).await?;
                self.delete_from(from, &message).await?;
                moved += 1;
            }
        }
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
        let handle = message.receipt_handle();
        let handle = handle.ok_or_else(|| unavailable(SERVICE, "a message without a handle"))?;
        let request = self.queues().delete_message().queue_url(queue);
        let deleted = request.receipt_handle(handle).send().await;
        deleted.map_err(|error| failed(SERVICE, &error))?;
        Ok(())
    }
}

/// Whether a queue has held a message since before that moment. One that does not say so is left where it is.
fn sent_before(message: &Message, until: Timestamp) -> bool {
    let attributes = message.attributes();
    let sent = attributes.and_then(|attributes| attributes.get(&SentTimestamp)?.parse().ok());
    sent.is_some_and(|sent: i64| sent < until.milliseconds())
}
