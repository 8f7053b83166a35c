//! BatchGetItem and BatchWriteItem; unprocessed keys and items are retried with back-off.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{KeysAndAttributes, WriteRequest};
use domain::ports::PortError;

use crate::error::failed;
use crate::item::{self, Item, Key, SERVICE};
use crate::retry::RetryBudget;
use crate::services::Services;
use crate::transaction::incomplete;

/// Maximum number of keys of one BatchGetItem.
const MAX_READS: usize = 100;
/// Maximum number of writes of one BatchWriteItem.
const MAX_WRITES: usize = 25;

impl Services {
    /// Reads items consistently, in the order of `wanted`; items that do not exist are omitted.
    pub(crate) async fn read_all(
        &self,
        table: &str,
        wanted: &[Key],
    ) -> Result<Vec<Item>, PortError> {
        let mut found = HashMap::new();
        for batch in wanted.chunks(MAX_READS) {
            let items = self.read_batch(table, batch).await?;
            found.extend(
                items
                    .into_iter()
                    .filter_map(|item| Some((item::key_of(&item)?, item))),
            );
        }
        Ok(wanted.iter().filter_map(|key| found.remove(key)).collect())
    }

    async fn read_batch(&self, table: &str, wanted: &[Key]) -> Result<Vec<Item>, PortError> {
        let mut found = Vec::new();
        let mut retries = RetryBudget::new();
        let mut open = Some(request(table, wanted)?);
        while let Some(requests) = open {
            let response = self
                .tables()
                .batch_get_item()
                .set_request_items(Some(requests))
                .send()
                .await
                .map_err(|error| failed(SERVICE, &error))?;
            found.extend(
                response
                    .responses
                    .into_iter()
                    .flatten()
                    .flat_map(|(_, items)| items),
            );
            open = response.unprocessed_keys.filter(|rest| !rest.is_empty());
            if open.is_some() {
                retries.wait().await?;
            }
        }
        Ok(found)
    }

    /// Executes unconditional puts and deletes.
    pub(crate) async fn write_all(
        &self,
        table: &str,
        writes: &[WriteRequest],
    ) -> Result<(), PortError> {
        for batch in writes.chunks(MAX_WRITES) {
            self.write_batch(table, batch).await?;
        }
        Ok(())
    }

    async fn write_batch(&self, table: &str, batch: &[WriteRequest]) -> Result<(), PortError> {
        let mut retries = RetryBudget::new();
        let mut open = Some(HashMap::from([(table.to_owned(), batch.to_vec())]));
        while let Some(requests) = open {
            let response = self
                .tables()
                .batch_write_item()
                .set_request_items(Some(requests))
                .send()
                .await
                .map_err(|error| failed(SERVICE, &error))?;
            open = response.unprocessed_items.filter(|rest| !rest.is_empty());
            if open.is_some() {
                retries.wait().await?;
            }
        }
        Ok(())
    }
}

fn request(table: &str, wanted: &[Key]) -> Result<HashMap<String, KeysAndAttributes>, PortError> {
    let keys = wanted.iter().map(Key::attributes).collect();
    let request = KeysAndAttributes::builder()
        .set_keys(Some(keys))
        .consistent_read(true)
        .build()
        .map_err(|error| incomplete(&error))?;
    Ok(HashMap::from([(table.to_owned(), request)]))
}
