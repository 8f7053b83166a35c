//! Tickets: what a queue carries. They hold identifiers, a version and a trace, never content.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::id::JobId;
use crate::job::Job;

/// The newest form of a ticket that this release writes and reads.
pub const TICKET_VERSION: u32 = 1;

/// A message that a job is waiting for a processor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ticket {
    /// Form of the ticket. The first form carried none and reads as 0.
    #[serde(default)]
    pub version: u32,
    /// The job that waits.
    pub job_id: JobId,
    /// W3C trace context of the request that created the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
}

/// The message is not a ticket that this release understands.
#[derive(Debug, Error)]
pub enum UnreadableTicket {
    /// Not the JSON of a ticket.
    #[error("not a ticket: {0}")]
    Form(#[from] serde_json::Error),
    /// Written by a newer release.
    #[error("a ticket of version {0}, newer than {TICKET_VERSION}")]
    Newer(u32),
}

impl Ticket {
    /// The ticket of a job.
    #[must_use]
    pub fn for_job(job: &Job) -> Self {
        Self {
            version: TICKET_VERSION,
            job_id: job.id.clone(),
            traceparent: job.traceparent.clone(),
        }
    }

    /// Reads a message of this or an earlier release.
    ///
    /// # Errors
    /// [`UnreadableTicket`] when it is something else; the message must then stay in its queue.
    pub fn read(message: &str) -> Result<Self, UnreadableTicket> {
        let ticket: Self = serde_json::from_str(message)?;
        if ticket.version > TICKET_VERSION {
            return Err(UnreadableTicket::Newer(ticket.version));
        }
        Ok(ticket)
    }

    /// The message for a queue.
    ///
    /// # Errors
    /// Never in practice: a ticket holds nothing that JSON cannot.
    pub fn write(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timestamp::Timestamp;

    #[test]
    fn tickets_of_the_previous_form_are_read_and_newer_ones_are_left() {
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
