//! CloudWatch embedded metric format [Amazon CloudWatch User Guide, "Embedded metric format"].

use std::io::Write;

use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use crate::clock;

/// CloudWatch namespace of all metrics.
pub const NAMESPACE: &str = "Octavo";

/// `tracing` layer that writes each event as one EMF line.
pub(super) struct EmbeddedMetrics {
    stage: String,
}

impl EmbeddedMetrics {
    pub(super) fn new(stage: String) -> Self {
        Self { stage }
    }

    fn line(&self, fields: Fields, milliseconds: i64) -> Value {
        let mut dimensions = vec![json!(["stage"])];
        let mut names: Vec<&String> = fields.dimensions.keys().collect();
        names.sort_unstable();
        if !names.is_empty() {
            let with_stage: Vec<&str> = std::iter::once("stage")
                .chain(names.into_iter().map(String::as_str))
                .collect();
            dimensions.push(json!(with_stage));
        }
        let metrics: Vec<_> = fields
            .metrics
            .keys()
            .map(|name| json!({"Name": name, "Unit": if name.ends_with("Ms") { "Milliseconds" } else { "Count" }}))
            .collect();
        let mut line = Map::new();
        line.insert(
            "_aws".to_owned(),
            json!({
                "Timestamp": milliseconds,
                "CloudWatchMetrics": [{"Namespace": NAMESPACE, "Dimensions": dimensions, "Metrics": metrics}]
            }),
        );
        line.insert("stage".to_owned(), json!(self.stage));
        line.extend(fields.dimensions);
        line.extend(fields.metrics);
        Value::Object(line)
    }
}

impl<S: Subscriber> Layer<S> for EmbeddedMetrics {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let line = self.line(fields, clock::now().milliseconds());
        // If stdout is closed there is nothing left to report to.
        drop(writeln!(std::io::stdout().lock(), "{line}"));
    }
}

#[derive(Default)]
struct Fields {
    metrics: Map<String, Value>,
    dimensions: Map<String, Value>,
}

impl Visit for Fields {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.metrics.insert(field.name().to_owned(), json!(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.metrics.insert(field.name().to_owned(), json!(value));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.metrics.insert(field.name().to_owned(), json!(value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.dimensions
            .insert(field.name().to_owned(), json!(value));
    }

    fn record_debug(&mut self, _field: &Field, _value: &dyn std::fmt::Debug) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_metrics_and_strings_dimensions() {
        let mut fields = Fields::default();
        fields.metrics.insert("JobsCompleted".into(), json!(1));
        fields.metrics.insert("WorkMs".into(), json!(250));
        fields
            .dimensions
            .insert("operation".into(), json!("convert"));
        let line = EmbeddedMetrics::new("test".into()).line(fields, 5);
        assert_eq!(
            line,
            json!({
                "_aws": {"Timestamp": 5, "CloudWatchMetrics": [{
                    "Namespace": "Octavo",
                    "Dimensions": [["stage"], ["stage", "operation"]],
                    "Metrics": [{"Name": "JobsCompleted", "Unit": "Count"}, {"Name": "WorkMs", "Unit": "Milliseconds"}]
                }]},
                "stage": "test", "operation": "convert", "JobsCompleted": 1, "WorkMs": 250
            })
        );
    }
}
