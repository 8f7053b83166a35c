//! Coordinators that are killed at each stage of a job.

use std::time::{Duration, Instant};

use aws_sdk_s3::Client as Objects;
use serde_json::{Value, json};
use tests::documents::pdf;
use tests::faults::inject;
use tests::process::{Process, kill_coordinators};
use tests::stack::stack;
use tests::wire;

use crate::account::{Account, PRICE, statuses};
use crate::aws;
use crate::bus::Listener;
use crate::crash::{COORDINATOR, PROCESSING, RETRIED, start_job};

/// The coordinator whose requests are held. Its jobs take a fraction of a second.
const HELD: &str = "process-ocr";

/// How long a held request has no response: longer than a coordinator takes to be killed.
const HELD_SECONDS: u64 = 30;

/// Maximum delay by a killed coordinator: the lease, and at most a minute between two runs of `sweep`.
const MAX_DELAY: Duration = Duration::from_secs(30 + 60);

/// Maximum delay of an event that was not published: a minute until it counts as lost, and at most one between two runs of `sweep`.
const PUBLISHED_WITHIN: Duration = Duration::from_secs(60 + 60);

/// Timeout for the result that the first attempt stores without its coordinator.
const STORED_WITHIN: Duration = Duration::from_secs(60);

/// A job whose coordinator was killed.
pub(crate) struct OrphanedJob {
    account: Account,
    job_id: String,
    since: Instant,
    /// Whether the first attempt stores a result.
    stores_result: bool,
    /// The engine function of the first attempt, if it was at work.
    engine: Option<Process>,
}

impl OrphanedJob {
    /// Kills the coordinator before the engine function was invoked: the request did not reach Lambda.
    pub(crate) async fn before_invoking() -> Self {
        Self::held(("lambda", "POST"), false).await
    }

    /// Kills the coordinator while the engine function works, which does not end with it.
    pub(crate) async fn while_invoking() -> Self {
        let account = Account::new();
        let (job_id, engine) = start_job(&account).await;
        kill_coordinators(COORDINATOR);
        Self {
            account,
            job_id,
            since: Instant::now(),
            stores_result: true,
            engine: Some(engine),
        }
    }

    /// Kills the coordinator after the response of the engine function, while it checks the stored result.
    pub(crate) async fn before_finishing() -> Self {
        Self::held(("s3", "HEAD"), true).await
    }

    async fn held((service, operation): (&str, &str), stores_result: bool) -> Self {
        let account = Account::new();
        let start = wire::now();
        let faults = inject(&[held(service, operation, 1)]);
        let job_id = account.submit(pdf(1, 595, 842), "pdf", "txt").await;
        wire::wait_for_requests(start, 1, PROCESSING, is_held).await;
        kill_coordinators(HELD);
        drop(faults);
        Self {
            account,
            job_id,
            since: Instant::now(),
            stores_result,
            engine: None,
        }
    }

    /// The second attempt completes for one charge; the output of the first one lies under its own name and is ignored.
    pub(crate) async fn completes_after_retry(self) {
        let account = &self.account;
        let job = account
            .wait_for(&self.job_id, "completed", MAX_DELAY + PROCESSING)
            .await;
        assert!(
            self.since.elapsed() > Duration::from_secs(10),
            "killed too late: {job}"
        );
        assert_eq!(statuses(&job), RETRIED);
        assert_eq!(job["attempts"], 2, "{job}");
        assert_eq!(job["creditsCharged"], PRICE, "{job}");
        assert_eq!(account.credits_used().await, PRICE);
        let result = account.client.result(&job).await;
        assert_eq!(Some(result), self.object(2).await, "{job}");
        let path = format!("/jobs/{}/result", self.job_id);
        let location = account.client.get(&path).await;
        let location = location.header("location").to_owned();
        assert!(location.contains(&self.name(2)), "{location}");
        self.check_first_attempt().await;
    }

    async fn check_first_attempt(&self) {
        if !self.stores_result {
            assert_eq!(
                self.object(1).await,
                None,
                "the engine function was invoked"
            );
            return;
        }
        let deadline = Instant::now() + STORED_WITHIN;
        while self.object(1).await.is_none() {
            assert!(Instant::now() < deadline, "no late result is stored");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        // The engine stores its result before its child has ended.
        let runs = |engine: Process| !engine.document_children().is_empty();
        while self.engine.is_some_and(runs) {
            assert!(
                Instant::now() < deadline,
                "the engine of the first attempt runs on"
            );
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Key of an attempt's result.
    fn name(&self, attempt: u32) -> String {
        format!(
            "results/{}/{}/{attempt}/result",
            self.account.id, self.job_id
        )
    }

    async fn object(&self, attempt: u32) -> Option<Vec<u8>> {
        let config = aws::config().await;
        let config = aws_sdk_s3::config::Builder::from(&config).force_path_style(true);
        let objects = Objects::from_conf(config.build());
        let get = objects.get_object().bucket(&stack().resources.bucket);
        match get.key(self.name(attempt)).send().await {
            Ok(found) => Some(found.body.collect().await.unwrap().to_vec()),
            Err(error) if error.as_service_error().unwrap().is_no_such_key() => None,
            Err(error) => panic!("{error:?}"),
        }
    }
}

/// A job that was completed, and whose coordinator was killed before it published that.
pub(crate) struct UnpublishedJob {
    account: Account,
    job: Value,
    events: Listener,
}

impl UnpublishedJob {
    pub(crate) async fn start() -> Self {
        let (account, events) = (Account::new(), Listener::start().await);
        let start = wire::now();
        let faults = inject(&[held("events", "PutEvents", 100)]);
        let job_id = account.submit(pdf(1, 595, 842), "pdf", "txt").await;
        let job = account.wait_for(&job_id, "completed", PROCESSING).await;
        wire::wait_for_requests(start, 1, PROCESSING, is_held).await;
        kill_coordinators(HELD);
        drop(faults);
        Self {
            account,
            job,
            events,
        }
    }

    /// `sweep` publishes the event; the job stays completed by its first attempt, for one charge.
    pub(crate) async fn published_by_sweep(self) {
        let job_id = self.job["jobId"].as_str().unwrap();
        let event = self
            .events
            .next_event_within(PUBLISHED_WITHIN, "job.completed", job_id)
            .await;
        assert_eq!(event["detail"]["data"]["status"], "completed", "{event}");
        assert_eq!(self.account.job(job_id).await, self.job);
        assert_eq!(self.job["attempts"], 1, "{}", self.job);
        assert_eq!(self.account.credits_used().await, PRICE);
    }
}

/// A fault: the first requests of this operation are not executed, and have no response for a while.
fn held(service: &str, operation: &str, times: u32) -> Value {
    json!({
        "service": service, "operation": operation, "function": stack().resources.functions[HELD],
        "status": 503, "delay": HELD_SECONDS, "times": times,
    })
}

fn is_held(request: &wire::Request) -> bool {
    request.fault && request.is_of(HELD)
}
