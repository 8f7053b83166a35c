//! The outbox.

use async_trait::async_trait;
use domain::id::JobId;
use domain::job::JobStatus;
use domain::outbox::{event_shard, shard};
use domain::ports::{Due, DuePage, DuePosition, Outbox, OutboxKey, PortError};
use domain::timestamp::Timestamp;

use super::state::State;
use super::{Call, Fakes};

#[async_trait]
impl Outbox for Fakes {
    async fn due(
        &self,
        shard: u8,
        now: Timestamp,
        after: Option<&DuePosition>,
        limit: u32,
    ) -> Result<DuePage, PortError> {
        self.call(Call::Due, |state| {
            let behind = |row: &&DueRow| {
                after.is_none_or(|after| (row.due, &row.name) > (after.due, &after.row))
            };
            let due_rows = state.due_rows(shard, now);
            let rows: Vec<_> = due_rows.iter().filter(behind).collect();
            Ok(page(&rows, limit as usize))
        })
        .await
    }

    async fn postpone(&self, job: &JobId, sent: u32, due: Timestamp) -> Result<(), PortError> {
        self.call(Call::Postpone, |state| {
            if let Some(row) = state.tickets.get_mut(job) {
                (row.sent, row.due) = (sent, due);
            }
            Ok(())
        })
        .await
    }

    async fn remove(&self, rows: &[OutboxKey]) -> Result<(), PortError> {
        self.call(Call::Remove, |state| {
            for row in rows {
                match row {
                    OutboxKey::Ticket(job) => {
                        state.tickets.remove(job);
                    }
                    OutboxKey::Event(subject, event) => {
                        state.events.remove(&(subject.clone(), event.clone()));
                    }
                }
            }
            Ok(())
        })
        .await
    }
}

/// A due row and its key.
struct DueRow {
    due: Timestamp,
    name: String,
    /// `None` if the row is unreadable.
    payload: Option<Due>,
}

impl State {
    /// All due rows of a shard, in order.
    fn due_rows(&self, wanted: u8, now: Timestamp) -> Vec<DueRow> {
        let row = |due, name, payload| DueRow { due, name, payload };
        let tickets = self.tickets.iter().map(|(job, row_data)| {
            let (ticket, sent) = (row_data.ticket.clone(), row_data.sent);
            let payload = Due::Ticket { ticket, sent };
            (
                shard(job),
                row(row_data.due, format!("{job} ticket"), Some(payload)),
            )
        });
        let events = self.events.iter().map(|((subject, id), row_data)| {
            let payload = Due::Event(row_data.event.clone());
            let name = format!("{} {id}", subject.as_str());
            (event_shard(subject), row(row_data.due, name, Some(payload)))
        });
        let leases = self.jobs.values().filter_map(|job| {
            let until = job
                .lease_until
                .filter(|_| job.status == JobStatus::Processing)?;
            let payload = Due::Lease(job.id.clone());
            Some((
                shard(&job.id),
                row(until, format!("{} job", job.id), Some(payload)),
            ))
        });
        let unreadable = self
            .unreadable
            .iter()
            .map(|(name, (shard, due))| (*shard, row(*due, name.clone(), None)));
        let mut rows: Vec<_> = tickets
            .chain(events)
            .chain(leases)
            .chain(unreadable)
            .filter(|(shard, row)| *shard == wanted && row.due <= now)
            .map(|(_, row)| row)
            .collect();
        rows.sort_by(|one, other| (one.due, &one.name).cmp(&(other.due, &other.name)));
        rows
    }
}

fn page(rows: &[&DueRow], limit: usize) -> DuePage {
    let mut page = DuePage::default();
    for row in rows.iter().take(limit) {
        match &row.payload {
            Some(due) => page.rows.push(due.clone()),
            None => page.unreadable.push(row.name.clone()),
        }
    }
    // Like DynamoDB, which does not look ahead: a full page has a next position even if it is the last.
    let last = rows.get(limit.wrapping_sub(1));
    page.next = last.map(|row| DuePosition {
        due: row.due,
        row: row.name.clone(),
    });
    page
}
