//! Sends the tickets of deliveries that are written.

use std::time::Duration;

use super::delivery_ticket::DeliveryTicket;
use crate::ports::Queues;

/// Sends tickets whose deliveries are due in the table as well. What fails here is only logged: `sweep` sends it.
pub async fn send_at_once<P>(ports: &P, tickets: &[DeliveryTicket], delay: Duration)
where
    P: Queues + ?Sized,
{
    if tickets.is_empty() {
        return;
    }
    match ports.send_deliveries(tickets, delay).await {
        Ok(taken) if taken.len() >= tickets.len() => {}
        Ok(taken) => {
            let refused = tickets.len() - taken.len();
            tracing::warn!(
                refused,
                "tickets of deliveries refused by their queue; sweep will send them"
            );
        }
        Err(error) => {
            tracing::warn!(%error, "tickets of deliveries not sent; sweep will do it");
        }
    }
}
