//! SendMessageBatch requests of delivery tickets.

use std::time::Duration;

use aws_sdk_sqs::operation::send_message_batch::SendMessageBatchOutput;
use aws_sdk_sqs::types::SendMessageBatchRequestEntry;
use domain::ports::PortError;
use domain::subscription::{DeliveryTicket, Lane};

use super::{SERVICE, seconds};
use crate::error::{failed, unavailable};
use crate::services::Services;

/// Maximum number of messages of one SendMessageBatch.
const MAX_ENTRIES: usize = 10;

/// Splits the tickets of one lane into batches.
pub(super) fn batches(tickets: &[DeliveryTicket], lane: Lane) -> Vec<(Lane, Vec<DeliveryTicket>)> {
    let own = tickets.iter().filter(|ticket| ticket.lane == lane);
    let own: Vec<_> = own.cloned().collect();
    let batches = own.chunks(MAX_ENTRIES);
    batches.map(|batch| (lane, batch.to_vec())).collect()
}

/// The accepted tickets of all batches. If only some batches failed, the others' tickets are returned, because they need
/// not be sent again.
pub(super) fn all_accepted(
    responses: Vec<Result<Vec<DeliveryTicket>, PortError>>,
) -> Result<Vec<DeliveryTicket>, PortError> {
    let (mut all_accepted, mut failure) = (Vec::new(), None);
    for response in responses {
        match response {
            Ok(accepted) => all_accepted.extend(accepted),
            Err(error) => failure = Some(error),
        }
    }
    match failure {
        Some(error) if all_accepted.is_empty() => Err(error),
        Some(error) => {
            tracing::warn!(%error, "only some of the tickets were sent");
            Ok(all_accepted)
        }
        None => Ok(all_accepted),
    }
}

impl Services {
    pub(super) async fn send_batch(
        &self,
        lane: Lane,
        tickets: Vec<DeliveryTicket>,
        delay: Duration,
    ) -> Result<Vec<DeliveryTicket>, PortError> {
        let numbered = tickets.iter().enumerate();
        let entries: Result<Vec<_>, _> = numbered
            .map(|(number, ticket)| entry(number, ticket, delay))
            .collect();
        let response = self
            .queues()
            .send_message_batch()
            .queue_url(self.deliver_queue(lane)?)
            .set_entries(Some(entries?))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(accepted(&tickets, &response))
    }
}

fn entry(
    number: usize,
    ticket: &DeliveryTicket,
    delay: Duration,
) -> Result<SendMessageBatchRequestEntry, PortError> {
    let unwritable = |error: &dyn std::fmt::Display| unavailable(SERVICE, error.to_string());
    let body = ticket.write().map_err(|error| unwritable(&error))?;
    SendMessageBatchRequestEntry::builder()
        .id(number.to_string())
        .message_group_id(ticket.subscription_id.as_str())
        .message_body(body)
        .delay_seconds(seconds(delay))
        .build()
        .map_err(|error| unwritable(&error))
}

/// The tickets that SQS reports as successful, by entry identifier.
fn accepted(tickets: &[DeliveryTicket], response: &SendMessageBatchOutput) -> Vec<DeliveryTicket> {
    for rejected in response.failed() {
        tracing::warn!(code = rejected.code(), "SQS rejected a ticket");
    }
    let accepted_entry = |number: usize| {
        let number = number.to_string();
        response
            .successful()
            .iter()
            .any(|entry| entry.id() == number)
    };
    let numbered = tickets.iter().enumerate();
    numbered
        .filter(|(number, _)| accepted_entry(*number))
        .map(|(_, ticket)| ticket.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_sdk_sqs::types::{BatchResultErrorEntry, SendMessageBatchResultEntry};
    use domain::id::{AccountId, DeliveryId, WebhookId};
    use domain::subscription::{DELIVERY_TICKET_VERSION, SubscriptionId};
    use domain::timestamp::Timestamp;

    fn ticket(number: u128) -> DeliveryTicket {
        let at = Timestamp(1);
        DeliveryTicket {
            version: DELIVERY_TICKET_VERSION,
            account_id: AccountId::mint(at, 1),
            subscription_id: SubscriptionId::Webhook(WebhookId::mint(at, 1)),
            delivery_id: DeliveryId::mint(at, number),
            lane: Lane::Ready,
        }
    }

    #[test]
    fn every_ticket_goes_to_the_queue_of_its_lane() {
        let tickets: Vec<_> = (0..25)
            .map(|number| match number % 2 {
                0 => ticket(number),
                _ => ticket(number).in_lane(Lane::Slow),
            })
            .collect();
        for (lane, sizes) in [(Lane::Ready, [10, 3]), (Lane::Slow, [10, 2])] {
            let batches = batches(&tickets, lane);
            let found: Vec<_> = batches.iter().map(|(_, batch)| batch.len()).collect();
            assert_eq!(found, sizes);
            let mut sent = batches.iter().flat_map(|(to, batch)| {
                assert_eq!(*to, lane);
                batch
            });
            assert!(sent.all(|ticket| ticket.lane == lane));
        }
    }

    #[test]
    fn a_ticket_is_accepted_only_if_its_entry_is_reported_as_successful() {
        let tickets = [ticket(1), ticket(2), ticket(3)];
        let good = SendMessageBatchResultEntry::builder()
            .id("2")
            .message_id("m")
            .md5_of_message_body("0")
            .build()
            .unwrap();
        let bad = BatchResultErrorEntry::builder()
            .id("0")
            .code("InternalError")
            .sender_fault(false)
            .build()
            .unwrap();
        let response = SendMessageBatchOutput::builder()
            .successful(good)
            .failed(bad)
            .build()
            .unwrap();
        assert_eq!(accepted(&tickets, &response), [tickets[2].clone()]);
    }
}
