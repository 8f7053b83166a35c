//! What the operator's switches of processors need of the world.

use async_trait::async_trait;

use super::PortError;
use crate::operation::Processor;

/// Reads the switches of processors.
#[async_trait]
pub trait ReadSwitches: Send + Sync {
    /// Whether the operator lets a processor work, as of now.
    async fn is_on(&self, processor: Processor) -> Result<bool, PortError>;
}

/// Turns the switches of processors.
#[async_trait]
pub trait TurnSwitches: ReadSwitches {
    /// Lets a processor work, or not.
    async fn turn(&self, processor: Processor, on: bool) -> Result<(), PortError>;
}
