//! Sending of delivery tickets.

use std::time::Duration;

use super::delivery_ticket::DeliveryTicket;
use crate::ports::Queues;

/// Sends tickets of deliveries that are due in the table. A failure is only logged, because `sweep` resends the tickets.
pub async fn send_now<P>(ports: &P, tickets: &[DeliveryTicket], delay: Duration)
where
    P: Queues + ?Sized,
{
    if tickets.is_empty() {
        return;
    }
    match ports.send_deliveries(tickets, delay).await {
        Ok(accepted) if accepted.len() >= tickets.len() => {}
        Ok(accepted) => {
            let rejected = tickets.len() - accepted.len();
            tracing::warn!(
                rejected,
                "delivery tickets rejected by the queue; sweep will send them"
            );
        }
        Err(error) => {
            tracing::warn!(%error, "delivery tickets not sent; sweep will send them");
        }
    }
}
