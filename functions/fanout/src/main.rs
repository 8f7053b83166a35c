//! The function that makes deliveries of events.

use aws::{Need, Services};
use domain::subscription::kept_for;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let kept = kept_for(runtime::config::retention()?.job_days);
    let needs = [
        Need::Accounts,
        Need::Subscriptions,
        Need::FanoutQueue,
        Need::FanoutDeadLetterQueue,
        Need::DeliverQueue,
        Need::SlowDeliverQueue,
    ];
    let services = Services::from_environment(&needs).await?;
    runtime::queue::serve(async |message| {
        let now = runtime::clock::now();
        Ok(fanout::fan_out(&services, &message.body, now, kept).await?)
    })
    .await
}
