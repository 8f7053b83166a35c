//! Lambda function that creates webhook and hook deliveries from the events of the bus.

use aws::{ResourceVariable, Services};
use domain::subscription::delivery_retention;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let retention = delivery_retention(runtime::config::retention()?.job_days);
    let needs = [
        ResourceVariable::Accounts,
        ResourceVariable::Subscriptions,
        ResourceVariable::FanoutQueue,
        ResourceVariable::FanoutDeadLetterQueue,
        ResourceVariable::DeliverQueue,
        ResourceVariable::SlowDeliverQueue,
    ];
    let services = Services::from_environment(&needs).await?;
    runtime::queue::serve(async |message| {
        let now = runtime::clock::now();
        Ok(fanout::fan_out(&services, &message.body, now, retention).await?)
    })
    .await
}
