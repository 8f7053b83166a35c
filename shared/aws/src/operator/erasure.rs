//! Erases accounts: their items are found by partition and by the index of an account's jobs.

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::types::ReturnValue;
use domain::id::{AccountId, DocumentId};
use domain::ports::{AccountRecord, AccountRecordPage, Erasure, PortError};
use domain::source::account_objects;
use domain::timestamp::Timestamp;

use crate::api_keys::CLOSED;
use crate::error::{failed, unavailable};
use crate::idempotency::Subject;
use crate::item::{self, Item, Key, SERVICE, number, text};
use crate::job_item::FINGERPRINT;
use crate::keys;
use crate::library::row::delete;
use crate::services::Services;
use crate::table::EXISTS;

#[async_trait]
impl Erasure for Services {
    async fn close_account(
        &self,
        account: &AccountId,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, PortError> {
        // Close the account first, so that no key is created after the keys to revoke were listed.
        let Some(closed) = self.mark_closed(account, now).await? else {
            return Ok(None);
        };
        for key in self.key_ids(account).await? {
            self.revoke_without_count(&key, now).await?;
        }
        for identity in self.identities(account).await? {
            self.erase_identity(account, &identity).await?;
        }
        Ok(Some(closed))
    }

    async fn records(
        &self,
        account: &AccountId,
        after: Option<&str>,
        limit: u32,
    ) -> Result<AccountRecordPage, PortError> {
        let response = self
            .tables()
            .query()
            .table_name(self.jobs_table()?)
            .index_name(keys::BY_ACCOUNT)
            .key_condition_expression("accountId = :account AND listedAs > :after")
            .expression_attribute_values(":account", text(account.as_str()))
            // DynamoDB rejects an empty key value.
            .expression_attribute_values(":after", text(after.unwrap_or(" ")))
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let last = response.items().last();
        let last = last.and_then(|row| item::read_text(row, keys::LISTED_AS));
        let next = last.filter(|_| response.last_evaluated_key().is_some());
        let read = |row: &Item| {
            keys::account_record_of(row).ok_or_else(|| item::unreadable(item::key_of(row).as_ref()))
        };
        Ok(AccountRecordPage {
            records: response
                .items()
                .iter()
                .map(read)
                .collect::<Result<_, _>>()?,
            next: next.map(str::to_owned),
        })
    }

    async fn erase_record(
        &self,
        account: &AccountId,
        record: &AccountRecord,
    ) -> Result<(), PortError> {
        match record {
            AccountRecord::Job(id) => {
                self.erase_partition(&keys::job(id), &Subject::Job(id.clone()))
                    .await
            }
            AccountRecord::Import(id) => {
                let charge = keys::library::import_charge(id);
                self.erase_partition(&charge, &Subject::Document(id.clone()))
                    .await
            }
            AccountRecord::Upload(fingerprint) => {
                let (key, table) = (keys::idempotency(fingerprint), self.jobs_table()?);
                self.erase_if(table, &key, keys::ACCOUNT_ID, account.as_str())
                    .await
            }
        }
    }

    async fn erase_events(&self, document: &DocumentId) -> Result<(), PortError> {
        let table = self.jobs_table()?;
        let partition = keys::library::document_rows(document);
        self.erase_whole_partition(table, &partition).await
    }

    async fn erase_subscriptions(&self, account: &AccountId) -> Result<u64, PortError> {
        self.erase_subscriptions_of(account).await
    }

    async fn erase_objects(&self, account: &AccountId) -> Result<u64, PortError> {
        let mut count = 0;
        for prefix in account_objects(account) {
            count += self.remove_objects(&prefix).await?;
        }
        Ok(count)
    }

    async fn erase_account(&self, account: &AccountId) -> Result<u64, PortError> {
        let keys = self.key_ids(account).await?;
        let table = self.accounts_table()?;
        let stored: Result<Vec<_>, _> = keys.iter().map(|id| delete(&keys::api_key(id))).collect();
        self.write_all(table, &stored?).await?;
        let identities = self.identities(account).await?;
        for identity in &identities {
            self.erase_identity(account, identity).await?;
        }
        let last = keys::account(account);
        let rows = self.rows_of(table, last.partition()).await?;
        self.erase_rows(table, &rows, &last).await?;
        Ok(u64::try_from(keys.len() + identities.len()).unwrap_or(u64::MAX))
    }
}

impl Services {
    /// Marks the account as closed and returns the time of its first closing; `None` if the account does not exist.
    async fn mark_closed(
        &self,
        account: &AccountId,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, PortError> {
        let response = self
            .tables()
            .update_item()
            .table_name(self.accounts_table()?)
            .set_key(Some(keys::account(account).attributes()))
            .update_expression("SET #closed = if_not_exists(#closed, :now)")
            .condition_expression(EXISTS)
            .expression_attribute_names("#closed", CLOSED)
            .expression_attribute_values(":now", number(now.milliseconds()))
            .return_values(ReturnValue::AllNew)
            .send()
            .await;
        match response {
            Ok(response) => {
                let closed = response
                    .attributes()
                    .and_then(|row| item::read_number(row, CLOSED));
                let missing = || unavailable(SERVICE, "a closed account without `closedAt`");
                closed.map(Timestamp).map(Some).ok_or_else(missing)
            }
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(|error| error.is_conditional_check_failed_exception()) =>
            {
                Ok(None)
            }
            Err(error) => Err(failed(SERVICE, &error)),
        }
    }

    /// Deletes an identity, unless it is linked to another account by now.
    async fn erase_identity(&self, account: &AccountId, identity: &Key) -> Result<(), PortError> {
        let table = self.accounts_table()?;
        self.erase_if(table, identity, keys::ACCOUNT_ID, account.as_str())
            .await
    }

    /// Deletes the idempotency record that the partition of `key` refers to, then the partition; the row `key` last, because
    /// the rest is found by it.
    async fn erase_partition(&self, key: &Key, subject: &Subject) -> Result<(), PortError> {
        let table = self.jobs_table()?;
        let rows = self.rows_of(table, key.partition()).await?;
        let (name, value) = subject.attribute();
        let named = rows
            .iter()
            .find_map(|row| item::read_text(row, FINGERPRINT));
        if let Some(fingerprint) = named {
            self.erase_if(table, &keys::idempotency(fingerprint), name, value)
                .await?;
        }
        self.erase_rows(table, &rows, key).await
    }

    /// Reads every row of a partition consistently.
    pub(super) async fn rows_of(
        &self,
        table: &str,
        partition: &str,
    ) -> Result<Vec<Item>, PortError> {
        self.tables()
            .query()
            .table_name(table)
            .consistent_read(true)
            .key_condition_expression("pk = :partition")
            .expression_attribute_values(":partition", text(partition))
            .into_paginator()
            .items()
            .send()
            .collect::<Result<_, _>>()
            .await
            .map_err(|error| failed(SERVICE, &error))
    }

    /// Deletes rows, the one with the key `last` after all others.
    pub(super) async fn erase_rows(
        &self,
        table: &str,
        rows: &[Item],
        last: &Key,
    ) -> Result<(), PortError> {
        let others = rows
            .iter()
            .filter_map(item::key_of)
            .filter(|key| key != last);
        let others: Result<Vec<_>, _> = others.map(|key| delete(&key)).collect();
        self.write_all(table, &others?).await?;
        self.write_all(table, &[delete(last)?]).await
    }

    /// Deletes a row if its `attribute` equals `value`.
    pub(super) async fn erase_if(
        &self,
        table: &str,
        key: &Key,
        attribute: &str,
        value: &str,
    ) -> Result<(), PortError> {
        let response = self
            .tables()
            .delete_item()
            .table_name(table)
            .set_key(Some(key.attributes()))
            .condition_expression("#attribute = :value")
            .expression_attribute_names("#attribute", attribute)
            .expression_attribute_values(":value", text(value))
            .send()
            .await;
        match response {
            Ok(_) => Ok(()),
            Err(error) => match error.as_service_error() {
                Some(DeleteItemError::ConditionalCheckFailedException(_)) => Ok(()),
                _ => Err(failed(SERVICE, &error)),
            },
        }
    }
}
