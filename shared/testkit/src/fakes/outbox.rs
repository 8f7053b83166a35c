//! The outbox.

use async_trait::async_trait;
use domain::id::JobId;
use domain::job::JobStatus;
use domain::outbox::{Due, OutboxKey, shard};
use domain::ports::{KeepOutbox, PortError};
use domain::timestamp::Timestamp;

use super::state::State;
use super::{Call, Fakes};

#[async_trait]
impl KeepOutbox for Fakes {
    async fn due(&self, wanted: u8, now: Timestamp, limit: u32) -> Result<Vec<Due>, PortError> {
        self.call(Call::Due, |state| {
            let mut rows = state.waiting();
            rows.retain(|(at, job, _)| *at <= now && shard(job) == wanted);
            rows.sort_by_key(|(at, _, _)| *at);
            let due = rows.into_iter().map(|(_, _, due)| due);
            Ok(due.take(limit as usize).collect())
        })
    }

    async fn postpone(&self, job: &JobId, sent: u32, due: Timestamp) -> Result<(), PortError> {
        self.call(Call::Postpone, |state| {
            if let Some(row) = state.tickets.get_mut(job) {
                (row.sent, row.due) = (sent, due);
            }
            Ok(())
        })
    }

    async fn remove(&self, rows: &[OutboxKey]) -> Result<(), PortError> {
        self.call(Call::Remove, |state| {
            for row in rows {
                match row {
                    OutboxKey::Ticket(job) => {
                        state.tickets.remove(job);
                    }
                    OutboxKey::Event(job, event) => {
                        state.events.remove(&(job.clone(), event.clone()));
                    }
                }
            }
            Ok(())
        })
    }
}

impl State {
    /// Everything that will be due: when, of which job, and what.
    fn waiting(&self) -> Vec<(Timestamp, JobId, Due)> {
        let tickets = self.tickets.iter().map(|(job, row)| {
            let (ticket, sent) = (row.ticket.clone(), row.sent);
            (row.due, job.clone(), Due::Ticket { ticket, sent })
        });
        let events = self
            .events
            .iter()
            .map(|((job, _), row)| (row.due, job.clone(), Due::Event(row.event.clone())));
        let leases = self.jobs.values().filter_map(|job| {
            let until = job
                .lease_until
                .filter(|_| job.status == JobStatus::Processing)?;
            Some((until, job.id.clone(), Due::Lease(job.id.clone())))
        });
        tickets.chain(events).chain(leases).collect()
    }
}
