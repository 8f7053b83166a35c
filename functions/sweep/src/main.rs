//! Lambda function that runs every minute and sweeps the outbox, the due deliveries and the library's pending cleanups.

use std::time::{Duration, Instant};

use aws::{ResourceVariable, Services};

/// Time reserved for rows already started when the deadline is reached: one AWS call with its retries and timeout.
const RESERVE: Duration = Duration::from_secs(15);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let needs = [
        ResourceVariable::Accounts,
        ResourceVariable::Jobs,
        ResourceVariable::Library,
        ResourceVariable::Documents,
        ResourceVariable::Queues,
        ResourceVariable::Bus,
        ResourceVariable::Subscriptions,
        ResourceVariable::DeliverQueue,
    ];
    let services = Services::from_environment(&needs).await?;
    runtime::schedule::serve(async |left| {
        let deadline = Instant::now() + left.saturating_sub(RESERVE);
        sweep::sweep(&services, runtime::clock::now(), deadline).await?;
        Ok(())
    })
    .await
}
