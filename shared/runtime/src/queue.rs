//! Serves a queue: each message on its own, and only those that failed stay in the queue.

use aws_lambda_events::event::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
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

/// Serves until the process ends. A message whose handler answers an error stays in its queue.
///
/// # Errors
/// When Lambda's runtime interface cannot be reached.
pub async fn serve<H, F>(handler: H) -> Result<(), Error>
where
    H: Fn(Message) -> F,
    F: Future<Output = Result<(), Error>>,
{
    let handler = &handler;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<SqsEvent>| async move {
        let span = tracing::info_span!("batch", request_id = %event.context.request_id);
        handle_batch(event.payload, handler).instrument(span).await
    }))
    .await
}

/// Handles every message of a batch and names those that failed.
///
/// # Errors
/// When a message has no identifier: it could not be named as failed, so the whole batch has to come again.
pub async fn handle_batch<H, F>(event: SqsEvent, handler: &H) -> Result<SqsBatchResponse, Error>
where
    H: Fn(Message) -> F,
    F: Future<Output = Result<(), Error>>,
{
    let messages = event
        .records
        .into_iter()
        .map(message)
        .collect::<Result<Vec<_>, _>>()?;
    let mut response = SqsBatchResponse::default();
    for message in messages {
        let id = message.id.clone();
        if let Err(error) = handler(message).await {
            tracing::error!(message_id = %id, %error, "message not handled; it stays in its queue");
            let mut failure = BatchItemFailure::default();
            failure.item_identifier = id;
            response.batch_item_failures.push(failure);
        }
    }
    Ok(response)
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

    #[tokio::test]
    async fn only_the_messages_that_failed_are_named() {
        let handler = |message: Message| async move {
            if message.body == "bad" {
                Err("no".into())
            } else {
                Ok(())
            }
        };
        let response = handle_batch(
            batch(&[("good", Some("1")), ("bad", Some("2")), ("good", Some("3"))]),
            &handler,
        )
        .await;
        let failed: Vec<_> = response
            .unwrap()
            .batch_item_failures
            .into_iter()
            .map(|item| item.item_identifier)
            .collect();
        assert_eq!(failed, ["2"]);
    }

    #[tokio::test]
    async fn a_message_that_cannot_be_named_fails_the_batch_before_anything_is_handled() {
        let handler = |_: Message| async { panic!("handled") };
        assert!(
            handle_batch(batch(&[("good", Some("1")), ("lost", None)]), &handler)
                .await
                .is_err()
        );
    }
}
