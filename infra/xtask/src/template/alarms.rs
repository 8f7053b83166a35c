//! The alarms: of queues, of what the functions count, of the API, and of each function's errors.

use std::path::Path;

use domain::processor::Processor;

use super::functions;
use super::part::part;
use super::processors::{called, name};

/// What differs between the alarms. Each rings when its metric reaches `threshold`.
struct Alarm {
    name: String,
    description: String,
    namespace: &'static str,
    metric: &'static str,
    /// What the metric is of: the dimension's name and value.
    of: (&'static str, String),
    statistic: &'static str,
    /// Seconds.
    period: u32,
    /// How many periods in a row it has to be reached in.
    periods: u32,
    threshold: u32,
}

pub(super) fn parts(root: &Path) -> Result<Vec<String>, String> {
    let processors = Processor::ALL.iter().copied().flat_map(of_processor);
    let alarms = processors
        .chain(of_events())
        .chain(of_counts())
        .chain(of_the_api())
        .chain(functions().map(|name| crash(&name)));
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
        "Tickets of the {called} reached its dead-letter queue, past the retries of their jobs; bury takes them from there"
    );
    let old = format!("The oldest ticket of the {called} has waited 15 minutes");
    [dead_letters(&name, &dead), age(&name, 15, &old)]
}

fn of_events() -> [Alarm; 6] {
    [
        dead_letters(
            "Fanout",
            "An event was told to nobody; the message says why, and octavo-admin redrive sends it round again",
        ),
        age(
            "Fanout",
            15,
            "The oldest event has waited 15 minutes for its deliveries",
        ),
        dead_letters(
            "Deliver",
            "Tickets of deliveries failed ten times; sweep goes on sending those of deliveries that are due",
        ),
        age(
            "Deliver",
            60,
            "The oldest ticket of a delivery has waited an hour",
        ),
        age(
            "SlowDeliver",
            60,
            "The oldest ticket of a delivery to a receiver that answers slowly has waited an hour",
        ),
        dead_letters(
            "Bury",
            "A dead ticket could not be buried; its job hangs and is not refunded until somebody looks",
        ),
    ]
}

fn of_counts() -> [Alarm; 3] {
    [
        count(
            "JobsDeadLettered",
            "JobsDeadLettered",
            "Jobs were given up after their last attempt, through no fault of their documents",
        ),
        count(
            "UnreadableSubscriptions",
            "SubscriptionRowsUnreadable",
            "A webhook or an automation hook hears of nothing, because the release cannot read its row; the log names it",
        ),
        count(
            "WeakSandbox",
            "WeakSandbox",
            "A processor started although the kernel does not keep engines off the network",
        ),
    ]
}

fn of_the_api() -> [Alarm; 2] {
    let server_errors = Alarm {
        namespace: "AWS/ApiGateway",
        metric: "5xx",
        of: ("ApiId", "!Ref Api".to_owned()),
        threshold: 5,
        ..count(
            "ApiServerErrors",
            "",
            "The API answered 5xx five times in five minutes",
        )
    };
    let throttles = Alarm {
        name: "CompatThrottles".to_owned(),
        description:
            "More requests of compatibility forms at a time than CompatConcurrency reserves"
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
        of: queue(&format!("{name}DeadLetterQueue")),
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
        of: queue(&format!("{name}Queue")),
        periods: 5,
        threshold: 60 * minutes,
        ..dead_letters(name, description)
    }
}

fn queue(logical_id: &str) -> (&'static str, String) {
    ("QueueName", format!("!GetAtt {logical_id}.QueueName"))
}

/// Of a metric that the functions count themselves.
fn count(name: &str, metric: &'static str, description: &str) -> Alarm {
    Alarm {
        name: name.to_owned(),
        description: description.to_owned(),
        namespace: "Octavo",
        metric,
        of: ("stage", "!Ref Stage".to_owned()),
        statistic: "Sum",
        period: 300,
        periods: 1,
        threshold: 1,
    }
}

fn crash(name: &str) -> Alarm {
    Alarm {
        namespace: "AWS/Lambda",
        of: ("FunctionName", format!("!Ref {name}Function")),
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
            ("dimension", self.of.0.to_owned()),
            ("value", self.of.1.clone()),
            ("statistic", self.statistic.to_owned()),
            ("period", self.period.to_string()),
            ("periods", self.periods.to_string()),
            ("threshold", self.threshold.to_string()),
        ];
        part(root, "alarm", &values)
    }
}
