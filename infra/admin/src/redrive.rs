//! `redrive`: buried jobs go round again, and so does what was set aside of events and deliveries.

mod set_aside;

use aws::Services;
use clap::Args;
use domain::id::JobId;
use domain::outbox::deliver;
use domain::ports::{Events, Jobs, Outbox, PortError, Queues};
use domain::processor::Processor;
use domain::timestamp::Timestamp;
use serde::Serialize;

use crate::Answer;
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
    /// Every buried job of a processor, or what is in the dead-letter queue of `fanout` (events) or `deliver` (tickets).
    #[arg(long, value_parser = read_queue)]
    queue: Option<Queue>,
}

/// What goes round again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Queue {
    Processor(Processor),
    SetAside(set_aside::Consumer),
}

fn read_queue(name: &str) -> Result<Queue, String> {
    match set_aside::Consumer::from_name(name) {
        Some(consumer) => Ok(Queue::SetAside(consumer)),
        None => read_processor(name)
            .map(Queue::Processor)
            .map_err(|error| format!("{error}, fanout, deliver")),
    }
}

/// What became of the jobs.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Report {
    /// How many go round again.
    redriven: usize,
    /// Which.
    jobs: Vec<JobId>,
    /// Those that stay buried, and why.
    failed: Vec<Failed>,
    /// Why further jobs were not looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
}

/// A job that stays buried.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Failed {
    job_id: JobId,
    /// `contended` or `unavailable`.
    code: &'static str,
    message: String,
}

/// What a redrive needs of the world.
trait Ports: Events + Jobs + Outbox + Queues {}

impl<P: Events + Jobs + Outbox + Queues> Ports for P {}

pub(crate) async fn run(
    stack: &Stack,
    command: Redrive,
    now: Timestamp,
) -> Result<Answer, AdminError> {
    let services = stack.services().await;
    let mut report = Report::default();
    match (command.job, command.queue) {
        (Some(job), _) => report.add(one(&services, job, now).await?),
        (None, Some(Queue::Processor(processor))) => {
            all(&services, processor, now, &mut report).await?;
        }
        (None, Some(Queue::SetAside(consumer))) => {
            return set_aside::redrive(stack, &services, consumer, now).await;
        }
        (None, None) => {}
    }
    report.answer()
}

async fn one<P: Ports>(ports: &P, id: JobId, now: Timestamp) -> Result<JobId, AdminError> {
    let job = ports.job(&id).await?;
    let status = job.map(|job| job.status);
    let status = status.ok_or_else(|| AdminError::Unknown(format!("job {id}")))?;
    if redrive(ports, &id, now).await? {
        return Ok(id);
    }
    let reason = format!("{id} is {status}: only a job that is dead_letter goes round again");
    Err(AdminError::Refused(reason))
}

/// Takes each job that was buried until `now` once, so this ends even while jobs keep failing.
async fn all(
    services: &Services,
    processor: Processor,
    now: Timestamp,
    report: &mut Report,
) -> Result<(), AdminError> {
    let mut position = None;
    loop {
        let page = services.buried(processor, now, position.as_ref(), AT_ONCE);
        match page.await {
            Ok((jobs, next)) => {
                each(services, jobs, now, report).await;
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

/// Redrives these jobs; one that cannot be is reported and does not stop the others.
async fn each<P: Ports>(ports: &P, jobs: Vec<JobId>, now: Timestamp, report: &mut Report) {
    for id in jobs {
        match redrive(ports, &id, now).await {
            Ok(true) => report.add(id),
            // The index lags behind the table: the job has gone on, or is gone.
            Ok(false) => {}
            Err(error) => report.failed.push(Failed {
                job_id: id,
                code: code(&error),
                message: error.to_string(),
            }),
        }
    }
}

/// `false` when the job is not buried.
async fn redrive<P: Ports>(ports: &P, id: &JobId, now: Timestamp) -> Result<bool, PortError> {
    let job = ports.job(id).await?;
    let Some(transition) = job.and_then(|job| job.redrive(now)) else {
        return Ok(false);
    };
    let written = ports.apply(&transition).await?;
    if written {
        deliver(ports, &transition).await;
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

    fn answer(self) -> Result<Answer, AdminError> {
        Ok(Answer {
            good: self.failed.is_empty() && self.stopped.is_none(),
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
    use testkit::{Call, Fakes, Fault, World as _, sample};

    use super::*;

    /// A buried job.
    async fn buried(fakes: &Fakes) -> JobId {
        let account = sample::account(fakes, Plan::Pro);
        let acceptance = sample::acceptance(fakes, &account, &sample::fingerprint(fakes));
        fakes.accept(&acceptance).await.unwrap();
        let bury = acceptance.job.give_up(fakes.now()).unwrap();
        assert!(fakes.apply(&bury).await.unwrap());
        acceptance.job.id
    }

    async fn status(fakes: &Fakes, id: &JobId) -> JobStatus {
        fakes.job(id).await.unwrap().unwrap().status
    }

    #[tokio::test]
    async fn a_job_that_fails_is_reported_and_stops_no_other() {
        let fakes = Fakes::new();
        let [busy, unreadable, good, gone] = [
            buried(&fakes).await,
            buried(&fakes).await,
            buried(&fakes).await,
            buried(&fakes).await,
        ];
        fakes.remove_job(&gone);
        let mut report = Report::default();
        fakes.fail(Call::Apply, Fault::Contended, 1);
        each(&fakes, vec![busy.clone()], fakes.now(), &mut report).await;
        fakes.fail(Call::ReadJob, Fault::Unavailable, 1);
        let jobs = vec![unreadable.clone(), gone, good.clone()];
        each(&fakes, jobs, fakes.now(), &mut report).await;

        let answer = report.answer().unwrap();
        assert!(!answer.good, "a failure must end with exit status 1");
        let messages = [0, 1].map(|index| answer.json["failed"][index]["message"].clone());
        let is_said =
            |message: &serde_json::Value| message.as_str().is_some_and(|it| !it.is_empty());
        assert!(messages.iter().all(is_said));
        let expected = json!({"redriven": 1, "jobs": [good], "failed": [
            {"jobId": busy, "code": "contended", "message": messages[0]},
            {"jobId": unreadable, "code": "unavailable", "message": messages[1]},
        ]});
        assert_eq!(answer.json, expected);
        assert_eq!(status(&fakes, &good).await, JobStatus::Queued);
        assert_eq!(status(&fakes, &busy).await, JobStatus::DeadLetter);
        let sent: Vec<_> = fakes
            .sent()
            .into_iter()
            .map(|sent| sent.ticket.job_id)
            .collect();
        assert_eq!(sent, [good]);
    }

    #[tokio::test]
    async fn one_job_that_is_not_buried_is_refused() {
        let fakes = Fakes::new();
        let id = buried(&fakes).await;
        assert_eq!(one(&fakes, id.clone(), fakes.now()).await.unwrap(), id);
        let again = one(&fakes, id.clone(), fakes.now()).await.unwrap_err();
        let AdminError::Refused(reason) = again else {
            panic!("{again}");
        };
        for named in [id.as_str(), "queued", "dead_letter"] {
            assert!(reason.contains(named), "{reason}");
        }
        fakes.remove_job(&id);
        let unknown = one(&fakes, id.clone(), fakes.now()).await.unwrap_err();
        assert!(matches!(&unknown, AdminError::Unknown(named) if named.ends_with(id.as_str())));
    }

    #[test]
    fn what_was_not_looked_for_is_no_success() {
        let report = Report {
            stopped: Some("dynamodb: no answer in time".to_owned()),
            ..Report::default()
        };
        assert!(!report.answer().unwrap().good);
        assert!(Report::default().answer().unwrap().good);
    }
}
