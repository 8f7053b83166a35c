//! The rows of the outbox: what is due, put off or done.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{DeleteRequest, WriteRequest};
use domain::id::JobId;
use domain::outbox::{Due, OutboxKey};
use domain::ports::{KeepOutbox, PortError};
use domain::timestamp::Timestamp;

use crate::error::{Failure, failed, unavailable};
use crate::item::{self, Item, SERVICE, number};
use crate::job_item::{DUE_AT, SENT, payload};
use crate::keys::{self, Key};
use crate::services::Services;
use crate::table::{KNOWN, held};
use crate::transaction::incomplete;

#[async_trait]
impl KeepOutbox for Services {
    async fn due(&self, shard: u8, now: Timestamp, limit: u32) -> Result<Vec<Due>, PortError> {
        let keys = self.due_keys(shard, now, limit).await?;
        let rows = self.read_all(self.jobs_table()?, &keys).await?;
        Ok(rows.iter().filter_map(|row| still_due(row, now)).collect())
    }

    async fn postpone(&self, job: &JobId, sent: u32, due: Timestamp) -> Result<(), PortError> {
        let update = self
            .tables()
            .update_item()
            .table_name(self.jobs_table()?)
            .set_key(Some(keys::ticket(job).attributes()))
            .update_expression("SET dueAt = :due, #sent = :sent")
            .condition_expression(KNOWN)
            .expression_attribute_names("#sent", SENT)
            .expression_attribute_values(":due", number(due.milliseconds()))
            .expression_attribute_values(":sent", number(sent));
        held(update.send().await)
            .map(|_| ())
            .map_err(Failure::into_error)
    }

    async fn remove(&self, rows: &[OutboxKey]) -> Result<(), PortError> {
        let deletes: Result<Vec<_>, _> = rows.iter().map(delete).collect();
        self.write_all(self.jobs_table()?, &deletes?).await
    }
}

impl Services {
    /// The keys of what is due in a shard, oldest first.
    pub(crate) async fn due_keys(
        &self,
        shard: u8,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<Key>, PortError> {
        let answer = self
            .tables()
            .query()
            .table_name(self.jobs_table()?)
            .index_name(keys::DUE)
            .key_condition_expression("dueShard = :shard AND dueAt <= :now")
            .expression_attribute_values(":shard", number(shard))
            .expression_attribute_values(":now", number(now.milliseconds()))
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let key = |row| keys::of(row).ok_or_else(|| unavailable(SERVICE, "a row without a key"));
        answer.items().iter().map(key).collect()
    }
}

/// What a row holds, if it is due: the index lags behind, and what was put off since is not due any more. A row that
/// cannot be read is reported and must not hold up the others.
fn still_due(row: &Item, now: Timestamp) -> Option<Due> {
    let due = item::read_number(row, DUE_AT)?;
    if due > now.milliseconds() {
        return None;
    }
    read_due(row)
        .inspect_err(|error| tracing::error!(%error, "a row of the outbox is left where it is"))
        .ok()
}

fn read_due(row: &Item) -> Result<Due, PortError> {
    let unreadable = || item::unreadable(keys::of(row).as_ref());
    match keys::row_of(row).ok_or_else(unreadable)? {
        keys::Row::Job(job) => Ok(Due::Lease(job)),
        keys::Row::Ticket => {
            let sent = item::read_number(row, SENT).unwrap_or(0);
            Ok(Due::Ticket {
                ticket: payload(row)?,
                sent: u32::try_from(sent).unwrap_or(u32::MAX),
            })
        }
        keys::Row::Event => payload(row).map(Due::Event),
    }
}

fn delete(row: &OutboxKey) -> Result<WriteRequest, PortError> {
    let key = match row {
        OutboxKey::Ticket(job) => keys::ticket(job),
        OutboxKey::Event(job, event) => keys::event(job, event),
    };
    let delete = DeleteRequest::builder()
        .set_key(Some(key.attributes()))
        .build()
        .map_err(|error| incomplete(&error))?;
    Ok(WriteRequest::builder().delete_request(delete).build())
}
