//! `redrive`: returns dead-lettered jobs, events and deliveries to their queues.

mod dead_letters;

use aws::Services;
use clap::Args;
use domain::id::JobId;
use domain::outbox::dispatch;
use domain::ports::{Events, Jobs, Outbox, PortError, Queues};
use domain::processor::Processor;
use domain::timestamp::Timestamp;
use serde::Serialize;

use crate::CommandOutput;
use crate::error::AdminError;
use crate::processor::read_processor;
use crate::stack::Stack;

/// Jobs per page of a query.
const PAGE_SIZE: u32 = 100;

#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Redrive {
    /// Redrives one job.
    #[arg(long)]
    job: Option<JobId>,
    /// Redrives all dead-lettered jobs of a processor, or the dead-letter queue of `fanout` (events) or `deliver` (tickets).
    #[arg(long, value_parser = read_queue)]
    queue: Option<Queue>,
}

/// The queue to redrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Queue {
    Processor(Processor),
    DeadLetters(dead_letters::Consumer),
}

fn read_queue(name: &str) -> Result<Queue, String> {
    match dead_letters::Consumer::from_name(name) {
        Some(consumer) => Ok(Queue::DeadLetters(consumer)),
        None => read_processor(name)
            .map(Queue::Processor)
            .map_err(|error| format!("{error}, fanout, deliver")),
    }
}

/// Result of a redrive of jobs.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Report {
    /// Number of redriven jobs.
    redriven: usize,
    /// The redriven jobs.
    jobs: Vec<JobId>,
    /// Jobs that could not be redriven.
    failed: Vec<Failed>,
    /// The error that stopped the search for further jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

/// A job that stays dead-lettered.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Failed {
    job_id: JobId,
    /// `contended` or `unavailable`.
    code: &'static str,
    message: String,
}

/// Ports that a redrive uses.
trait Ports: Events + Jobs + Outbox + Queues {}

impl<P: Events + Jobs + Outbox + Queues> Ports for P {}

pub(crate) async fn run(
    stack: &Stack,
    command: Redrive,
    now: Timestamp,
) -> Result<CommandOutput, AdminError> {
    let services = stack.services().await;
    let mut report = Report::default();
    match (command.job, command.queue) {
        (Some(job), _) => report.add(redrive_job(&services, job, now).await?),
        (None, Some(Queue::Processor(processor))) => {
            redrive_processor(&services, processor, now, &mut report).await?;
        }
        (None, Some(Queue::DeadLetters(consumer))) => {
            return dead_letters::redrive(stack, &services, consumer, now).await;
        }
        (None, None) => {}
    }
    report.output()
}

async fn redrive_job<P: Ports>(ports: &P, id: JobId, now: Timestamp) -> Result<JobId, AdminError> {
    let job = ports.job(&id).await?;
    let status = job.map(|job| job.status);
    let status = status.ok_or_else(|| AdminError::NotFound(format!("job {id}")))?;
    if redrive(ports, &id, now).await? {
        return Ok(id);
    }
    let reason = format!("{id} is {status}; only jobs with status dead_letter can be redriven");
    Err(AdminError::Rejected(reason))
}

/// Redrives each job that was dead-lettered until `now` once, so that the loop ends even if jobs keep failing.
async fn redrive_processor(
    services: &Services,
    processor: Processor,
    now: Timestamp,
    report: &mut Report,
) -> Result<(), AdminError> {
    let mut position = None;
    loop {
        let page = services.dead_lettered_jobs(processor, now, position.as_ref(), PAGE_SIZE);
        match page.await {
            Ok((jobs, next)) => {
                redrive_jobs(services, jobs, now, report).await;
                position = next;
            }
            Err(error) if report.is_empty() => return Err(error.into()),
            Err(error) => {
                report.stopped = Some(error.to_string());
                return Ok(());
            }
        }
        if position.is_none() {
            return Ok(());
        }
    }
}

/// Redrives jobs. A failed one is reported and does not stop the others.
async fn redrive_jobs<P: Ports>(ports: &P, jobs: Vec<JobId>, now: Timestamp, report: &mut Report) {
    for id in jobs {
        match redrive(ports, &id, now).await {
            Ok(true) => report.add(id),
            // The index lags behind the table: the job has a newer status or was deleted.
            Ok(false) => {}
            Err(error) => report.failed.push(Failed {
                job_id: id,
                code: code(&error),
                message: error.to_string(),
            }),
        }
    }
}

/// Redrives a job; `false` if it is not dead-lettered.
async fn redrive<P: Ports>(ports: &P, id: &JobId, now: Timestamp) -> Result<bool, PortError> {
    let job = ports.job(id).await?;
    let Some(transition) = job.and_then(|job| job.redrive(now)) else {
        return Ok(false);
    };
    let written = ports.apply(&transition).await?;
    if written {
        dispatch(ports, &transition).await;
    }
    Ok(written)
}

fn code(error: &PortError) -> &'static str {
    match error {
        PortError::Contended => "contended",
        PortError::Unavailable { .. } => "unavailable",
    }
}

impl Report {
    fn add(&mut self, job: JobId) {
        self.redriven += 1;
        self.jobs.push(job);
    }

    fn is_empty(&self) -> bool {
        self.jobs.is_empty() && self.failed.is_empty()
    }

    fn output(self) -> Result<CommandOutput, AdminError> {
        Ok(CommandOutput {
            success: self.failed.is_empty() && self.stopped.is_none(),
            json: serde_json::to_value(self)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use domain::job::JobStatus;
    use domain::plan::Plan;
    use domain::ports::Jobs as _;
    use serde_json::json;
    use testkit::{Call, Environment as _, Fakes, Fault, sample};

    use super::*;

    /// Creates a dead-lettered job.
    async fn dead_lettered(fakes: &Fakes) -> JobId {
        let account = sample::account(fakes, Plan::Pro);
        let acceptance = sample::acceptance(fakes, &account, &sample::fingerprint(fakes));
        fakes.accept(&acceptance).await.unwrap();
        let dead_letter = acceptance.job.dead_letter(fakes.now()).unwrap();
        assert!(fakes.apply(&dead_letter).await.unwrap());
        acceptance.job.id
    }

    async fn status(fakes: &Fakes, id: &JobId) -> JobStatus {
        fakes.job(id).await.unwrap().unwrap().status
    }

    #[tokio::test]
    async fn a_failed_redrive_is_reported_and_does_not_stop_the_others() {
        let fakes = Fakes::new();
        let [busy, unreadable, intact, gone] = [
            dead_lettered(&fakes).await,
            dead_lettered(&fakes).await,
            dead_lettered(&fakes).await,
            dead_lettered(&fakes).await,
        ];
        fakes.remove_job(&gone);
        let mut report = Report::default();
        fakes.fail(Call::Apply, Fault::Contended, 1);
        redrive_jobs(&fakes, vec![busy.clone()], fakes.now(), &mut report).await;
        fakes.fail(Call::ReadJob, Fault::Unavailable, 1);
        let jobs = vec![unreadable.clone(), gone, intact.clone()];
        redrive_jobs(&fakes, jobs, fakes.now(), &mut report).await;

        let output = report.output().unwrap();
        assert!(!output.success, "a failure must end with exit status 1");
        let messages = [0, 1].map(|index| output.json["failed"][index]["message"].clone());
        let is_text =
            |message: &serde_json::Value| message.as_str().is_some_and(|text| !text.is_empty());
        assert!(messages.iter().all(is_text));
        let expected = json!({"redriven": 1, "jobs": [intact], "failed": [
            {"jobId": busy, "code": "contended", "message": messages[0]},
            {"jobId": unreadable, "code": "unavailable", "message": messages[1]},
        ]});
        assert_eq!(output.json, expected);
        assert_eq!(status(&fakes, &intact).await, JobStatus::Queued);
        assert_eq!(status(&fakes, &busy).await, JobStatus::DeadLetter);
        let sent: Vec<_> = fakes
            .sent()
            .into_iter()
            .map(|sent| sent.ticket.job_id)
            .collect();
        assert_eq!(sent, [intact]);
    }

    #[tokio::test]
    async fn a_job_that_is_not_dead_lettered_is_rejected() {
        let fakes = Fakes::new();
        let id = dead_lettered(&fakes).await;
        assert_eq!(
            redrive_job(&fakes, id.clone(), fakes.now()).await.unwrap(),
            id
        );
        let again = redrive_job(&fakes, id.clone(), fakes.now())
            .await
            .unwrap_err();
        let AdminError::Rejected(reason) = again else {
            panic!("{again}");
        };
        for named in [id.as_str(), "queued", "dead_letter"] {
            assert!(reason.contains(named), "{reason}");
        }
        fakes.remove_job(&id);
        let unknown = redrive_job(&fakes, id.clone(), fakes.now())
            .await
            .unwrap_err();
        assert!(matches!(&unknown, AdminError::NotFound(named) if named.ends_with(id.as_str())));
    }

    #[test]
    fn a_stopped_search_is_a_failure() {
        let report = Report {
            stopped: Some("dynamodb: timed out".to_owned()),
            ..Report::default()
        };
        assert!(!report.output().unwrap().success);
        assert!(Report::default().output().unwrap().success);
    }
}
