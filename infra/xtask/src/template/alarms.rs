//! CloudWatch alarms of queues, custom metrics, the API and function errors.

use std::path::Path;

use domain::processor::Processor;

use super::functions;
use super::part::part;
use super::processors::{called, name};

/// Properties of an alarm, which fires when its metric reaches `threshold`.
struct Alarm {
    name: String,
    description: String,
    namespace: &'static str,
    metric: &'static str,
    /// Name and value of the dimension.
    dimension: (&'static str, String),
    statistic: &'static str,
    /// Length of a period, in seconds.
    period: u32,
    /// Number of consecutive periods in which the threshold must be reached.
    periods: u32,
    threshold: u32,
}

pub(super) fn parts(root: &Path) -> Result<Vec<String>, String> {
    let processors = Processor::ALL.iter().copied().flat_map(of_processor);
    let alarms = processors
        .chain(of_events())
        .chain(of_counts())
        .chain(of_the_api())
        .chain(functions().map(|name| of_function(&name)));
    let parts = alarms.map(|alarm| alarm.part(root));
    let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
    if let Some(first) = parts.first_mut() {
        *first = part(root, "alarms", &[])? + first;
    }
    Ok(parts)
}

fn of_processor(processor: Processor) -> [Alarm; 2] {
    let (name, called) = (format!("Process{}", name(processor)), called(processor));
    let dead = format!(
        "Tickets of the {called} reached its dead-letter queue; the function dead-letter processes them"
    );
    let old = format!("The oldest ticket in the queue of the {called} has waited for 15 minutes");
    [dead_letters(&name, &dead), age(&name, 15, &old)]
}

fn of_events() -> [Alarm; 6] {
    [
        dead_letters(
            "Fanout",
            "An event was rejected and not delivered; the message has the reason, and octavo-admin redrive retries it",
        ),
        age(
            "Fanout",
            15,
            "The oldest event in the fan-out queue has waited for 15 minutes",
        ),
        dead_letters(
            "Deliver",
            "Delivery tickets failed ten times; sweep continues to send tickets of due deliveries",
        ),
        age(
            "Deliver",
            60,
            "The oldest delivery ticket has waited for an hour",
        ),
        age(
            "SlowDeliver",
            60,
            "The oldest delivery ticket of a slow receiver has waited for an hour",
        ),
        dead_letters(
            "DeadLetter",
            "The function dead-letter failed to process a ticket; its job is neither finished nor refunded until an operator acts",
        ),
    ]
}

fn of_counts() -> [Alarm; 3] {
    [
        count(
            "JobsDeadLettered",
            "JobsDeadLettered",
            "Jobs were dead-lettered after their last attempt, because of internal errors",
        ),
        count(
            "UnreadableSubscriptions",
            "SubscriptionRowsUnreadable",
            "A webhook or automation hook receives no events, because its row is unreadable; the log has its identifier",
        ),
        count(
            "EnginesUnavailable",
            "EnginesUnavailable",
            "The engines of an engine function cannot be started, and its jobs wait; its log has the reason",
        ),
    ]
}

fn of_the_api() -> [Alarm; 2] {
    let server_errors = Alarm {
        namespace: "AWS/ApiGateway",
        metric: "5xx",
        dimension: ("ApiId", "!Ref Api".to_owned()),
        threshold: 5,
        ..count(
            "ApiServerErrors",
            "",
            "The API returned five 5xx responses within five minutes",
        )
    };
    let throttles = Alarm {
        name: "CompatThrottles".to_owned(),
        description:
            "Requests of compatibility routes were throttled, because more ran concurrently than CompatConcurrency allows"
                .to_owned(),
        metric: "Throttles",
        ..crash("Compat")
    };
    [server_errors, throttles]
}

fn dead_letters(name: &str, description: &str) -> Alarm {
    Alarm {
        name: format!("{name}DeadLetter"),
        description: description.to_owned(),
        namespace: "AWS/SQS",
        metric: "ApproximateNumberOfMessagesVisible",
        dimension: queue(&format!("{name}DeadLetterQueue")),
        statistic: "Maximum",
        period: 60,
        periods: 1,
        threshold: 1,
    }
}

fn age(name: &str, minutes: u32, description: &str) -> Alarm {
    Alarm {
        name: format!("{name}Age"),
        metric: "ApproximateAgeOfOldestMessage",
        dimension: queue(&format!("{name}Queue")),
        periods: 5,
        threshold: 60 * minutes,
        ..dead_letters(name, description)
    }
}

fn queue(logical_id: &str) -> (&'static str, String) {
    ("QueueName", format!("!GetAtt {logical_id}.QueueName"))
}

/// Alarm on a custom metric of the functions.
fn count(name: &str, metric: &'static str, description: &str) -> Alarm {
    Alarm {
        name: name.to_owned(),
        description: description.to_owned(),
        namespace: "Octavo",
        metric,
        dimension: ("stage", "!Ref Stage".to_owned()),
        statistic: "Sum",
        period: 300,
        periods: 1,
        threshold: 1,
    }
}

/// Single failures of an engine function can be caused by documents.
fn of_function(name: &str) -> Alarm {
    match name.starts_with("Engine") {
        true => Alarm {
            threshold: 5,
            description: format!(
                "{name}Function crashed, timed out or did not start five times within five minutes"
            ),
            ..crash(name)
        },
        false => crash(name),
    }
}

fn crash(name: &str) -> Alarm {
    Alarm {
        namespace: "AWS/Lambda",
        dimension: ("FunctionName", format!("!Ref {name}Function")),
        ..count(
            &format!("{name}Errors"),
            "Errors",
            &format!("{name}Function crashed, timed out or did not start"),
        )
    }
}

impl Alarm {
    fn part(&self, root: &Path) -> Result<String, String> {
        let values = [
            ("Name", self.name.clone()),
            ("description", self.description.clone()),
            ("namespace", self.namespace.to_owned()),
            ("metric", self.metric.to_owned()),
            ("dimension", self.dimension.0.to_owned()),
            ("value", self.dimension.1.clone()),
            ("statistic", self.statistic.to_owned()),
            ("period", self.period.to_string()),
            ("periods", self.periods.to_string()),
            ("threshold", self.threshold.to_string()),
        ];
        part(root, "alarm", &values)
    }
}
