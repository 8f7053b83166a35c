//! The function that runs every minute.

use std::time::{Duration, Instant};

use aws::{Need, Services};

/// What a run leaves of its time to what it has begun: one call that is slow to fail.
const RESERVE: Duration = Duration::from_secs(15);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let needs = [
        Need::Accounts,
        Need::Jobs,
        Need::Library,
        Need::Documents,
        Need::Queues,
        Need::Bus,
        Need::Subscriptions,
        Need::DeliverQueue,
    ];
    let services = Services::from_environment(&needs).await?;
    runtime::schedule::serve(async |left| {
        let deadline = Instant::now() + left.saturating_sub(RESERVE);
        sweep::sweep(&services, runtime::clock::now(), deadline).await?;
        Ok(())
    })
    .await
}
