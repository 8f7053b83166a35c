//! Jobs.

use async_trait::async_trait;
use domain::id::{AccountId, JobId};
use domain::job::{Job, JobStatus};
use domain::ports::{AcceptOutcome, Acceptance, JobPage, Jobs, PortError, PreviousRequest};
use domain::retry::{PUBLISH_CREATED_AFTER, REPUBLISH_AFTER};
use domain::timestamp::{Period, Timestamp};
use domain::transition::{TicketChange, Transition};
use domain::usage::quota_exceeded;

use super::state::{EventRow, Record, State, Subject, TicketRow};
use super::{Call, Fakes, unavailable};

#[async_trait]
impl Jobs for Fakes {
    async fn accept(&self, acceptance: &Acceptance) -> Result<AcceptOutcome, PortError> {
        self.call(Call::Accept, |state| state.accept(acceptance))
            .await
    }

    async fn replay(
        &self,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<PreviousRequest>, PortError> {
        self.call(Call::Replay, |state| {
            state.replay(fingerprint, body_hash, now)
        })
        .await
    }

    async fn job(&self, id: &JobId) -> Result<Option<Job>, PortError> {
        self.call(Call::ReadJob, |state| Ok(state.jobs.get(id).cloned()))
            .await
    }

    async fn jobs(
        &self,
        account: &AccountId,
        status: Option<JobStatus>,
        before: Option<&JobId>,
        limit: u32,
    ) -> Result<JobPage, PortError> {
        self.call(Call::ListJobs, |state| {
            let mut jobs: Vec<Job> = state
                .jobs
                .values()
                .rev()
                .filter(|job| job.account_id == *account && !job.is_internal())
                .filter(|job| status.is_none_or(|status| job.status == status))
                .filter(|job| before.is_none_or(|before| job.id < *before))
                .cloned()
                .collect();
            let more = jobs.len() > limit as usize;
            jobs.truncate(limit as usize);
            let next = jobs.last().filter(|_| more).map(|job| job.id.clone());
            Ok(JobPage { jobs, next })
        })
        .await
    }

    async fn apply(&self, transition: &Transition) -> Result<bool, PortError> {
        self.call(Call::Apply, |state| state.apply(transition))
            .await
    }

    async fn extend_lease(
        &self,
        job: &JobId,
        attempt: u32,
        until: Timestamp,
        progress: u8,
    ) -> Result<bool, PortError> {
        self.call(Call::ExtendLease, |state| {
            let is_leased =
                |job: &&mut Job| job.status == JobStatus::Processing && job.attempt == attempt;
            let Some(job) = state.jobs.get_mut(job).filter(is_leased) else {
                return Ok(false);
            };
            job.lease_until = Some(until);
            job.progress = progress;
            Ok(true)
        })
        .await
    }
}

impl State {
    fn accept(&mut self, acceptance: &Acceptance) -> Result<AcceptOutcome, PortError> {
        let (job, limits) = (&acceptance.job, acceptance.plan.limits());
        let earlier = self.replay(
            &acceptance.fingerprint,
            &acceptance.body_hash,
            job.created_at,
        )?;
        match earlier {
            Some(PreviousRequest::Replayed(earlier)) if earlier.id == job.id => {
                return Ok(AcceptOutcome::New);
            }
            Some(earlier) => return Ok(AcceptOutcome::PreviousRequest(earlier)),
            None => {}
        }
        let period = charged_in(&job.charge.day)?;
        let units = job.charge.units;
        let used = self.used(&job.account_id, period);
        if let Some(spent) = quota_exceeded(limits, used, units, period) {
            return Ok(AcceptOutcome::QuotaExceeded(spent));
        }
        if limits.is_metered() {
            self.count(&job.account_id, period, i64::from(units));
        }
        let record = Record {
            body_hash: acceptance.body_hash.clone(),
            subject: Subject::Job(job.id.clone()),
            uploader: None,
            expires_at: job.expires_at,
        };
        self.idempotency
            .insert(acceptance.fingerprint.clone(), record);
        self.charges.insert(job.id.clone(), job.charge.clone());
        self.jobs.insert(job.id.clone(), job.clone());
        self.change_ticket(&job.id, &acceptance.ticket);
        let due = job.updated_at.plus(PUBLISH_CREATED_AFTER);
        self.put_due_event(&acceptance.event, due);
        Ok(AcceptOutcome::New)
    }

    fn replay(
        &self,
        fingerprint: &str,
        body_hash: &str,
        now: Timestamp,
    ) -> Result<Option<PreviousRequest>, PortError> {
        let Some(record) = self.recorded(fingerprint, now) else {
            return Ok(None);
        };
        match &record.subject {
            Subject::Job(id) if record.body_hash == body_hash => {
                let job = self.jobs.get(id).cloned();
                let job = job.ok_or_else(|| unavailable("the recorded job does not exist"))?;
                Ok(Some(PreviousRequest::Replayed(Box::new(job))))
            }
            _ => Ok(Some(PreviousRequest::KeyReused)),
        }
    }

    fn apply(&mut self, transition: &Transition) -> Result<bool, PortError> {
        let (next, expected) = (&transition.job, transition.expected);
        let fits = self.jobs.get(&next.id).is_some_and(|job| {
            job.status == expected.status
                && job.attempt == expected.attempt
                && expected
                    .lease_until
                    .is_none_or(|seen| job.lease_until == Some(seen))
        });
        if !fits {
            return Ok(false);
        }
        self.check_library(transition.library.as_ref())?;
        self.change_library(transition.library.as_ref());
        self.jobs.insert(next.id.clone(), next.clone());
        self.change_ticket(&next.id, &transition.ticket);
        for event in transition.events() {
            self.put_event(&event, next.updated_at);
        }
        if let Some(refund) = &transition.refund
            && !self.refunds.contains_key(&next.id)
        {
            self.refunds.insert(next.id.clone(), refund.clone());
            let period = charged_in(&refund.day)?;
            self.count(&next.account_id, period, -i64::from(refund.units));
        }
        Ok(true)
    }

    fn change_ticket(&mut self, job: &JobId, change: &TicketChange) {
        match change {
            TicketChange::Keep => {}
            TicketChange::Remove => {
                self.tickets.remove(job);
            }
            TicketChange::Put { ticket, due, .. } => {
                let row = TicketRow {
                    ticket: ticket.clone(),
                    sent: 0,
                    due: *due,
                };
                self.tickets.insert(job.clone(), row);
            }
        }
    }

    pub(super) fn put_event(&mut self, event: &domain::event::Event, at: Timestamp) {
        self.put_due_event(event, at.plus(REPUBLISH_AFTER));
    }

    fn put_due_event(&mut self, event: &domain::event::Event, due: Timestamp) {
        let row = EventRow {
            event: event.clone(),
            due,
        };
        let key = (event.subject(), event.id.clone());
        self.events.insert(key, row);
    }
}

fn charged_in(day: &str) -> Result<Period, PortError> {
    Period::parse(day).ok_or_else(|| unavailable("not a date"))
}
