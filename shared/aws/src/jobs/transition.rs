//! The writes of a transition: the job, its ticket, event and refund, and the changes in the library.

use aws_sdk_dynamodb::types::Update;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use domain::job::Job;
use domain::ports::PortError;
use domain::retry::REPUBLISH_AFTER;
use domain::timestamp::Period;
use domain::transition::{Expected, Refund, TicketChange, Transition};

use crate::error::unavailable;
use crate::item::{SERVICE, number, text};
use crate::job_item::{self, CHANGING};
use crate::services::Services;
use crate::table::{new_item, removal, replacement};
use crate::transaction::{Transaction, WriteRole, incomplete};
use crate::{keys, usage};

impl Services {
    /// The transaction of a transition; `write` identifies it.
    pub(crate) fn transition(
        &self,
        transition: &Transition,
        refund: Option<&Refund>,
        write: &str,
    ) -> Result<Transaction, PortError> {
        let (job, table) = (&transition.job, self.jobs_table()?);
        let mut all = Transaction::default();
        all.update(
            WriteRole::Job,
            job_update(table, job, &transition.expected, write)?,
        );
        change_ticket(&mut all, table, transition)?;
        for event in transition.events() {
            let due = job.updated_at.plus(REPUBLISH_AFTER);
            let row = job_item::event(&event, due, job.expires_at)?;
            // The same event has the same key, so the row may exist already.
            all.put(WriteRole::Outbox, replacement(table, row)?);
        }
        if let Some(refund) = refund {
            self.add_refund(&mut all, job, refund)?;
        }
        if let Some(change) = &transition.library {
            self.add_library_change(&mut all, change)?;
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
        all.put(WriteRole::Refund, new_item(self.jobs_table()?, row)?);
        if refund.units > 0 {
            let period = Period::parse(&refund.day).ok_or_else(|| {
                unavailable(SERVICE, format!("the charge of {} has no date", job.id))
            })?;
            let accounts = self.accounts_table()?;
            let update = usage::subtract_charge(accounts, &job.account_id, period, refund.units)?;
            all.update(WriteRole::Usage, update);
        }
        Ok(())
    }
}

/// Sets the attributes that the job has and removes those that it does not have any more.
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
    with_expected_state(update.update_expression(change), expected)
        .build()
        .map_err(|error| incomplete(&error))
}

fn with_expected_state(update: UpdateBuilder, expected: &Expected) -> UpdateBuilder {
    let update = update
        .expression_attribute_values(":seenStatus", text(expected.status.name()))
        .expression_attribute_values(":seenAttempt", number(expected.attempt));
    let condition = "#status = :seenStatus AND #attempt = :seenAttempt";
    match expected.lease_until {
        None => update.condition_expression(condition),
        Some(lease) => update
            .expression_attribute_values(":seenLease", number(lease.milliseconds()))
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
        TicketChange::Remove => {
            all.delete(WriteRole::Outbox, removal(table, &keys::ticket(&job.id))?)
        }
        TicketChange::Put { ticket, due, .. } => {
            let row = job_item::ticket(job, ticket, *due)?;
            all.put(WriteRole::Outbox, replacement(table, row)?);
        }
    }
    Ok(())
}
