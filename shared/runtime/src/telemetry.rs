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
        .with_span_list(false)
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

/// Our own crates at the level asked for. The SDK and its HTTP client log headers and URLs below `WARN`: never.
fn log_targets(level: LevelFilter) -> Targets {
    let outside = level.min(LevelFilter::WARN);
    Targets::new()
        .with_default(level)
        .with_target("metrics", LevelFilter::OFF)
        .with_targets(
            [
                "aws_config",
                "aws_runtime",
                "aws_sdk_dynamodb",
                "aws_sdk_eventbridge",
                "aws_sdk_s3",
                "aws_sdk_secretsmanager",
            ]
            .map(|target| (target, outside)),
        )
        .with_targets(
            [
                "aws_sdk_sqs",
                "aws_sigv4",
                "aws_smithy_runtime",
                "aws_smithy_http_client",
                "hyper",
                "hyper_util",
                "lambda_http",
                "lambda_runtime",
                "rustls",
            ]
            .map(|target| (target, outside)),
        )
}
