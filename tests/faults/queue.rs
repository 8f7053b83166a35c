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

    /// The queue for what `consumer` could not handle.
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

    /// Loses every message.
    pub(crate) async fn purge(&self) {
        self.client
            .purge_queue()
            .queue_url(&self.url)
            .send()
            .await
            .unwrap();
    }

    /// The body of the next message, which is then gone; `None` if none comes within `patience`.
    pub(crate) async fn take(&self, patience: Duration) -> Option<String> {
        let deadline = Instant::now() + patience;
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

    /// How many messages it holds, waiting, held back or handed out.
    pub(crate) async fn len(&self) -> u32 {
        let names = [
            ApproximateNumberOfMessages,
            ApproximateNumberOfMessagesDelayed,
            ApproximateNumberOfMessagesNotVisible,
        ];
        let request = self.client.get_queue_attributes().queue_url(&self.url);
        let answer = request
            .set_attribute_names(Some(names.to_vec()))
            .send()
            .await
            .unwrap();
        let attributes = answer.attributes.unwrap();
        names
            .iter()
            .map(|name| attributes[name].parse::<u32>().unwrap())
            .sum()
    }

    /// Waits until no more messages than these are left.
    pub(crate) async fn drained_to(&self, count: u32) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while self.len().await > count {
            assert!(
                Instant::now() < deadline,
                "{} messages stay in {}",
                self.len().await,
                self.url
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Hands messages that were not handled out again after a second, until the guard is dropped.
    pub(crate) async fn impatient(&self) -> Impatient {
        let request = self.client.get_queue_attributes().queue_url(&self.url);
        let answer = request
            .attribute_names(VisibilityTimeout)
            .send()
            .await
            .unwrap();
        let usual = answer.attributes.unwrap()[&VisibilityTimeout].clone();
        self.set_visibility("1").await;
        Impatient {
            queue: self.clone(),
            usual,
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

/// A queue with a short visibility timeout.
pub(crate) struct Impatient {
    queue: Queue,
    usual: String,
}

impl Drop for Impatient {
    fn drop(&mut self) {
        let restore = || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                Queue::at(&self.queue.url)
                    .await
                    .set_visibility(&self.usual)
                    .await
            });
        };
        std::thread::scope(|scope| drop(scope.spawn(restore).join()));
    }
}
