//! A queue of the running stack, by its URL.

use std::time::{Duration, Instant};

use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::QueueAttributeName::{
    ApproximateNumberOfMessages, ApproximateNumberOfMessagesDelayed,
    ApproximateNumberOfMessagesNotVisible, VisibilityTimeout,
};
use tests::stack::stack;

use crate::aws;

#[derive(Clone)]
pub(crate) struct Queue {
    client: Client,
    url: String,
}

impl Queue {
    /// The queue of a processor.
    pub(crate) async fn of(processor: &str) -> Self {
        Self::at(&stack().resources.queues[processor]).await
    }

    /// The dead-letter queue of `consumer`.
    pub(crate) async fn dead_letters_of(consumer: &str) -> Self {
        Self::at(&stack().resources.dead_letter_queues[consumer]).await
    }

    pub(crate) async fn at(url: &str) -> Self {
        let client = Client::new(&aws::config().await);
        Self {
            client,
            url: url.to_owned(),
        }
    }

    pub(crate) async fn send(&self, body: &str) {
        let request = self
            .client
            .send_message()
            .queue_url(&self.url)
            .message_body(body);
        request.send().await.unwrap();
    }

    /// Deletes all messages.
    pub(crate) async fn purge(&self) {
        self.client
            .purge_queue()
            .queue_url(&self.url)
            .send()
            .await
            .unwrap();
    }

    /// Receives and deletes the next message; `None` if none arrives within `timeout`.
    pub(crate) async fn take(&self, timeout: Duration) -> Option<String> {
        let deadline = Instant::now() + timeout;
        while Instant::now() < deadline {
            let request = self
                .client
                .receive_message()
                .queue_url(&self.url)
                .wait_time_seconds(1);
            let received = request.send().await.unwrap().messages.unwrap_or_default();
            if let Some(message) = received.into_iter().next() {
                let delete = self.client.delete_message().queue_url(&self.url);
                delete
                    .set_receipt_handle(message.receipt_handle)
                    .send()
                    .await
                    .unwrap();
                return message.body;
            }
        }
        None
    }

    /// Returns the number of messages: visible, delayed and in flight.
    pub(crate) async fn len(&self) -> u32 {
        let names = [
            ApproximateNumberOfMessages,
            ApproximateNumberOfMessagesDelayed,
            ApproximateNumberOfMessagesNotVisible,
        ];
        let request = self.client.get_queue_attributes().queue_url(&self.url);
        let response = request
            .set_attribute_names(Some(names.to_vec()))
            .send()
            .await
            .unwrap();
        let attributes = response.attributes.unwrap();
        names
            .iter()
            .map(|name| attributes[name].parse::<u32>().unwrap())
            .sum()
    }

    /// Waits until at most `count` messages are left.
    pub(crate) async fn wait_until_drained_to(&self, count: u32) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while self.len().await > count {
            assert!(
                Instant::now() < deadline,
                "{} messages left in {}",
                self.len().await,
                self.url
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Sets the visibility timeout to one second until the guard is dropped.
    pub(crate) async fn with_short_visibility(&self) -> ShortVisibility {
        let request = self.client.get_queue_attributes().queue_url(&self.url);
        let response = request
            .attribute_names(VisibilityTimeout)
            .send()
            .await
            .unwrap();
        let original = response.attributes.unwrap()[&VisibilityTimeout].clone();
        self.set_visibility("1").await;
        ShortVisibility {
            queue: self.clone(),
            original,
        }
    }

    async fn set_visibility(&self, seconds: &str) {
        let request = self.client.set_queue_attributes().queue_url(&self.url);
        request
            .attributes(VisibilityTimeout, seconds)
            .send()
            .await
            .unwrap();
    }
}

/// Restores the visibility timeout when dropped.
pub(crate) struct ShortVisibility {
    queue: Queue,
    original: String,
}

impl Drop for ShortVisibility {
    fn drop(&mut self) {
        let restore = || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                Queue::at(&self.queue.url)
                    .await
                    .set_visibility(&self.original)
                    .await
            });
        };
        std::thread::scope(|scope| drop(scope.spawn(restore).join()));
    }
}
