//! Moving jobs along: each move with its ticket, event and refund in one transaction, and the heartbeat.

use async_trait::async_trait;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use domain::id::JobId;
use domain::job::{JobStatus, Transition};
use domain::ports::{MoveJobs, PortError};
use domain::timestamp::Timestamp;

use crate::error::{Failure, unavailable};
use crate::item::{self, SERVICE, number, text};
use crate::job_item::WRITE;
use crate::keys;
use crate::retry::Patience;
use crate::services::Services;
use crate::table::held;
use crate::transaction::{Committed, Part, new_write};

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
                // The saved document has changed since, or is gone: the move has to be made anew.
                Ok(Committed::No(parts))
                    if parts.contains(&Part::Document) || parts.contains(&Part::Belonging) =>
                {
                    return Err(PortError::Contended);
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
