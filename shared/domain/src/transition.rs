//! The state machine of jobs. Each transition is a value: the new job record, the write condition, and what is written with
//! it.

use std::time::Duration;

use crate::event::{Event, EventType};
use crate::job::{
    Charge, Job, JobError, JobErrorCode, JobStatus, JobWarning, Output, TimelineEntry,
};
use crate::library::{Findings, LibraryChange};
use crate::operation::Operation;
use crate::retry;
use crate::ticket::Ticket;
use crate::timestamp::Timestamp;

/// The condition of a transition, checked when it is written. If it does not hold, the transition is stale and nothing is
/// written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The status before the transition.
    pub status: JobStatus,
    /// The attempt number (fencing token).
    pub attempt: u32,
    /// The lease that was read, if a heartbeat since then invalidates the transition.
    pub lease_until: Option<Timestamp>,
}

/// The change of the job's ticket row in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TicketChange {
    /// The row is unchanged.
    Keep,
    /// The row is deleted: the ticket was received or is obsolete.
    Remove,
    /// A row is written. `sweep` sends the ticket from `due` on, unless the job is claimed earlier.
    Put {
        /// The ticket.
        ticket: Ticket,
        /// Delay of the queue message.
        delay: Duration,
        /// Time from which `sweep` resends the ticket.
        due: Timestamp,
    },
}

/// A charge to refund, once, to the period that it was charged to.
pub type Refund = Charge;

/// A transition of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The job after the transition.
    pub job: Job,
    /// The write condition.
    pub expected: Expected,
    /// The event to publish through the outbox.
    pub event: Option<Event>,
    /// The change of the ticket row.
    pub ticket: TicketChange,
    /// The refund, unless it was made before.
    pub refund: Option<Refund>,
    /// The change in the library.
    pub library: Option<LibraryChange>,
}

/// What a worker does with a ticket.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// Write the transition, then process the job.
    Work(Box<Transition>),
    /// No attempt is left: dead-letter the job.
    DeadLetter(Box<Transition>),
    /// Nothing: the job has finished, another worker holds its lease, or it is not due. The ticket can be deleted.
    Nothing,
}

/// The outcome of an attempt.
#[derive(Clone, Debug, PartialEq)]
pub enum AttemptOutcome {
    /// The result is stored and verified.
    Completed {
        /// The result.
        output: Box<Output>,
        /// Warnings about the result.
        warnings: Vec<JobWarning>,
        /// Findings about the saved document that was processed.
        findings: Option<Findings>,
        /// Entity tag of the result's object.
        etag: String,
    },
    /// The input or the request is invalid.
    Failed(JobError),
    /// The service failed; another attempt may succeed. The text is for operators.
    Interrupted(String),
    /// The time of the attempt is over, and its partial results are stored: another attempt goes on from them. The attempt
    /// does not count.
    Continued {
        /// Progress so far, in percent.
        progress: u8,
    },
    /// The engine function could not serve the job at present: the attempt does not count.
    Postponed {
        /// Time until the next attempt.
        delay: Duration,
        /// The reason, for operators.
        reason: String,
    },
}

impl Job {
    /// Decides what a worker with a ticket of this job does at `now`.
    #[must_use]
    pub fn claim(&self, now: Timestamp) -> Claim {
        let due = self
            .not_before
            .is_none_or(|at| at <= now.plus(retry::CLOCK_TOLERANCE));
        match self.status {
            JobStatus::Queued | JobStatus::Retrying if !due => Claim::Nothing,
            JobStatus::Queued | JobStatus::Retrying if self.attempt >= self.attempt_limit => {
                Claim::DeadLetter(Box::new(self.to_dead_letter(now)))
            }
            JobStatus::Queued | JobStatus::Retrying => Claim::Work(Box::new(self.start(now))),
            _ => Claim::Nothing,
        }
    }

    /// Finishes the current attempt.
    #[must_use]
    pub fn finish(&self, outcome: AttemptOutcome, now: Timestamp) -> Transition {
        match outcome {
            AttemptOutcome::Completed {
                output, warnings, ..
            } => {
                let mut transition = self.with_status(JobStatus::Completed, now);
                transition.job.progress = 100;
                transition.job.output = Some(*output);
                transition.job.warnings = warnings;
                transition.job.forget_secrets();
                transition.with_event(EventType::JobCompleted)
            }
            AttemptOutcome::Failed(error) => self.fail(error, now),
            AttemptOutcome::Interrupted(_) => self.retry(now, retry::backoff(self.attempt)),
            AttemptOutcome::Continued { progress } => self.go_on(progress, now),
            AttemptOutcome::Postponed { delay, .. } => self.uncounted(now).retry(now, delay),
        }
    }

    /// Returns the job with one more attempt in place of the current one, unless it has been tried for too long. The attempt
    /// number still rises, because it is the fencing token.
    fn uncounted(&self, now: Timestamp) -> Self {
        let is_counted = self.attempt >= retry::MAX_UNCOUNTED_ATTEMPT
            || now.since(self.created_at) >= retry::START_WITHIN;
        Self {
            attempt_limit: self.attempt_limit + u32::from(!is_counted),
            ..self.clone()
        }
    }

    /// Releases the job for another attempt if the worker's lease has expired. `None` while the lease is valid.
    #[must_use]
    pub fn release_expired_lease(&self, now: Timestamp) -> Option<Transition> {
        let lease_until = self.lease_until.filter(|until| *until < now)?;
        (self.status == JobStatus::Processing).then(|| {
            let mut transition = self.retry(now, Duration::ZERO);
            transition.expected.lease_until = Some(lease_until);
            transition
        })
    }

    /// Cancels the job at the owner's request. `None` once the job is claimed or finished.
    #[must_use]
    pub fn cancel(&self, now: Timestamp) -> Option<Transition> {
        matches!(self.status, JobStatus::Queued | JobStatus::Retrying).then(|| {
            let mut transition = self.fail(
                JobError::new(JobErrorCode::Cancelled, "The job was cancelled."),
                now,
            );
            transition.ticket = TicketChange::Remove;
            transition
        })
    }

    /// Dead-letters the job. `None` if a worker holds its lease or the job has finished.
    #[must_use]
    pub fn dead_letter(&self, now: Timestamp) -> Option<Transition> {
        let is_leased = self.status == JobStatus::Processing
            && self.lease_until.is_some_and(|until| until >= now);
        (!self.status.is_terminal() && !is_leased).then(|| self.to_dead_letter(now))
    }

    /// Redrives a dead-lettered job at the operator's request, without charge. `None` for other statuses.
    #[must_use]
    pub fn redrive(&self, now: Timestamp) -> Option<Transition> {
        (self.status == JobStatus::DeadLetter).then(|| {
            let mut transition = self.with_status(JobStatus::Queued, now);
            transition.job.error = None;
            transition.job.progress = 0;
            // The job may wait as long as a new one, and must not expire meanwhile.
            let latest_start = now.plus(retry::START_WITHIN);
            transition.job.expires_at = self.expires_at.max(latest_start.plus(retry::START_WITHIN));
            transition.job.attempt_limit = self.attempt + retry::ATTEMPTS;
            transition.ticket = transition.job.ticket_row(now, Duration::ZERO);
            transition
        })
    }

    /// Returns the ticket row of a job that waits for a processor.
    #[must_use]
    pub fn ticket_row(&self, now: Timestamp, delay: Duration) -> TicketChange {
        TicketChange::Put {
            ticket: Ticket::for_job(self),
            delay,
            due: now.plus(delay).plus(retry::RESEND_AFTER),
        }
    }

    fn start(&self, now: Timestamp) -> Transition {
        let mut transition = self.with_status(JobStatus::Processing, now);
        transition.job.attempt = self.attempt + 1;
        transition.job.lease_until = Some(now.plus(retry::LEASE));
        if let Some(entry) = transition.job.timeline.last_mut() {
            entry.attempt = self.attempt + 1;
        }
        transition.ticket = TicketChange::Remove;
        transition.with_event(EventType::JobProcessing)
    }

    /// Releases the job for an attempt that continues the work of the current one. Subscribers are not notified: nothing failed.
    fn go_on(&self, progress: u8, now: Timestamp) -> Transition {
        let mut transition = self.uncounted(now).retry(now, Duration::ZERO);
        transition.job.progress = progress.max(self.progress);
        transition.event = None;
        transition
    }

    fn retry(&self, now: Timestamp, delay: Duration) -> Transition {
        let mut transition = self.with_status(JobStatus::Retrying, now);
        transition.job.progress = 0;
        transition.job.not_before = Some(now.plus(delay));
        transition.ticket = transition.job.ticket_row(now, delay);
        transition.with_event(EventType::JobRetrying)
    }

    fn fail(&self, error: JobError, now: Timestamp) -> Transition {
        let mut transition = self.with_status(JobStatus::Failed, now);
        transition.job.error = Some(error);
        transition.job.forget_secrets();
        transition.set_refund();
        transition.with_event(EventType::JobFailed)
    }

    fn to_dead_letter(&self, now: Timestamp) -> Transition {
        let mut transition = self.with_status(JobStatus::DeadLetter, now);
        let message = "the service could not process this job; it was not charged";
        transition.job.error = Some(JobError::new(JobErrorCode::InternalError, message));
        transition.ticket = TicketChange::Remove;
        transition.set_refund();
        transition.with_event(EventType::JobDeadLetter)
    }

    /// Removes passwords. A dead-lettered job keeps them, because an operator may redrive it.
    fn forget_secrets(&mut self) {
        let steps = std::mem::take(&mut self.steps);
        self.steps = steps.into_iter().map(Operation::without_secrets).collect();
    }

    fn with_status(&self, status: JobStatus, now: Timestamp) -> Transition {
        debug_assert!(
            self.status.can_become(status),
            "no transition from {} to {status}",
            self.status
        );
        let mut job = self.clone();
        job.status = status;
        job.updated_at = now;
        job.lease_until = None;
        job.not_before = None;
        job.timeline.push(TimelineEntry {
            status,
            at: now,
            attempt: self.attempt,
        });
        Transition {
            job,
            expected: Expected {
                status: self.status,
                attempt: self.attempt,
                lease_until: None,
            },
            event: None,
            ticket: TicketChange::Keep,
            refund: None,
            library: None,
        }
    }
}

impl Transition {
    /// Adds a change in the library to the transition.
    #[must_use]
    pub fn with_library_change(self, change: LibraryChange) -> Self {
        Self {
            library: Some(change),
            ..self
        }
    }

    /// Returns the events to publish: of the job and of the change in the library.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        let of_library = self.library.as_ref().and_then(LibraryChange::event);
        self.event.iter().cloned().chain(of_library).collect()
    }

    /// Refunds the charge. Internal jobs are free, so there is nothing to refund.
    fn set_refund(&mut self) {
        if !self.job.is_internal() {
            self.refund = Some(self.job.charge.clone());
            self.job.refunded = true;
        }
    }

    /// Adds the event of the transition. Internal jobs publish no events.
    fn with_event(mut self, event_type: EventType) -> Self {
        let is_published = !self.job.is_internal();
        self.event = is_published.then(|| Event::of_job(event_type, &self.job));
        self
    }
}

#[cfg(test)]
mod tests;
