//! Outbox rows: query due rows, postpone and remove them.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{DeleteRequest, WriteRequest};
use domain::id::JobId;
use domain::ports::{Due, DuePage, DuePosition, Outbox, OutboxKey, PortError};
use domain::ticket::Ticket;
use domain::timestamp::Timestamp;

use crate::error::{Failure, failed, unavailable};
use crate::item::{self, Item, Key, SERVICE, number};
use crate::job_item::{DUE_AT, DUE_SHARD, SENT, payload};
use crate::keys;
use crate::services::Services;
use crate::table::{EXISTS, condition_met};
use crate::transaction::incomplete;

#[async_trait]
impl Outbox for Services {
    async fn due(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<DuePage, PortError> {
        let (keys, next) = self.due_keys(shard, now, after, limit).await?;
        let mut page = DuePage {
            next,
            ..DuePage::default()
        };
        let rows = self.read_all(self.jobs_table()?, &keys).await?;
        for row in rows.iter().filter(|row| is_still_due(row, now)) {
            match read_due(row) {
                Some(due) => page.rows.push(due),
                None => page
                    .unreadable
                    .extend(item::key_of(row).map(|key| key.name())),
            }
        }
        Ok(page)
    }

    async fn postpone(&self, job: &JobId, sent: u32, due: Timestamp) -> Result<(), PortError> {
        let update = self
            .tables()
            .update_item()
            .table_name(self.jobs_table()?)
            .set_key(Some(keys::ticket(job).attributes()))
            .update_expression("SET dueAt = :due, #sent = :sent")
            .condition_expression(EXISTS)
            .expression_attribute_names("#sent", SENT)
            .expression_attribute_values(":due", number(due.milliseconds()))
            .expression_attribute_values(":sent", number(sent));
        condition_met(update.send().await)
            .map(|_| ())
            .map_err(Failure::into_error)
    }

    async fn remove(&self, rows: &[OutboxKey]) -> Result<(), PortError> {
        let deletes: Result<Vec<_>, _> = rows.iter().map(delete).collect();
        self.write_all(self.jobs_table()?, &deletes?).await
    }
}

impl Services {
    /// The keys of the due rows of a shard after `after`, oldest first, and the position of the next page.
    pub(crate) async fn due_keys(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<(Vec<Key>, Option<DuePosition>), PortError> {
        let table = self.jobs_table()?;
        self.due_keys_of(table, shard, now, after, limit).await
    }

    /// As [`Self::due_keys`], for any table with the index `due`.
    pub(crate) async fn due_keys_of(
        &self,
        table: &str,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<(Vec<Key>, Option<DuePosition>), PortError> {
        let response = self
            .tables()
            .query()
            .table_name(table)
            .index_name(keys::DUE)
            .key_condition_expression("dueShard = :shard AND dueAt <= :now")
            .expression_attribute_values(":shard", number(shard))
            .expression_attribute_values(":now", number(now.milliseconds()))
            .set_exclusive_start_key(after.map(|after| start(shard, after)).transpose()?)
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let key = |row| {
            item::key_of(row).ok_or_else(|| {
                unavailable(SERVICE, "DynamoDB returned an outbox row without a key")
            })
        };
        let keys: Result<Vec<_>, _> = response.items().iter().map(key).collect();
        let next = response.last_evaluated_key().map(position).transpose()?;
        Ok((keys?, next))
    }
}

/// Converts a position to an exclusive start key of the index.
fn start(shard: u8, after: &DuePosition) -> Result<Item, PortError> {
    let key = Key::named(&after.row);
    let key = key.ok_or_else(|| unavailable(SERVICE, "a position is not a row's key"))?;
    let mut start = key.attributes();
    start.insert(DUE_SHARD.to_owned(), number(shard));
    start.insert(DUE_AT.to_owned(), number(after.due.milliseconds()));
    Ok(start)
}

/// The position after the last evaluated key.
fn position(last: &Item) -> Result<DuePosition, PortError> {
    let position = || {
        Some(DuePosition {
            due: Timestamp(item::read_number(last, DUE_AT)?),
            row: item::key_of(last)?.name(),
        })
    };
    position().ok_or_else(|| unavailable(SERVICE, "incomplete last evaluated key"))
}

/// Whether a row is still due: the index is eventually consistent, so the row may have been postponed.
pub(crate) fn is_still_due(row: &Item, now: Timestamp) -> bool {
    item::read_number(row, DUE_AT).is_some_and(|due| due <= now.milliseconds())
}

/// Parses a due row; `None` if this release cannot read it, or would not send it unchanged.
fn read_due(row: &Item) -> Option<Due> {
    match keys::row_of(row)? {
        keys::Row::Job(job) => Some(Due::Lease(job)),
        _ if item::is_newer(row) => None,
        keys::Row::Ticket => {
            let sent = item::read_number(row, SENT).unwrap_or(0);
            Some(Due::Ticket {
                ticket: Ticket::read(payload(row)?).ok()?,
                sent: u32::try_from(sent).unwrap_or(u32::MAX),
            })
        }
        keys::Row::Event => serde_json::from_str(payload(row)?).ok().map(Due::Event),
    }
}

fn delete(row: &OutboxKey) -> Result<WriteRequest, PortError> {
    let key = match row {
        OutboxKey::Ticket(job) => keys::ticket(job),
        OutboxKey::Event(subject, event) => keys::event(subject, event),
    };
    let delete = DeleteRequest::builder()
        .set_key(Some(key.attributes()))
        .build()
        .map_err(|error| incomplete(&error))?;
    Ok(WriteRequest::builder().delete_request(delete).build())
}
