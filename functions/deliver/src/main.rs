//! The function behind the queue of deliveries.

use std::sync::Arc;

use aws::{Need, Services};
use deliver::Courier;
use domain::subscription::DeliveryTicket;
use runtime::clock;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let receivers = fetch::Receivers::new(fetch::Client::from_environment(
        runtime::config::own_hosts(),
    )?);
    let needs = [
        Need::Accounts,
        Need::Subscriptions,
        Need::SubscriptionsKey,
        Need::DeliverQueue,
        Need::SlowDeliverQueue,
    ];
    let services = Services::from_environment(&needs).await?;
    let (ports, receivers) = (Arc::new(services), Arc::new(receivers));
    let courier = Courier::new(ports, receivers, clock::now, clock::share);
    runtime::queue::serve_at_once(async |message| {
        let ticket = DeliveryTicket::read(&message.body)?;
        Ok(courier.deliver(&ticket).await?)
    })
    .await
}
