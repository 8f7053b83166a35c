//! Lambda function for the document library routes.

use std::sync::Arc;

use aws::{ResourceVariable, Services};
use documents::FETCH_TIMEOUT;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let retention = runtime::config::retention()?;
    let client = fetch::Client::from_environment(runtime::config::own_hosts())?;
    let guard = client.policy().clone();
    let sources = fetch::RemoteSources::new(client, FETCH_TIMEOUT);
    let needs = [
        ResourceVariable::Accounts,
        ResourceVariable::Jobs,
        ResourceVariable::Library,
        ResourceVariable::Documents,
        ResourceVariable::Queues,
        ResourceVariable::Bus,
    ];
    let services = Arc::new(Services::from_environment(&needs).await?);
    let pepper = aws::pepper().await?;
    let issuer = runtime::config::issuer()?;
    let sources = Arc::new(sources);
    let api = documents::api(services, sources, pepper, issuer, guard, retention);
    runtime::api::serve(api).await
}
