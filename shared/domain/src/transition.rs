//! The legal moves of a job, each as a value: the job as it will be, what must still hold, and what is written with it.

use std::time::Duration;

use crate::event::{Event, EventType};
use crate::job::{Charge, Job, JobError, JobErrorCode, JobStatus, Output, TimelineEntry, Warning};
use crate::library::{Findings, LibraryChange};
use crate::operation::Operation;
use crate::retry;
use crate::ticket::Ticket;
use crate::timestamp::Timestamp;

/// What must hold at the moment of writing, else the move is stale and nothing is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The status moved from.
    pub status: JobStatus,
    /// The fencing number.
    pub attempt: u32,
    /// The lease that was seen, where a heartbeat in between makes the move void.
    pub lease_until: Option<Timestamp>,
}

/// What becomes of the job's ticket row in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TicketChange {
    /// No row is touched.
    Keep,
    /// The row is deleted: the ticket has arrived, or is void.
    Remove,
    /// A row is written, which `sweep` sends from `due` on if nobody claims the job before.
    Put {
        /// What is sent.
        ticket: Ticket,
        /// How long the queue holds it back when it is sent at once.
        delay: Duration,
        /// From when on `sweep` sends it again.
        due: Timestamp,
    },
}

/// A charge given back, once, to the period that it was charged in.
pub type Refund = Charge;

/// A move from one state to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The job as it will be.
    pub job: Job,
    /// What must still hold.
    pub expected: Expected,
    /// What the world is told of the job, through the outbox.
    pub event: Option<Event>,
    /// What becomes of the ticket.
    pub ticket: TicketChange,
    /// What is given back, unless it was given back before.
    pub refund: Option<Refund>,
    /// What changes in the library.
    pub library: Option<LibraryChange>,
}

/// What a processor may do with a ticket.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// Work on it, once this is written.
    Work(Box<Transition>),
    /// No attempt is left: bury it.
    Bury(Box<Transition>),
    /// Nothing: the job has ended, is held by another worker, or is not due. The ticket is done with.
    Nothing,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The result is stored and verified.
    Completed {
        /// The result.
        output: Box<Output>,
        /// What is worth knowing about it.
        warnings: Vec<Warning>,
        /// What it tells about the saved document that was processed.
        findings: Option<Findings>,
    },
    /// The input or the request is at fault.
    Failed(JobError),
    /// The service is at fault; another attempt may succeed. The text is for operators.
    Interrupted(String),
}

impl Job {
    /// What a processor that holds a ticket for this job may do at `now`.
    #[must_use]
    pub fn claim(&self, now: Timestamp) -> Claim {
        let due = self
            .not_before
            .is_none_or(|at| at <= now.plus(retry::CLOCK_TOLERANCE));
        match self.status {
            JobStatus::Queued | JobStatus::Retrying if !due => Claim::Nothing,
            JobStatus::Queued | JobStatus::Retrying if self.attempt >= self.attempt_limit => {
                Claim::Bury(Box::new(self.bury(now)))
            }
            JobStatus::Queued | JobStatus::Retrying => Claim::Work(Box::new(self.start(now))),
            _ => Claim::Nothing,
        }
    }

    /// The end of the present attempt.
    #[must_use]
    pub fn finish(&self, ending: Ending, now: Timestamp) -> Transition {
        match ending {
            Ending::Completed {
                output, warnings, ..
            } => {
                let mut transition = self.become_status(JobStatus::Completed, now);
                transition.job.progress = 100;
                transition.job.output = Some(*output);
                transition.job.warnings = warnings;
                transition.job.forget_secrets();
                transition.with_event(EventType::JobCompleted)
            }
            Ending::Failed(error) => self.fail(error, now),
            Ending::Interrupted(_) => self.retry(now, retry::backoff(self.attempt)),
        }
    }

    /// The worker's lease ran out: another attempt is due at once. `None` while the lease holds.
    #[must_use]
    pub fn release_expired_lease(&self, now: Timestamp) -> Option<Transition> {
        let lease_until = self.lease_until.filter(|until| *until < now)?;
        (self.status == JobStatus::Processing).then(|| {
            let mut transition = self.retry(now, Duration::ZERO);
            transition.expected.lease_until = Some(lease_until);
            transition
        })
    }

    /// The owner cancels. `None` once a worker has it or it has ended.
    #[must_use]
    pub fn cancel(&self, now: Timestamp) -> Option<Transition> {
        matches!(self.status, JobStatus::Queued | JobStatus::Retrying).then(|| {
            let mut transition = self.fail(
                JobError::new(JobErrorCode::Cancelled, "the job was cancelled"),
                now,
            );
            transition.ticket = TicketChange::Remove;
            transition
        })
    }

    /// Gives up on a job that the service could not do. A job that is held or has ended is left alone.
    #[must_use]
    pub fn give_up(&self, now: Timestamp) -> Option<Transition> {
        let held = self.status == JobStatus::Processing
            && self.lease_until.is_some_and(|until| until >= now);
        (!self.status.is_terminal() && !held).then(|| self.bury(now))
    }

    /// The operator sends a buried job round again; nothing is charged. `None` unless it is buried.
    #[must_use]
    pub fn redrive(&self, now: Timestamp) -> Option<Transition> {
        (self.status == JobStatus::DeadLetter).then(|| {
            let mut transition = self.become_status(JobStatus::Queued, now);
            transition.job.error = None;
            transition.job.progress = 0;
            // It may wait as long as a new one, and must not expire while it does.
            let latest_start = now.plus(retry::START_WITHIN);
            transition.job.expires_at = self.expires_at.max(latest_start.plus(retry::START_WITHIN));
            transition.job.attempt_limit = self.attempt + retry::ATTEMPTS;
            transition.ticket = transition.job.ticket_row(now, Duration::ZERO);
            transition
        })
    }

    /// The ticket row that goes with a job that waits for a processor.
    #[must_use]
    pub fn ticket_row(&self, now: Timestamp, delay: Duration) -> TicketChange {
        TicketChange::Put {
            ticket: Ticket::for_job(self),
            delay,
            due: now.plus(delay).plus(retry::RESEND_AFTER),
        }
    }

    fn start(&self, now: Timestamp) -> Transition {
        let mut transition = self.become_status(JobStatus::Processing, now);
        transition.job.attempt = self.attempt + 1;
        transition.job.progress = 0;
        transition.job.lease_until = Some(now.plus(retry::LEASE));
        if let Some(entry) = transition.job.timeline.last_mut() {
            entry.attempt = self.attempt + 1;
        }
        transition.ticket = TicketChange::Remove;
        transition.with_event(EventType::JobProcessing)
    }

    fn retry(&self, now: Timestamp, delay: Duration) -> Transition {
        let mut transition = self.become_status(JobStatus::Retrying, now);
        transition.job.not_before = Some(now.plus(delay));
        transition.ticket = transition.job.ticket_row(now, delay);
        transition.with_event(EventType::JobRetrying)
    }

    fn fail(&self, error: JobError, now: Timestamp) -> Transition {
        let mut transition = self.become_status(JobStatus::Failed, now);
        transition.job.error = Some(error);
        transition.job.forget_secrets();
        transition.give_back();
        transition.with_event(EventType::JobFailed)
    }

    fn bury(&self, now: Timestamp) -> Transition {
        let mut transition = self.become_status(JobStatus::DeadLetter, now);
        let message = "the service could not process this job; nothing was charged";
        transition.job.error = Some(JobError::new(JobErrorCode::InternalError, message));
        transition.ticket = TicketChange::Remove;
        transition.give_back();
        transition.with_event(EventType::JobDeadLetter)
    }

    /// Passwords do not outlive the work. A buried job keeps them, because an operator may send it round again.
    fn forget_secrets(&mut self) {
        let steps = std::mem::take(&mut self.steps);
        self.steps = steps.into_iter().map(Operation::without_secrets).collect();
    }

    fn become_status(&self, status: JobStatus, now: Timestamp) -> Transition {
        debug_assert!(
            self.status.may_become(status),
            "{} may not become {status}",
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
    /// The move with what it changes in the library.
    #[must_use]
    pub fn in_library(self, change: LibraryChange) -> Self {
        Self {
            library: Some(change),
            ..self
        }
    }

    /// Everything that the world is told: of the job, and of what changes in the library.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        let of_library = self.library.as_ref().and_then(LibraryChange::event);
        self.event.iter().cloned().chain(of_library).collect()
    }

    /// What Octavo does for itself costs nothing.
    fn give_back(&mut self) {
        if !self.job.is_internal() {
            self.refund = Some(self.job.charge.clone());
            self.job.refunded = true;
        }
    }

    /// What Octavo does for itself is told to nobody.
    fn with_event(mut self, event_type: EventType) -> Self {
        let told = !self.job.is_internal();
        self.event = told.then(|| Event::of_job(event_type, &self.job));
        self
    }
}

#[cfg(test)]
mod tests;
