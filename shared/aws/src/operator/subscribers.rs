//! Erases the subscriptions of an account and their deliveries.

use domain::id::AccountId;
use domain::ports::PortError;

use crate::error::failed;
use crate::item::{self, Item, Key, SERVICE, text};
use crate::keys;
use crate::keys::subscriptions::{self as own, Row};
use crate::library::row::delete;
use crate::services::Services;

impl Services {
    /// See [`domain::ports::Erasure::erase_subscriptions`]. The rows in the account's partition are deleted last, because all
    /// other rows are found by them.
    pub(super) async fn erase_subscriptions_of(
        &self,
        account: &AccountId,
    ) -> Result<u64, PortError> {
        let table = self.subscriptions_table()?;
        let rows = self.rows_of(table, &own::account(account)).await?;
        let mut count = 0;
        for row in &rows {
            count += self.erase_referenced_rows(account, row).await?;
        }
        self.erase_rows(table, &rows, &own::count(account)).await?;
        Ok(count)
    }

    /// Erases the rows that `row` refers to; returns the number of erased subscriptions.
    async fn erase_referenced_rows(
        &self,
        account: &AccountId,
        row: &Item,
    ) -> Result<u64, PortError> {
        let table = self.subscriptions_table()?;
        match own::row_of(row) {
            Some(Row::Count) => Ok(0),
            Some(Row::Subscription(id)) => {
                self.erase_whole_partition(table, &own::deliveries(&id))
                    .await?;
                Ok(1)
            }
            Some(Row::IdempotencyPointer(fingerprint)) => {
                let key = keys::idempotency(&fingerprint);
                self.erase_if(table, &key, keys::ACCOUNT_ID, account.as_str())
                    .await?;
                Ok(0)
            }
            None => Err(item::unreadable(item::key_of(row).as_ref())),
        }
    }

    /// Deletes a partition, reading only the keys of its rows.
    pub(super) async fn erase_whole_partition(
        &self,
        table: &str,
        partition: &str,
    ) -> Result<(), PortError> {
        let rows: Vec<Item> = self
            .tables()
            .query()
            .table_name(table)
            .consistent_read(true)
            .key_condition_expression("pk = :partition")
            .projection_expression("pk, sk")
            .expression_attribute_values(":partition", text(partition))
            .into_paginator()
            .items()
            .send()
            .collect::<Result<_, _>>()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let found: Vec<Key> = rows.iter().filter_map(item::key_of).collect();
        let deletes: Result<Vec<_>, _> = found.iter().map(delete).collect();
        self.write_all(table, &deletes?).await
    }
}
