//! Accepting a job: idempotency record, job, charge, ledger and outbox rows in one transaction.

use domain::id::JobId;
use domain::ports::{Acceptance, Accepted, Earlier, Jobs, PortError, Usage};
use domain::retry::TELL_CREATED_AFTER;
use domain::timestamp::Period;
use domain::transition::TicketChange;
use domain::usage::spent;

use crate::error::{Failure, unavailable};
use crate::idempotency::{self, Record, Subject};
use crate::item::SERVICE;
use crate::services::Services;
use crate::table::new_item;
use crate::transaction::{Committed, Part, Transaction};
use crate::{job_item, usage};

impl Services {
    /// One attempt; `None` when another one is worth it.
    pub(super) async fn try_to_accept(
        &self,
        acceptance: &Acceptance,
        transaction: &Transaction,
    ) -> Result<Option<Accepted>, PortError> {
        let token = acceptance.job.id.as_str();
        match self.commit(transaction, token).await {
            Ok(Committed::Yes) => Ok(Some(Accepted::New)),
            // Before anything else: a replay is answered even when nothing is left on the plan.
            Ok(Committed::No(parts)) if parts.contains(&Part::Idempotency) => {
                self.what_is_recorded(acceptance).await
            }
            Ok(Committed::No(parts)) if parts.contains(&Part::Usage) => {
                self.spent(acceptance).await
            }
            Ok(Committed::No(_)) => Err(unavailable(SERVICE, "the job's identifier is taken")),
            Err(Failure::Busy) => Ok(None),
            Err(Failure::Unknown(error)) => {
                let recorded = self.what_is_recorded(acceptance).await?;
                recorded.map(Some).ok_or(error)
            }
            Err(Failure::Refused(error)) => Err(error),
        }
    }

    /// What the record of the idempotency key says of this acceptance; `None` without one.
    async fn what_is_recorded(
        &self,
        acceptance: &Acceptance,
    ) -> Result<Option<Accepted>, PortError> {
        let job = &acceptance.job;
        match self
            .recorded(&acceptance.fingerprint, job.created_at)
            .await?
        {
            None => Ok(None),
            Some(record) if is_for(&record, &job.id) => Ok(Some(Accepted::New)),
            Some(record) => {
                let earlier = self.earlier(&record, &acceptance.body_hash).await?;
                Ok(Some(Accepted::Earlier(earlier)))
            }
        }
    }

    pub(super) async fn earlier(
        &self,
        record: &Record,
        body_hash: &str,
    ) -> Result<Earlier, PortError> {
        match &record.subject {
            Subject::Job(id) if record.body_hash == body_hash => {
                let job = self.job(id).await?;
                let gone = || unavailable(SERVICE, format!("{id} is recorded and gone"));
                Ok(Earlier::Replayed(Box::new(job.ok_or_else(gone)?)))
            }
            _ => Ok(Earlier::KeyReused),
        }
    }

    /// Which limit refused; `None` when the charge would fit by now.
    async fn spent(&self, acceptance: &Acceptance) -> Result<Option<Accepted>, PortError> {
        let job = &acceptance.job;
        let period = charged_in(acceptance)?;
        let used = self.used(&job.account_id, period).await?;
        let limits = acceptance.plan.limits();
        Ok(spent(limits, used, job.charge.units, period).map(Accepted::Spent))
    }

    pub(super) fn acceptance(&self, acceptance: &Acceptance) -> Result<Transaction, PortError> {
        let job = &acceptance.job;
        let table = self.jobs_table()?;
        let subject = Subject::Job(job.id.clone());
        let record = Record::new(&acceptance.body_hash, subject, job.expires_at);
        let mut all = Transaction::default();
        let fingerprint = &acceptance.fingerprint;
        let take = idempotency::take(table, fingerprint, &record, job.created_at)?;
        all.put(Part::Idempotency, take);
        all.put(
            Part::Job,
            new_item(table, job_item::job(job, job.id.as_str())?)?,
        );
        self.add_charge(&mut all, acceptance)?;
        all.put(
            Part::Charge,
            new_item(table, job_item::charge(job, fingerprint))?,
        );
        if let TicketChange::Put { ticket, due, .. } = &acceptance.ticket {
            let row = job_item::ticket(job, ticket, *due)?;
            all.put(Part::Outbox, new_item(table, row)?);
        }
        let due = job.updated_at.plus(TELL_CREATED_AFTER);
        let row = job_item::event(&acceptance.event, due, job.expires_at)?;
        all.put(Part::Outbox, new_item(table, row)?);
        Ok(all)
    }

    fn add_charge(&self, all: &mut Transaction, acceptance: &Acceptance) -> Result<(), PortError> {
        let (job, limits) = (&acceptance.job, acceptance.plan.limits());
        if limits.is_counted() && job.charge.units > 0 {
            let table = self.accounts_table()?;
            let period = charged_in(acceptance)?;
            let units = job.charge.units;
            let update = usage::charge(table, &job.account_id, period, units, limits)?;
            all.update(Part::Usage, update);
        }
        Ok(())
    }
}

fn is_for(record: &Record, job: &JobId) -> bool {
    matches!(&record.subject, Subject::Job(recorded) if recorded == job)
}

fn charged_in(acceptance: &Acceptance) -> Result<Period, PortError> {
    let day = &acceptance.job.charge.day;
    Period::parse(day).ok_or_else(|| unavailable(SERVICE, format!("{day:?} is not a day")))
}
