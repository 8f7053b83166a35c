//! Looks at what was deployed.

use aws::{Concurrency, EventSource, Services};
use domain::ports::PortError;
use domain::processor::Processor;

use super::Check;
use crate::stack::Stack;

/// Seconds that clocks may differ: half of what signatures bear.
const CLOCKS_DIFFER: i64 = 150;
/// What queues feed beside the processors: the function that empties their dead-letter queues, and those of subscribers.
const CONSUMERS: [&str; 3] = ["bury", "fanout", "deliver"];

/// Every check of the stack's resources.
pub(crate) async fn resources(stack: &Stack) -> Vec<Check> {
    let services = stack.services().await;
    let reached = services.reach().await.into_iter();
    let mut all: Vec<Check> = reached.map(|(name, answer)| reach(name, answer)).collect();
    all.push(pepper(stack, &services).await);
    all.push(clock(services.clock_ahead().await));
    let mut wanted = 0;
    let processors = Processor::ALL.iter().map(|processor| processor.name());
    for name in processors.chain(CONSUMERS) {
        let (check, concurrency) = sources(stack, &services, name).await;
        all.push(check);
        wanted += concurrency;
    }
    all.push(concurrency(wanted, services.concurrency().await));
    all
}

fn reach(name: String, answer: Result<(), PortError>) -> Check {
    match answer {
        Ok(()) => Check::new(name, true, "reached"),
        Err(error) => Check::new(name, false, error.to_string()),
    }
}

async fn pepper(stack: &Stack, services: &Services) -> Check {
    match stack.pepper(services).await {
        Ok(_) => Check::new("pepper", true, "read"),
        Err(error) => Check::new("pepper", false, error.to_string()),
    }
}

fn clock(ahead: Result<i64, PortError>) -> Check {
    match ahead {
        Ok(ahead) => Check::new(
            "clock",
            ahead.abs() <= CLOCKS_DIFFER,
            format!("{ahead} s ahead of the object store's"),
        ),
        Err(error) => Check::new("clock", false, error.to_string()),
    }
}

/// What feeds a function, and how many invocations that allows.
async fn sources(stack: &Stack, services: &Services, name: &str) -> (Check, u32) {
    let label = format!("event sources of {name}");
    let function = match stack.function(name) {
        Ok(function) => function,
        Err(error) => return (Check::new(label, false, error.to_string()), 0),
    };
    match services.event_sources(function).await {
        Ok(sources) => judge_sources(label, &sources),
        Err(error) => (Check::new(label, false, error.to_string()), 0),
    }
}

fn judge_sources(label: String, sources: &[EventSource]) -> (Check, u32) {
    let enabled = sources.iter().all(|source| source.state == "Enabled");
    let states: Vec<_> = sources.iter().map(|source| source.state.as_str()).collect();
    let wanted = sources
        .iter()
        .filter_map(|source| source.maximum_concurrency)
        .sum();
    let detail = match states.as_slice() {
        [] => "none: tickets would wait for ever".to_owned(),
        states => format!("{}, at most {wanted} at once", states.join(", ")),
    };
    (
        Check::new(label, enabled && !sources.is_empty(), detail),
        wanted,
    )
}

/// Processors together must leave room for the API.
fn concurrency(wanted: u32, account: Result<Concurrency, PortError>) -> Check {
    match account {
        Ok(account) => Check::new(
            "concurrency",
            wanted < account.unreserved,
            format!(
                "queues may take {wanted} of {} unreserved; {} of {} are reserved",
                account.unreserved,
                account.total.saturating_sub(account.unreserved),
                account.total
            ),
        ),
        Err(error) => Check::new("concurrency", false, error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(state: &str) -> EventSource {
        EventSource {
            id: "1".into(),
            source: "arn".into(),
            state: state.into(),
            maximum_concurrency: Some(4),
        }
    }

    #[test]
    fn a_function_that_nothing_feeds_or_that_is_off_is_not_well() {
        assert!(!judge_sources("s".into(), &[]).0.good);
        assert!(
            !judge_sources("s".into(), &[source("Enabled"), source("Disabled")])
                .0
                .good
        );
        let (check, wanted) = judge_sources("s".into(), &[source("Enabled"), source("Enabled")]);
        assert!(check.good);
        assert_eq!(wanted, 8);
    }

    #[test]
    fn queues_may_not_take_everything() {
        let account = |unreserved| {
            Ok(Concurrency {
                total: 1_000,
                unreserved,
            })
        };
        assert!(concurrency(50, account(51)).good);
        assert!(!concurrency(50, account(50)).good);
    }

    #[test]
    fn a_clock_far_off_is_told_either_way() {
        assert!(clock(Ok(-150)).good);
        assert!(!clock(Ok(-151)).good);
        assert!(!clock(Ok(151)).good);
    }
}
