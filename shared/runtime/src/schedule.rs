//! Scheduled functions: calls the handler once per EventBridge event and ignores the event's content.

use std::time::{Duration, SystemTime};

use lambda_runtime::{LambdaEvent, service_fn};
use serde_json::Value;
use tracing::Instrument;

use crate::Error;

/// Serves scheduled events until the process ends. The handler gets the time left until the invocation's deadline.
///
/// # Errors
/// When the Lambda runtime API is unreachable.
pub async fn serve<H, F>(handler: H) -> Result<(), Error>
where
    H: Fn(Duration) -> F,
    F: Future<Output = Result<(), Error>>,
{
    let handler = &handler;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Value>| async move {
        let span = tracing::info_span!("schedule", request_id = %event.context.request_id);
        let time_left = event
            .context
            .deadline()
            .duration_since(SystemTime::now())
            .unwrap_or_default();
        handler(time_left).instrument(span).await
    }))
    .await
}
