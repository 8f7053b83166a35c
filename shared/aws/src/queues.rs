//! SQS queues of processors, deliveries and fan-outs, and the switches of processors (an item exists while a processor is
//! disabled).

mod batch;

use std::time::Duration;

use async_trait::async_trait;
use domain::ports::{PortError, Queues};
use domain::processor::Processor;
use domain::subscription::{DeliveryTicket, Lane};
use domain::ticket::Ticket;
use futures::{StreamExt as _, stream};

use self::batch::{all_accepted, batches};
use crate::error::{failed, unavailable};
use crate::item::SERVICE as TABLES;
use crate::services::Services;
use crate::{item, keys};

/// Batches sent concurrently.
const CONCURRENT_BATCHES: usize = 8;
/// Service name in error messages.
const SERVICE: &str = "sqs";
/// Maximum delay of an SQS message.
const MAX_DELAY: Duration = Duration::from_secs(900);

#[async_trait]
impl Queues for Services {
    async fn send(
        &self,
        processor: Processor,
        group: &str,
        ticket: &Ticket,
        delay: Duration,
    ) -> Result<(), PortError> {
        let body = ticket
            .write()
            .map_err(|error| unavailable(SERVICE, error.to_string()))?;
        self.queues()
            .send_message()
            .queue_url(self.queue_url(processor)?)
            .message_group_id(group)
            .message_body(body)
            .delay_seconds(seconds(delay))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(())
    }

    async fn send_deliveries(
        &self,
        tickets: &[DeliveryTicket],
        delay: Duration,
    ) -> Result<Vec<DeliveryTicket>, PortError> {
        let batches = Lane::ALL.map(|lane| batches(tickets, lane));
        let responses: Vec<_> = stream::iter(batches.into_iter().flatten())
            .map(|(lane, batch)| self.send_batch(lane, batch, delay))
            .buffered(CONCURRENT_BATCHES)
            .collect()
            .await;
        all_accepted(responses)
    }

    async fn continue_fan_out(&self, group: &str, message: &str) -> Result<(), PortError> {
        self.queues()
            .send_message()
            .queue_url(self.fanout_queue()?)
            .message_group_id(group)
            .message_body(message)
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(())
    }

    async fn reject(&self, message: &str) -> Result<(), PortError> {
        self.queues()
            .send_message()
            .queue_url(self.fanout_dead_letter_queue()?)
            .message_body(message)
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        Ok(())
    }

    async fn is_enabled(&self, processor: Processor) -> Result<bool, PortError> {
        let key = keys::switch(processor);
        let off = self.read(self.jobs_table()?, &key).await?;
        Ok(off.is_none())
    }

    async fn set_enabled(&self, processor: Processor, on: bool) -> Result<(), PortError> {
        let key = keys::switch(processor);
        let (tables, table) = (self.tables(), self.jobs_table()?);
        if on {
            let removal = tables.delete_item().table_name(table);
            let removal = removal.set_key(Some(key.attributes())).send().await;
            return removal.map(drop).map_err(|error| failed(TABLES, &error));
        }
        let put = tables.put_item().table_name(table);
        let put = put.set_item(Some(item::new(&key, []))).send().await;
        put.map(drop).map_err(|error| failed(TABLES, &error))
    }
}

/// Whole seconds, rounded up, so that a ticket does not arrive before its job is due.
fn seconds(delay: Duration) -> i32 {
    let seconds = delay.min(MAX_DELAY).as_millis().div_ceil(1_000);
    i32::try_from(seconds).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_rounded_up_and_bounded() {
        for (delay, expected) in [(0, 0), (1, 1), (5_000, 5), (5_001, 6), (1_000_000, 900)] {
            assert_eq!(
                seconds(Duration::from_millis(delay)),
                expected,
                "{delay} ms"
            );
        }
    }
}
