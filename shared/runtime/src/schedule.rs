//! Serves a schedule: one call an event, whatever the event says.

use std::time::{Duration, SystemTime};

use lambda_runtime::{LambdaEvent, service_fn};
use serde_json::Value;
use tracing::Instrument;

use crate::Error;

/// Serves until the process ends; the handler is told how much time it has.
///
/// # Errors
/// When Lambda's runtime interface cannot be reached.
pub async fn serve<H, F>(handler: H) -> Result<(), Error>
where
    H: Fn(Duration) -> F,
    F: Future<Output = Result<(), Error>>,
{
    let handler = &handler;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Value>| async move {
        let span = tracing::info_span!("schedule", request_id = %event.context.request_id);
        let left = event
            .context
            .deadline()
            .duration_since(SystemTime::now())
            .unwrap_or_default();
        handler(left).instrument(span).await
    }))
    .await
}
