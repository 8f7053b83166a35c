//! Tickets: the messages of the processor queues. They contain identifiers, a version and a trace context, never content.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::id::JobId;
use crate::job::Job;

/// The latest ticket version that this release reads and writes.
pub const TICKET_VERSION: u32 = 1;

/// A queue message: a job waits for a processor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ticket {
    /// Version of the ticket. The first version has no such member and is read as 0.
    #[serde(default)]
    pub version: u32,
    /// The waiting job.
    pub job_id: JobId,
    /// W3C trace context of the request that created the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
}

/// The message is not a ticket that this release can read.
#[derive(Debug, Error)]
pub enum UnreadableTicket {
    /// The message is not the JSON of a ticket.
    #[error("not a ticket: {0}")]
    Form(#[from] serde_json::Error),
    /// The ticket was written by a newer release.
    #[error("ticket version {0} is newer than {TICKET_VERSION}")]
    Newer(u32),
}

impl Ticket {
    /// Creates the ticket of a job.
    #[must_use]
    pub fn for_job(job: &Job) -> Self {
        Self {
            version: TICKET_VERSION,
            job_id: job.id.clone(),
            traceparent: job.traceparent.clone(),
        }
    }

    /// Parses a queue message of this or an earlier release.
    ///
    /// # Errors
    /// [`UnreadableTicket`] if the message is not a ticket of a known version; it must then stay in its queue.
    pub fn read(message: &str) -> Result<Self, UnreadableTicket> {
        let ticket: Self = serde_json::from_str(message)?;
        if ticket.version > TICKET_VERSION {
            return Err(UnreadableTicket::Newer(ticket.version));
        }
        Ok(ticket)
    }

    /// Serializes the ticket for the queue.
    ///
    /// # Errors
    /// Never in practice: every ticket is valid JSON.
    pub fn write(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timestamp::Timestamp;

    #[test]
    fn tickets_of_earlier_versions_are_read_and_newer_ones_rejected() {
        let id = JobId::mint(Timestamp(1), 1);
        let old = Ticket::read(&format!(r#"{{"jobId":"{id}"}}"#)).unwrap();
        assert_eq!((old.version, old.job_id.clone()), (0, id.clone()));
        let newer = format!(r#"{{"jobId":"{id}","version":2}}"#);
        assert!(matches!(
            Ticket::read(&newer),
            Err(UnreadableTicket::Newer(2))
        ));
        assert!(matches!(Ticket::read("{}"), Err(UnreadableTicket::Form(_))));
    }
}
