//! Lambda functions `process-*`: coordinate the jobs of one processor from its queue.

use std::process::ExitCode;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    runtime::telemetry::init();
    match process::serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "the coordinator failed to start");
            ExitCode::FAILURE
        }
    }
}
