//! The queues and the switches of their processors.

use std::time::Duration;

use async_trait::async_trait;

use super::PortError;
use crate::processor::Processor;
use crate::subscription::DeliveryTicket;
use crate::ticket::Ticket;

/// The queues of processors, deliveries and fan-outs, and the operator's switches of processors.
#[async_trait]
pub trait Queues: Send + Sync {
    /// Sends a ticket to a processor's queue, fairly among `group`s (accounts), held back for `delay` (at most 15 minutes).
    async fn send(
        &self,
        processor: Processor,
        group: &str,
        ticket: &Ticket,
        delay: Duration,
    ) -> Result<(), PortError>;
    /// Sends tickets, each to the queue of its lane and in the group of its subscription, held back for `delay` (at
    /// most 15 minutes), and returns those that their queues took.
    async fn send_deliveries(
        &self,
        tickets: &[DeliveryTicket],
        delay: Duration,
    ) -> Result<Vec<DeliveryTicket>, PortError>;
    /// Sends `message`, which is an event as the bus brought it and a position, to the queue of fan-outs.
    async fn continue_fan_out(&self, group: &str, message: &str) -> Result<(), PortError>;
    /// Sends a message that is no event to the dead-letter queue of fan-out, with the reason.
    async fn reject(&self, message: &str) -> Result<(), PortError>;
    /// Whether the operator lets a processor work, as of now.
    async fn is_on(&self, processor: Processor) -> Result<bool, PortError>;
    /// Lets a processor work, or not.
    async fn turn(&self, processor: Processor, on: bool) -> Result<(), PortError>;
}
