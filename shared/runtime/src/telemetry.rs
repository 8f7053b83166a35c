//! Logs as JSON lines and metrics as CloudWatch's embedded metric format, both on standard output.
//!
//! Any crate emits a metric by an event with the target `metrics`: its numbers are metrics, its texts dimensions.

mod metrics;

use std::str::FromStr;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

pub use metrics::NAMESPACE;

/// Starts logging at the level that `LOG_LEVEL` names (`INFO` when it names none). Call once, first thing in `main`.
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
        tracing::warn!("telemetry was started twice");
    }
}

/// Our own crates at the level asked for, all others at `WARN` at most: the SDK and its HTTP client log headers and URLs
/// below that. A target is matched by its longest listed beginning.
fn log_targets(level: LevelFilter) -> Targets {
    let outside = level.min(LevelFilter::WARN);
    Targets::new()
        .with_default(outside)
        .with_targets(OURS.map(|target| (target, level)))
        .with_target("aws_", outside)
        .with_target("metrics", LevelFilter::OFF)
}

/// The crates of this workspace that run in functions.
const OURS: [&str; 18] = [
    "account",
    "aws",
    "bury",
    "compat",
    "contract",
    "documents",
    "domain",
    "engine",
    "fetch",
    "files",
    "jobs",
    "process_",
    "processor",
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
    fn only_our_own_crates_log_below_warnings() {
        let targets = log_targets(LevelFilter::TRACE);
        for ours in [
            "aws",
            "aws::gate",
            "runtime::api",
            "process_pdf",
            "worker::measure",
        ] {
            assert!(targets.would_enable(ours, &Level::TRACE), "{ours}");
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
