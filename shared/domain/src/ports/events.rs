//! The event bus.

use async_trait::async_trait;

use super::PortError;
use crate::event::Event;
use crate::id::EventId;

/// The event bus.
#[async_trait]
pub trait Events: Send + Sync {
    /// Puts events on the bus and returns the identifiers of those that it accepted.
    async fn publish(&self, events: &[Event]) -> Result<Vec<EventId>, PortError>;
}
