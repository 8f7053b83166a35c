//! The operator's switches of processors: an item while one is off, none while it is on.

use async_trait::async_trait;
use domain::operation::Processor;
use domain::ports::PortError;
use domain::ports::switch::{ReadSwitches, TurnSwitches};

use crate::error::failed;
use crate::item::{self, SERVICE};
use crate::keys;
use crate::services::Services;

#[async_trait]
impl ReadSwitches for Services {
    async fn is_on(&self, processor: Processor) -> Result<bool, PortError> {
        let key = keys::switch(processor);
        let off = self.read(self.jobs_table()?, &key).await?;
        Ok(off.is_none())
    }
}

#[async_trait]
impl TurnSwitches for Services {
    async fn turn(&self, processor: Processor, on: bool) -> Result<(), PortError> {
        let key = keys::switch(processor);
        let (tables, table) = (self.tables(), self.jobs_table()?);
        if on {
            let removal = tables.delete_item().table_name(table);
            let removal = removal.set_key(Some(key.attributes())).send().await;
            return removal.map(drop).map_err(|error| failed(SERVICE, &error));
        }
        let put = tables.put_item().table_name(table);
        let put = put.set_item(Some(item::new(&key, []))).send().await;
        put.map(drop).map_err(|error| failed(SERVICE, &error))
    }
}
