//! Logs as JSON lines and metrics in CloudWatch embedded metric format (EMF), both on standard output.
//!
//! A `tracing` event with the target `metrics` emits metrics: numeric fields become metrics, string fields dimensions.

mod metrics;

use std::str::FromStr;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

pub use metrics::NAMESPACE;

/// Initializes logs and metrics. The log level is `LOG_LEVEL`, by default `INFO`. Call once, at the start of `main`.
pub fn init() {
    let level = std::env::var("LOG_LEVEL")
        .ok()
        .and_then(|name| LevelFilter::from_str(&name).ok());
    let level = level.unwrap_or(LevelFilter::INFO);
    let logs = fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(true)
        .with_filter(log_targets(level));
    let stage = std::env::var("STAGE").unwrap_or_else(|_| "unknown".to_owned());
    let metrics = metrics::EmbeddedMetrics::new(stage)
        .with_filter(Targets::new().with_target("metrics", LevelFilter::TRACE));
    if tracing_subscriber::registry()
        .with(logs)
        .with(metrics)
        .try_init()
        .is_err()
    {
        tracing::warn!("telemetry initialized twice");
    }
}

/// Returns the log filter: crates of this workspace at `level`, dependencies at `WARN` at most, because the AWS SDK and its
/// HTTP client log headers and URLs at lower levels. The longest matching target prefix applies.
fn log_targets(level: LevelFilter) -> Targets {
    let dependencies = level.min(LevelFilter::WARN);
    Targets::new()
        .with_default(dependencies)
        .with_targets(OWN_CRATES.map(|target| (target, level)))
        .with_target("aws_", dependencies)
        .with_target("metrics", LevelFilter::OFF)
}

/// Prefixes of the crates of this workspace that run in functions; `engine` includes `engine_function`.
const OWN_CRATES: [&str; 21] = [
    "account",
    "aws",
    "compat",
    "contract",
    "dead_letter",
    "deliver",
    "documents",
    "domain",
    "engine",
    "fanout",
    "fetch",
    "files",
    "hooks",
    "jobs",
    "office",
    "process",
    "runtime",
    "sandbox",
    "site",
    "sweep",
    "worker",
];

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn only_own_crates_log_below_warn() {
        let targets = log_targets(LevelFilter::TRACE);
        for own in [
            "aws",
            "aws::jobs",
            "deliver",
            "fanout",
            "hooks",
            "runtime::api",
            "process",
            "engine_function::download",
            "worker::lease",
        ] {
            assert!(targets.would_enable(own, &Level::TRACE), "{own}");
        }
        for other in [
            "aws_sdk_s3::operation",
            "aws_smithy_runtime",
            "h2",
            "rustls",
            "metrics",
        ] {
            assert!(!targets.would_enable(other, &Level::INFO), "{other}");
        }
    }
}
