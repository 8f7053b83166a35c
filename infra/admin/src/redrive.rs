//! `redrive`: buried jobs go round again.

use aws::Services;
use clap::Args;
use domain::id::JobId;
use domain::job::Job;
use domain::operation::Processor;
use domain::outbox::deliver;
use domain::ports::{MoveJobs, ReadJobs};
use serde_json::{Value, json};

use crate::clock;
use crate::error::AdminError;
use crate::processor::read_processor;
use crate::stack::Stack;

/// How many jobs are looked for at a time.
const AT_ONCE: u32 = 100;

#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Redrive {
    /// One job.
    #[arg(long)]
    job: Option<JobId>,
    /// Every buried job of a processor.
    #[arg(long, value_parser = read_processor)]
    queue: Option<Processor>,
}

pub(crate) async fn run(stack: &Stack, command: Redrive) -> Result<Value, AdminError> {
    let services = stack.services().await;
    let redriven = match (command.job, command.queue) {
        (Some(job), _) => vec![one(&services, job).await?],
        (None, Some(processor)) => all(&services, processor).await?,
        (None, None) => Vec::new(),
    };
    Ok(json!({"redriven": redriven.len(), "jobs": redriven}))
}

async fn one(services: &Services, id: JobId) -> Result<JobId, AdminError> {
    let job = services.job(&id).await?;
    let job = job.ok_or_else(|| AdminError::Unknown(format!("job {id}")))?;
    if redrive(services, &job).await? {
        return Ok(id);
    }
    let status = job.status;
    let reason = format!("{id} is {status}: only a job that is dead_letter goes round again");
    Err(AdminError::Refused(reason))
}

/// What is buried from now on waits for the next call, so this ends even while jobs keep failing.
async fn all(services: &Services, processor: Processor) -> Result<Vec<JobId>, AdminError> {
    let now = clock::now();
    let mut redriven = Vec::new();
    loop {
        let before = redriven.len();
        for id in services.buried(processor, now, AT_ONCE).await? {
            // The index lags behind the table: a job may have gone on, or be gone.
            if let Some(job) = services.job(&id).await?
                && redrive(services, &job).await?
            {
                redriven.push(id);
            }
        }
        if redriven.len() == before {
            return Ok(redriven);
        }
    }
}

/// `false` when the job is not buried.
async fn redrive(services: &Services, job: &Job) -> Result<bool, AdminError> {
    let Some(transition) = job.redrive(clock::now()) else {
        return Ok(false);
    };
    let written = services.apply(&transition).await?;
    if written {
        deliver(services, &transition).await;
    }
    Ok(written)
}
