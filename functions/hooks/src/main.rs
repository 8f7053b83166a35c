//! Lambda function for the routes of webhooks and automation hooks.

use std::sync::Arc;

use aws::{ResourceVariable, Services};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let retention = runtime::config::retention()?;
    let guard = fetch::Policy::from_environment(runtime::config::own_hosts())?;
    let needs = [
        ResourceVariable::Accounts,
        ResourceVariable::Subscriptions,
        ResourceVariable::SubscriptionsKey,
        ResourceVariable::DeliverQueue,
        ResourceVariable::SlowDeliverQueue,
    ];
    let services = Arc::new(Services::from_environment(&needs).await?);
    let pepper = aws::pepper().await?;
    let issuer = runtime::config::issuer()?;
    runtime::api::serve(hooks::api(services, pepper, issuer, guard, retention)).await
}
