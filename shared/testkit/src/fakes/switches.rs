//! The operator's switches of processors.

use async_trait::async_trait;
use domain::operation::Processor;
use domain::ports::PortError;
use domain::ports::switch::{ReadSwitches, TurnSwitches};

use super::{Call, Fakes};

#[async_trait]
impl ReadSwitches for Fakes {
    async fn is_on(&self, processor: Processor) -> Result<bool, PortError> {
        self.call(Call::Switch, |state| Ok(!state.off.contains(&processor)))
            .await
    }
}

#[async_trait]
impl TurnSwitches for Fakes {
    async fn turn(&self, processor: Processor, on: bool) -> Result<(), PortError> {
        self.call(Call::Switch, |state| {
            match on {
                true => state.off.remove(&processor),
                false => state.off.insert(processor),
            };
            Ok(())
        })
        .await
    }
}
