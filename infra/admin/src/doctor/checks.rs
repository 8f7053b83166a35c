//! Checks of the deployed resources.

use aws::{Concurrency, EngineState, EventSource, Services};
use domain::engine_function::EngineFunction;
use domain::ports::PortError;
use domain::processor::Processor;

use super::Check;
use crate::stack::Stack;

/// Maximum clock skew in seconds: half of what SigV4 signatures tolerate.
const MAX_CLOCK_SKEW: i64 = 150;
/// Concurrent executions that a job uses: the coordinator waits for an engine function.
const PER_JOB: u32 = 2;
/// Queue consumers other than processors: the dead-letter function and the functions of webhooks.
const CONSUMERS: [&str; 3] = ["dead-letter", "fanout", "deliver"];

/// Checks all resources of the stack.
pub(crate) async fn resources(stack: &Stack) -> Vec<Check> {
    let services = stack.services().await;
    let reached = services.reach().await.into_iter();
    let mut all: Vec<Check> = reached
        .map(|(name, result)| reachability(name, result))
        .collect();
    all.push(pepper(stack, &services).await);
    all.push(clock(services.clock_ahead().await));
    let mut max_invocations = 0;
    for processor in Processor::ALL {
        let (check, concurrency) = sources(stack, &services, processor.name()).await;
        all.push(check);
        max_invocations += concurrency * PER_JOB;
    }
    for name in CONSUMERS {
        let (check, concurrency) = sources(stack, &services, name).await;
        all.push(check);
        max_invocations += concurrency;
    }
    for function in EngineFunction::ALL {
        all.push(engine(stack, &services, function.name()).await);
    }
    all.push(concurrency(max_invocations, services.concurrency().await));
    all
}

fn reachability(name: String, result: Result<(), PortError>) -> Check {
    match result {
        Ok(()) => Check::new(name, true, "reachable"),
        Err(error) => Check::new(name, false, error.to_string()),
    }
}

async fn pepper(stack: &Stack, services: &Services) -> Check {
    match stack.pepper(services).await {
        Ok(_) => Check::new("pepper", true, "readable"),
        Err(error) => Check::new("pepper", false, error.to_string()),
    }
}

fn clock(ahead: Result<i64, PortError>) -> Check {
    match ahead {
        Ok(ahead) => Check::new(
            "clock",
            ahead.abs() <= MAX_CLOCK_SKEW,
            format!("{ahead} s ahead of S3's clock"),
        ),
        Err(error) => Check::new("clock", false, error.to_string()),
    }
}

/// Checks a function's event sources. Also returns their total maximum concurrency.
async fn sources(stack: &Stack, services: &Services, name: &str) -> (Check, u32) {
    let label = format!("event sources of {name}");
    let function = match stack.function(name) {
        Ok(function) => function,
        Err(error) => return (Check::new(label, false, error.to_string()), 0),
    };
    match services.event_sources(function).await {
        Ok(sources) => check_sources(label, &sources),
        Err(error) => (Check::new(label, false, error.to_string()), 0),
    }
}

fn check_sources(label: String, sources: &[EventSource]) -> (Check, u32) {
    let enabled = sources.iter().all(|source| source.state == "Enabled");
    let states: Vec<_> = sources.iter().map(|source| source.state.as_str()).collect();
    let max_invocations = sources
        .iter()
        .filter_map(|source| source.maximum_concurrency)
        .sum();
    let detail = match states.as_slice() {
        [] => "none: messages would never be processed".to_owned(),
        states => format!(
            "{}, maximum concurrency {max_invocations}",
            states.join(", ")
        ),
    };
    (
        Check::new(label, enabled && !sources.is_empty(), detail),
        max_invocations,
    )
}

/// Checks that an engine function is deployed.
async fn engine(stack: &Stack, services: &Services, name: &str) -> Check {
    let state = match stack.function(name) {
        Ok(function) => services
            .engine_state(function)
            .await
            .map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    check_engine(name, state)
}

fn check_engine(name: &str, state: Result<EngineState, String>) -> Check {
    let EngineState {
        state,
        reason,
        isolates_tenants,
    } = match state {
        Ok(state) => state,
        Err(error) => return Check::new(name, false, error),
    };
    let environments = match isolates_tenants {
        true => "one account per environment",
        false => "environments shared by accounts",
    };
    let detail = [Some(state.clone()), reason, Some(environments.to_owned())];
    let detail: Vec<_> = detail.into_iter().flatten().collect();
    // Lambda reclaims the resources of an idle function; the next invocation activates it again.
    let works = ["Active", "Inactive"].contains(&state.as_str());
    Check::new(name, works, detail.join(", "))
}

/// Checks that all queue consumers together leave concurrency for the API.
fn concurrency(max_invocations: u32, account: Result<Concurrency, PortError>) -> Check {
    match account {
        Ok(account) => Check::new(
            "concurrency",
            max_invocations < account.unreserved,
            format!(
                "queue consumers and engine functions use up to {max_invocations} of {} unreserved; {} of {} are reserved",
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
    fn missing_or_disabled_event_sources_fail() {
        assert!(!check_sources("s".into(), &[]).0.passed);
        assert!(
            !check_sources("s".into(), &[source("Enabled"), source("Disabled")])
                .0
                .passed
        );
        let (check, max_invocations) =
            check_sources("s".into(), &[source("Enabled"), source("Enabled")]);
        assert!(check.passed);
        assert_eq!(max_invocations, 8);
    }

    #[test]
    fn an_engine_function_must_be_deployed() {
        let state = |state: &str| EngineState {
            state: state.into(),
            reason: None,
            isolates_tenants: true,
        };
        let check = check_engine("engine-pdf", Ok(state("Active")));
        assert_eq!(
            check,
            Check::new("engine-pdf", true, "Active, one account per environment")
        );
        assert!(!check_engine("engine-pdf", Ok(state("Failed"))).passed);
        assert!(!check_engine("engine-pdf", Err("missing".into())).passed);
    }

    #[test]
    fn queue_consumers_must_leave_concurrency() {
        let account = |unreserved| {
            Ok(Concurrency {
                total: 1_000,
                unreserved,
            })
        };
        assert!(concurrency(50, account(51)).passed);
        assert!(!concurrency(50, account(50)).passed);
    }

    #[test]
    fn clock_skew_fails_in_both_directions() {
        assert!(clock(Ok(-150)).passed);
        assert!(!clock(Ok(-151)).passed);
        assert!(!clock(Ok(151)).passed);
    }
}
