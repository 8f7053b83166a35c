//! Lambda function that consumes the delivery queues and calls webhook receivers.

use std::sync::Arc;

use aws::{ResourceVariable, Services};
use deliver::DeliveryWorker;
use domain::subscription::DeliveryTicket;
use runtime::clock;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let receivers = fetch::Receivers::new(fetch::Client::from_environment(
        runtime::config::own_hosts(),
    )?);
    let needs = [
        ResourceVariable::Accounts,
        ResourceVariable::Subscriptions,
        ResourceVariable::SubscriptionsKey,
        ResourceVariable::DeliverQueue,
        ResourceVariable::SlowDeliverQueue,
    ];
    let services = Services::from_environment(&needs).await?;
    let (ports, receivers) = (Arc::new(services), Arc::new(receivers));
    let worker = DeliveryWorker::new(ports, receivers, clock::now, clock::jitter);
    runtime::queue::serve_concurrently(async |message| {
        let ticket = DeliveryTicket::read(&message.body)?;
        Ok(worker.deliver(&ticket).await?)
    })
    .await
}
