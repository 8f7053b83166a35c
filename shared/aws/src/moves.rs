//! Moving jobs along: each move with its ticket, event and refund in one transaction, and the heartbeat.

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, Delete, Put, Update};
use domain::id::JobId;
use domain::job::{Expected, Job, JobStatus, Refund, TicketChange, Transition};
use domain::ports::{MoveJobs, PortError};
use domain::retry::REPUBLISH_AFTER;
use domain::timestamp::{Period, Timestamp};

use crate::error::{Failure, unavailable};
use crate::item::{self, Item, SERVICE, number, text};
use crate::job_item::{self, CHANGING, WRITE};
use crate::keys;
use crate::retry::Patience;
use crate::services::Services;
use crate::table::{held, new_item};
use crate::transaction::{Committed, Part, Transaction, incomplete, new_write};
use crate::usage;

#[async_trait]
impl MoveJobs for Services {
    async fn apply(&self, transition: &Transition) -> Result<bool, PortError> {
        let mut refund = transition.refund.as_ref();
        let mut write = new_write();
        let mut patience = Patience::new();
        loop {
            let all = self.transition(transition, refund, &write)?;
            match self.commit(&all, &write).await {
                Ok(Committed::Yes) => return Ok(true),
                Ok(Committed::No(parts)) if parts.contains(&Part::Job) => {
                    return self.is_from(&transition.job.id, &write).await;
                }
                // Given back before, when the operator had sent the job round again.
                Ok(Committed::No(parts)) if parts.contains(&Part::Refund) => {
                    refund = None;
                    write = new_write();
                    continue;
                }
                Ok(Committed::No(_)) => {
                    return Err(unavailable(SERVICE, "a condition failed that none has"));
                }
                Err(Failure::Busy) => patience.wait().await?,
                Err(Failure::Unknown(error)) => {
                    let written = self.is_from(&transition.job.id, &write).await?;
                    return if written { Ok(true) } else { Err(error) };
                }
                Err(Failure::Refused(error)) => return Err(error),
            }
        }
    }

    async fn extend_lease(
        &self,
        job: &JobId,
        attempt: u32,
        until: Timestamp,
        progress: u8,
    ) -> Result<bool, PortError> {
        let mut patience = Patience::new();
        loop {
            let update = self.sign_of_life(job, attempt, until, progress)?;
            match held(update.send().await) {
                Ok(held) => return Ok(held),
                Err(Failure::Busy) => patience.wait().await?,
                Err(failure) => return Err(failure.into_error()),
            }
        }
    }
}

impl Services {
    /// Whether the job's present state is from this very write.
    async fn is_from(&self, job: &JobId, write: &str) -> Result<bool, PortError> {
        let found = self.read(self.jobs_table()?, &keys::job(job)).await?;
        Ok(found.is_some_and(|item| item::read_text(&item, WRITE) == Some(write)))
    }

    fn transition(
        &self,
        transition: &Transition,
        refund: Option<&Refund>,
        write: &str,
    ) -> Result<Transaction, PortError> {
        let (job, table) = (&transition.job, self.jobs_table()?);
        let mut all = Transaction::default();
        all.update(
            Part::Job,
            job_update(table, job, &transition.expected, write)?,
        );
        change_ticket(&mut all, table, transition)?;
        if let Some(event) = &transition.event {
            let due = job.updated_at.plus(REPUBLISH_AFTER);
            let row = job_item::event(job, event, due)?;
            // The same happening has the same row, so it may be there already.
            all.put(Part::Outbox, replacement(table, row)?);
        }
        if let Some(refund) = refund {
            self.add_refund(&mut all, job, refund)?;
        }
        Ok(all)
    }

    fn add_refund(
        &self,
        all: &mut Transaction,
        job: &Job,
        refund: &Refund,
    ) -> Result<(), PortError> {
        let row = job_item::refund(job, refund);
        all.put(Part::Refund, new_item(self.jobs_table()?, row)?);
        if refund.units > 0 {
            let period = Period::parse(&refund.day)
                .ok_or_else(|| unavailable(SERVICE, format!("{} was charged to no day", job.id)))?;
            let accounts = self.accounts_table()?;
            let update = usage::give_back(accounts, &job.account_id, period, refund.units)?;
            all.update(Part::Usage, update);
        }
        Ok(())
    }

    fn sign_of_life(
        &self,
        job: &JobId,
        attempt: u32,
        until: Timestamp,
        progress: u8,
    ) -> Result<UpdateItemFluentBuilder, PortError> {
        Ok(self
            .tables()
            .update_item()
            .table_name(self.jobs_table()?)
            .set_key(Some(keys::job(job).attributes()))
            .update_expression("SET leaseUntil = :until, dueAt = :until, progress = :progress")
            .condition_expression("#status = :processing AND attempt = :attempt")
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":until", number(until.milliseconds()))
            .expression_attribute_values(":progress", number(progress))
            .expression_attribute_values(":processing", text(JobStatus::Processing.name()))
            .expression_attribute_values(":attempt", number(attempt)))
    }
}

/// Sets the attributes that the job has now and removes those that it has no longer.
fn job_update(
    table: &str,
    job: &Job,
    expected: &Expected,
    write: &str,
) -> Result<Update, PortError> {
    let mut item = job_item::job(job, write)?;
    let mut set = Vec::new();
    let mut removed = Vec::new();
    let mut update = Update::builder()
        .table_name(table)
        .set_key(Some(keys::job(&job.id).attributes()));
    for name in CHANGING {
        update = update.expression_attribute_names(format!("#{name}"), name);
        match item.remove(name) {
            Some(value) => {
                set.push(format!("#{name} = :{name}"));
                update = update.expression_attribute_values(format!(":{name}"), value);
            }
            None => removed.push(format!("#{name}")),
        }
    }
    let change = match removed.as_slice() {
        [] => format!("SET {}", set.join(", ")),
        _ => format!("SET {} REMOVE {}", set.join(", "), removed.join(", ")),
    };
    expecting(update.update_expression(change), expected)
        .build()
        .map_err(|error| incomplete(&error))
}

fn expecting(update: UpdateBuilder, expected: &Expected) -> UpdateBuilder {
    let seen = |at: Timestamp| -> AttributeValue { number(at.milliseconds()) };
    let update = update
        .expression_attribute_values(":seenStatus", text(expected.status.name()))
        .expression_attribute_values(":seenAttempt", number(expected.attempt));
    let condition = "#status = :seenStatus AND #attempt = :seenAttempt";
    match expected.lease_until {
        None => update.condition_expression(condition),
        Some(lease) => update
            .expression_attribute_values(":seenLease", seen(lease))
            .condition_expression(format!("{condition} AND #leaseUntil = :seenLease")),
    }
}

fn change_ticket(
    all: &mut Transaction,
    table: &str,
    transition: &Transition,
) -> Result<(), PortError> {
    let job = &transition.job;
    match &transition.ticket {
        TicketChange::Keep => {}
        TicketChange::Remove => all.delete(Part::Outbox, removal(table, job)?),
        TicketChange::Put { ticket, due, .. } => {
            let row = job_item::ticket(job, ticket, *due)?;
            all.put(Part::Outbox, replacement(table, row)?);
        }
    }
    Ok(())
}

fn removal(table: &str, job: &Job) -> Result<Delete, PortError> {
    Delete::builder()
        .table_name(table)
        .set_key(Some(keys::ticket(&job.id).attributes()))
        .build()
        .map_err(|error| incomplete(&error))
}

fn replacement(table: &str, row: Item) -> Result<Put, PortError> {
    Put::builder()
        .table_name(table)
        .set_item(Some(row))
        .build()
        .map_err(|error| incomplete(&error))
}
