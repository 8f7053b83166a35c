//! Serves a queue: each message on its own, and only those that failed stay in the queue.

use std::future::ready;

use aws_lambda_events::event::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use futures::{StreamExt as _, stream};
use lambda_runtime::{LambdaEvent, service_fn};
use tracing::Instrument;

use crate::Error;

/// A message of a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The queue's name for it.
    pub id: String,
    /// What it says.
    pub body: String,
}

/// How many messages of a batch are handled at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// One after the other.
    InTurn,
    /// All of them: for work that mostly waits for others.
    AtOnce,
}

/// Serves until the process ends, one message after the other. A message whose handler answers an error stays in its
/// queue.
///
/// # Errors
/// When Lambda's runtime interface cannot be reached.
pub async fn serve<H, F>(handler: H) -> Result<(), Error>
where
    H: Fn(Message) -> F,
    F: Future<Output = Result<(), Error>>,
{
    serve_at(Pace::InTurn, handler).await
}

/// The same, the messages of a batch all at once.
///
/// # Errors
/// When Lambda's runtime interface cannot be reached.
pub async fn serve_at_once<H, F>(handler: H) -> Result<(), Error>
where
    H: Fn(Message) -> F,
    F: Future<Output = Result<(), Error>>,
{
    serve_at(Pace::AtOnce, handler).await
}

async fn serve_at<H, F>(pace: Pace, handler: H) -> Result<(), Error>
where
    H: Fn(Message) -> F,
    F: Future<Output = Result<(), Error>>,
{
    let handler = &handler;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<SqsEvent>| async move {
        let span = tracing::info_span!("batch", request_id = %event.context.request_id);
        let batch = handle_batch(event.payload, pace, handler);
        batch.instrument(span).await
    }))
    .await
}

/// Handles every message of a batch and names those that failed, in the order of the batch.
///
/// # Errors
/// When a message has no identifier: it could not be named as failed, so the whole batch has to come again.
pub async fn handle_batch<H, F>(
    event: SqsEvent,
    pace: Pace,
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
    let at_once = match pace {
        Pace::InTurn => 1,
        Pace::AtOnce => messages.len().max(1),
    };
    let failed = stream::iter(messages)
        .map(|message| failure(message, handler))
        .buffered(at_once)
        .filter_map(ready);
    let mut response = SqsBatchResponse::default();
    response.batch_item_failures = failed.collect().await;
    Ok(response)
}

/// Handles one message; its name, if it has to come again.
async fn failure<H, F>(message: Message, handler: &H) -> Option<BatchItemFailure>
where
    H: Fn(Message) -> F,
    F: Future<Output = Result<(), Error>>,
{
    let id = message.id.clone();
    let error = handler(message).await.err()?;
    tracing::error!(message_id = %id, %error, "message not handled; it stays in its queue");
    let mut failure = BatchItemFailure::default();
    failure.item_identifier = id;
    Some(failure)
}

fn message(record: SqsMessage) -> Result<Message, Error> {
    Ok(Message {
        id: record.message_id.ok_or("a message without an identifier")?,
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

    async fn failed<H, F>(pace: Pace, handler: H) -> Vec<String>
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
        let response = handle_batch(batch, pace, &handler).await.unwrap();
        let failures = response.batch_item_failures.into_iter();
        failures.map(|item| item.item_identifier).collect()
    }

    fn judge(message: &Message) -> Result<(), Error> {
        match message.body.as_str() {
            "bad" => Err("no".into()),
            _ => Ok(()),
        }
    }

    #[tokio::test]
    async fn only_the_messages_that_failed_are_named() {
        let handler = |message: Message| async move { judge(&message) };
        for pace in [Pace::InTurn, Pace::AtOnce] {
            assert_eq!(failed(pace, handler).await, ["2", "4"], "{pace:?}");
        }
    }

    #[tokio::test]
    async fn messages_that_are_handled_at_once_wait_for_none_of_their_batch() {
        let meeting = tokio::sync::Barrier::new(4);
        let handler = async |message: Message| {
            meeting.wait().await;
            judge(&message)
        };
        assert_eq!(failed(Pace::AtOnce, handler).await, ["2", "4"]);
    }

    #[tokio::test]
    async fn messages_that_are_handled_in_turn_begin_when_the_one_before_has_ended() {
        let busy = std::cell::Cell::new(false);
        let handler = async |message: Message| {
            assert!(!busy.replace(true));
            tokio::task::yield_now().await;
            busy.set(false);
            judge(&message)
        };
        assert_eq!(failed(Pace::InTurn, handler).await, ["2", "4"]);
    }

    #[tokio::test]
    async fn a_message_that_cannot_be_named_fails_the_batch_before_anything_is_handled() {
        let handler = |_: Message| async { panic!("handled") };
        for pace in [Pace::InTurn, Pace::AtOnce] {
            let batch = batch(&[("good", Some("1")), ("lost", None)]);
            assert!(handle_batch(batch, pace, &handler).await.is_err());
        }
    }
}
