//! Accepting a job: idempotency record, job, charge, ledger and outbox rows in one transaction.

use domain::id::JobId;
use domain::ports::{AcceptOutcome, Acceptance, Jobs, PortError, PreviousRequest, Usage};
use domain::retry::PUBLISH_CREATED_AFTER;
use domain::timestamp::Period;
use domain::transition::TicketChange;
use domain::usage::quota_exceeded;

use crate::error::{Failure, unavailable};
use crate::idempotency::{self, Record, Subject};
use crate::item::SERVICE;
use crate::services::Services;
use crate::table::new_item;
use crate::transaction::{Committed, Transaction, WriteRole};
use crate::{job_item, usage};

impl Services {
    /// Makes one attempt; `None` if the caller should retry.
    pub(super) async fn try_to_accept(
        &self,
        acceptance: &Acceptance,
        transaction: &Transaction,
    ) -> Result<Option<AcceptOutcome>, PortError> {
        let token = acceptance.job.id.as_str();
        match self.commit(transaction, token).await {
            Ok(Committed::Yes) => Ok(Some(AcceptOutcome::New)),
            // Checked first: a replay succeeds even if the quota is exhausted.
            Ok(Committed::No(roles)) if roles.contains(&WriteRole::Idempotency) => {
                self.recorded_outcome(acceptance).await
            }
            Ok(Committed::No(roles)) if roles.contains(&WriteRole::Usage) => {
                self.quota_exceeded(acceptance).await
            }
            Ok(Committed::No(_)) => Err(unavailable(SERVICE, "the job identifier exists already")),
            Err(Failure::Busy) => Ok(None),
            Err(Failure::Unknown(error)) => {
                let recorded = self.recorded_outcome(acceptance).await?;
                recorded.map(Some).ok_or(error)
            }
            Err(Failure::Rejected(error)) => Err(error),
        }
    }

    /// The outcome recorded under the idempotency key; `None` if the request has no key or the record has expired.
    async fn recorded_outcome(
        &self,
        acceptance: &Acceptance,
    ) -> Result<Option<AcceptOutcome>, PortError> {
        let job = &acceptance.job;
        match self
            .recorded(&acceptance.fingerprint, job.created_at)
            .await?
        {
            None => Ok(None),
            Some(record) if is_for(&record, &job.id) => Ok(Some(AcceptOutcome::New)),
            Some(record) => {
                let previous = self.previous(&record, &acceptance.body_hash).await?;
                Ok(Some(AcceptOutcome::PreviousRequest(previous)))
            }
        }
    }

    pub(super) async fn previous(
        &self,
        record: &Record,
        body_hash: &str,
    ) -> Result<PreviousRequest, PortError> {
        match &record.subject {
            Subject::Job(id) if record.body_hash == body_hash => {
                let job = self.job(id).await?;
                let missing = || {
                    unavailable(
                        SERVICE,
                        format!("{id} is in an idempotency record but does not exist"),
                    )
                };
                Ok(PreviousRequest::Replayed(Box::new(
                    job.ok_or_else(missing)?,
                )))
            }
            _ => Ok(PreviousRequest::KeyReused),
        }
    }

    /// The exceeded quota; `None` if the charge fits by now.
    async fn quota_exceeded(
        &self,
        acceptance: &Acceptance,
    ) -> Result<Option<AcceptOutcome>, PortError> {
        let job = &acceptance.job;
        let period = charged_in(acceptance)?;
        let used = self.used(&job.account_id, period).await?;
        let limits = acceptance.plan.limits();
        Ok(
            quota_exceeded(limits, used, job.charge.units, period)
                .map(AcceptOutcome::QuotaExceeded),
        )
    }

    pub(super) fn acceptance(&self, acceptance: &Acceptance) -> Result<Transaction, PortError> {
        let job = &acceptance.job;
        let table = self.jobs_table()?;
        let subject = Subject::Job(job.id.clone());
        let record = Record::new(&acceptance.body_hash, subject, job.expires_at);
        let mut all = Transaction::default();
        let fingerprint = &acceptance.fingerprint;
        let take = idempotency::take(table, fingerprint, &record, job.created_at)?;
        all.put(WriteRole::Idempotency, take);
        all.put(
            WriteRole::Job,
            new_item(table, job_item::job(job, job.id.as_str())?)?,
        );
        self.add_charge(&mut all, acceptance)?;
        all.put(
            WriteRole::Charge,
            new_item(table, job_item::charge(job, fingerprint))?,
        );
        if let TicketChange::Put { ticket, due, .. } = &acceptance.ticket {
            let row = job_item::ticket(job, ticket, *due)?;
            all.put(WriteRole::Outbox, new_item(table, row)?);
        }
        let due = job.updated_at.plus(PUBLISH_CREATED_AFTER);
        let row = job_item::event(&acceptance.event, due, job.expires_at)?;
        all.put(WriteRole::Outbox, new_item(table, row)?);
        Ok(all)
    }

    fn add_charge(&self, all: &mut Transaction, acceptance: &Acceptance) -> Result<(), PortError> {
        let (job, limits) = (&acceptance.job, acceptance.plan.limits());
        if limits.is_metered() && job.charge.units > 0 {
            let table = self.accounts_table()?;
            let period = charged_in(acceptance)?;
            let units = job.charge.units;
            let update = usage::charge(table, &job.account_id, period, units, limits)?;
            all.update(WriteRole::Usage, update);
        }
        Ok(())
    }
}

fn is_for(record: &Record, job: &JobId) -> bool {
    matches!(&record.subject, Subject::Job(recorded) if recorded == job)
}

fn charged_in(acceptance: &Acceptance) -> Result<Period, PortError> {
    let day = &acceptance.job.charge.day;
    Period::parse(day).ok_or_else(|| unavailable(SERVICE, format!("{day:?} is not a date")))
}
