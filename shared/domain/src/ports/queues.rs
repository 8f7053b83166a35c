//! The queues and the switches of their processors.

use std::time::Duration;

use async_trait::async_trait;

use super::PortError;
use crate::processor::Processor;
use crate::subscription::DeliveryTicket;
use crate::ticket::Ticket;

/// Queues of processors, deliveries and fan-out, and the operator's switches of processors.
#[async_trait]
pub trait Queues: Send + Sync {
    /// Sends a ticket to a processor's queue. `group` (the account) is the fair-queueing group; `delay` is at most 15
    /// minutes.
    async fn send(
        &self,
        processor: Processor,
        group: &str,
        ticket: &Ticket,
        delay: Duration,
    ) -> Result<(), PortError>;
    /// Sends delivery tickets, each to the queue of its lane and in the group of its subscription. `delay` is at most 15
    /// minutes. Returns the tickets that the queues accepted.
    async fn send_deliveries(
        &self,
        tickets: &[DeliveryTicket],
        delay: Duration,
    ) -> Result<Vec<DeliveryTicket>, PortError>;
    /// Sends `message`, an event from the bus with a position, to the fan-out queue.
    async fn continue_fan_out(&self, group: &str, message: &str) -> Result<(), PortError>;
    /// Sends a message that is not a valid event to the dead-letter queue of fan-out, with the reason.
    async fn reject(&self, message: &str) -> Result<(), PortError>;
    /// Whether a processor is enabled. Reads the current switch.
    async fn is_enabled(&self, processor: Processor) -> Result<bool, PortError>;
    /// Enables or disables a processor.
    async fn set_enabled(&self, processor: Processor, enabled: bool) -> Result<(), PortError>;
}
