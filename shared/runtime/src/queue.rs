//! SQS batches with partial batch responses: only failed messages return to the queue.

use std::future::ready;

use aws_lambda_events::event::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use futures::{StreamExt as _, stream};
use lambda_runtime::{LambdaEvent, service_fn};
use tracing::Instrument;

use crate::Error;

/// An SQS message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The message id.
    pub id: String,
    /// The message body.
    pub body: String,
}

/// How the messages of a batch are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concurrency {
    /// One after the other.
    Sequential,
    /// All at the same time, for I/O-bound handlers.
    Concurrent,
}

/// Serves batches until the process ends, one message after the other. If the handler returns an error, the message returns
/// to its queue.
///
/// # Errors
/// When the Lambda runtime API is unreachable.
pub async fn serve<H, F>(handler: H) -> Result<(), Error>
where
    H: Fn(Message) -> F,
    F: Future<Output = Result<(), Error>>,
{
    serve_with(Concurrency::Sequential, handler).await
}

/// Serves batches until the process ends, the messages of a batch concurrently.
///
/// # Errors
/// When the Lambda runtime API is unreachable.
pub async fn serve_concurrently<H, F>(handler: H) -> Result<(), Error>
where
    H: Fn(Message) -> F,
    F: Future<Output = Result<(), Error>>,
{
    serve_with(Concurrency::Concurrent, handler).await
}

async fn serve_with<H, F>(concurrency: Concurrency, handler: H) -> Result<(), Error>
where
    H: Fn(Message) -> F,
    F: Future<Output = Result<(), Error>>,
{
    let handler = &handler;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<SqsEvent>| async move {
        let span = tracing::info_span!("batch", request_id = %event.context.request_id);
        let batch = handle_batch(event.payload, concurrency, handler);
        batch.instrument(span).await
    }))
    .await
}

/// Handles the messages of a batch and returns the failed ones, in the order of the batch.
///
/// # Errors
/// When a message has no id. It could not be returned as failed, so the whole batch must be redelivered.
pub async fn handle_batch<H, F>(
    event: SqsEvent,
    concurrency: Concurrency,
    handler: &H,
) -> Result<SqsBatchResponse, Error>
where
    H: Fn(Message) -> F,
    F: Future<Output = Result<(), Error>>,
{
    let messages = event
        .records
        .into_iter()
        .map(message)
        .collect::<Result<Vec<_>, _>>()?;
    let max_concurrent = match concurrency {
        Concurrency::Sequential => 1,
        Concurrency::Concurrent => messages.len().max(1),
    };
    let failed = stream::iter(messages)
        .map(|message| failure(message, handler))
        .buffered(max_concurrent)
        .filter_map(ready);
    let mut response = SqsBatchResponse::default();
    response.batch_item_failures = failed.collect().await;
    Ok(response)
}

/// Handles one message. Returns its id if it failed and must be redelivered.
async fn failure<H, F>(message: Message, handler: &H) -> Option<BatchItemFailure>
where
    H: Fn(Message) -> F,
    F: Future<Output = Result<(), Error>>,
{
    let id = message.id.clone();
    let error = handler(message).await.err()?;
    tracing::error!(message_id = %id, %error, "message handler failed; the message returns to its queue");
    let mut failure = BatchItemFailure::default();
    failure.item_identifier = id;
    Some(failure)
}

fn message(record: SqsMessage) -> Result<Message, Error> {
    Ok(Message {
        id: record.message_id.ok_or("SQS message without a messageId")?,
        body: record.body.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn batch(bodies: &[(&str, Option<&str>)]) -> SqsEvent {
        let records: Vec<_> = bodies
            .iter()
            .map(|(body, id)| {
                json!({"messageId": id, "body": body, "attributes": {"ApproximateReceiveCount": "3"},
                    "eventSourceARN": "arn:aws:sqs:us-east-1:000000000000:work", "messageAttributes": {}})
            })
            .collect();
        serde_json::from_value(json!({"Records": records})).unwrap()
    }

    async fn failed<H, F>(concurrency: Concurrency, handler: H) -> Vec<String>
    where
        H: Fn(Message) -> F,
        F: Future<Output = Result<(), Error>>,
    {
        let batch = batch(&[
            ("good", Some("1")),
            ("bad", Some("2")),
            ("good", Some("3")),
            ("bad", Some("4")),
        ]);
        let response = handle_batch(batch, concurrency, &handler).await.unwrap();
        let failures = response.batch_item_failures.into_iter();
        failures.map(|item| item.item_identifier).collect()
    }

    fn handle(message: &Message) -> Result<(), Error> {
        match message.body.as_str() {
            "bad" => Err("no".into()),
            _ => Ok(()),
        }
    }

    #[tokio::test]
    async fn only_failed_messages_are_returned() {
        let handler = |message: Message| async move { handle(&message) };
        for concurrency in [Concurrency::Sequential, Concurrency::Concurrent] {
            let failures = failed(concurrency, handler).await;
            assert_eq!(failures, ["2", "4"], "{concurrency:?}");
        }
    }

    #[tokio::test]
    async fn concurrent_messages_run_at_the_same_time() {
        let barrier = tokio::sync::Barrier::new(4);
        let handler = async |message: Message| {
            barrier.wait().await;
            handle(&message)
        };
        let failures = failed(Concurrency::Concurrent, handler).await;
        assert_eq!(failures, ["2", "4"]);
    }

    #[tokio::test]
    async fn sequential_messages_never_overlap() {
        let busy = std::cell::Cell::new(false);
        let handler = async |message: Message| {
            assert!(!busy.replace(true));
            tokio::task::yield_now().await;
            busy.set(false);
            handle(&message)
        };
        let failures = failed(Concurrency::Sequential, handler).await;
        assert_eq!(failures, ["2", "4"]);
    }

    #[tokio::test]
    async fn a_message_without_an_id_fails_the_batch_before_any_message_is_handled() {
        let handler = |_: Message| async { panic!("handled") };
        for concurrency in [Concurrency::Sequential, Concurrency::Concurrent] {
            let batch = batch(&[("good", Some("1")), ("lost", None)]);
            assert!(handle_batch(batch, concurrency, &handler).await.is_err());
        }
    }
}
