//! Receives events of the running stack's bus with its own rule and queue.

use std::time::{Duration, Instant};

use aws_sdk_eventbridge::types::Target;
use aws_sdk_sqs::types::QueueAttributeName::QueueArn;
use serde_json::{Value, json};
use tests::client::unique;
use tests::stack::stack;

use crate::aws;
use crate::queue::Queue;

pub(crate) struct Listener {
    queue: Queue,
}

impl Listener {
    /// Creates a rule and a queue that receive all events of Octavo from now on.
    pub(crate) async fn start() -> Self {
        let (config, name) = (aws::config().await, unique("listener"));
        let (queues, buses) = (
            aws_sdk_sqs::Client::new(&config),
            aws_sdk_eventbridge::Client::new(&config),
        );
        let url = queues
            .create_queue()
            .queue_name(&name)
            .send()
            .await
            .unwrap()
            .queue_url
            .unwrap();
        let request = queues
            .get_queue_attributes()
            .queue_url(&url)
            .attribute_names(QueueArn);
        let arn = request.send().await.unwrap().attributes.unwrap()[&QueueArn].clone();
        let bus = &stack().resources.bus;
        let pattern = json!({"source": ["octavo"]}).to_string();
        let rule = buses
            .put_rule()
            .name(&name)
            .event_bus_name(bus)
            .event_pattern(pattern);
        rule.send().await.unwrap();
        let target = Target::builder().id("queue").arn(arn).build().unwrap();
        let targets = buses
            .put_targets()
            .rule(&name)
            .event_bus_name(bus)
            .targets(target);
        targets.send().await.unwrap();
        Self {
            queue: Queue::at(&url).await,
        }
    }

    /// Waits for the next event of this type about this job, for half a minute.
    pub(crate) async fn next_event(&self, event_type: &str, job_id: &str) -> Value {
        self.next_event_within(Duration::from_secs(30), event_type, job_id)
            .await
    }

    /// Waits for the next event of this type about this job.
    pub(crate) async fn next_event_within(
        &self,
        timeout: Duration,
        event_type: &str,
        job_id: &str,
    ) -> Value {
        let deadline = Instant::now() + timeout;
        while let Some(message) = self
            .queue
            .take(deadline.saturating_duration_since(Instant::now()))
            .await
        {
            let event: Value = serde_json::from_str(&message).unwrap();
            if event["detail-type"] == event_type && event["detail"]["data"]["jobId"] == job_id {
                return event;
            }
        }
        panic!("no {event_type} of {job_id} within {timeout:?}");
    }
}
