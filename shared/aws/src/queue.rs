//! Tickets to the processors' queues.

use std::time::Duration;

use async_trait::async_trait;
use domain::operation::Processor;
use domain::ports::{PortError, SendTickets};
use domain::ticket::Ticket;

use crate::error::{failed, unavailable};
use crate::services::Services;

/// The name under which failures of the queues are reported.
pub(crate) const SERVICE: &str = "sqs";
/// The longest delay of a queue.
const LONGEST_DELAY: Duration = Duration::from_secs(900);

#[async_trait]
impl SendTickets for Services {
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
}

/// Whole seconds, rounded up: a ticket that arrives early finds its job not due.
pub(crate) fn seconds(delay: Duration) -> i32 {
    let seconds = delay.min(LONGEST_DELAY).as_millis().div_ceil(1_000);
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
