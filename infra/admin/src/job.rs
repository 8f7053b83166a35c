//! `job show`.

use clap::Subcommand;
use domain::id::JobId;
use domain::ports::Jobs;
use serde_json::Value;

use crate::error::AdminError;
use crate::stack::Stack;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Prints the stored record of a job.
    Show {
        /// Job id.
        id: JobId,
    },
}

pub(crate) async fn run(stack: &Stack, command: Command) -> Result<Value, AdminError> {
    let Command::Show { id } = command;
    let job = stack.services().await.job(&id).await?;
    let job = job.ok_or_else(|| AdminError::NotFound(format!("job {id}")))?;
    Ok(serde_json::to_value(job)?)
}
