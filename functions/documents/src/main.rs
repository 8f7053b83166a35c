//! The Lambda function of the library's routes.

use std::sync::Arc;

use aws::{Need, Services};
use documents::FETCH_WITHIN;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let retention = runtime::config::retention()?;
    let client = fetch::Client::from_environment(runtime::config::own_hosts())?;
    let guard = client.policy().clone();
    let sources = fetch::RemoteSources::new(client, FETCH_WITHIN);
    let needs = [
        Need::Accounts,
        Need::Jobs,
        Need::Library,
        Need::Documents,
        Need::Queues,
        Need::Bus,
    ];
    let services = Arc::new(Services::from_environment(&needs).await?);
    let pepper = aws::pepper().await?;
    let issuer = runtime::config::issuer()?;
    let sources = Arc::new(sources);
    let api = documents::api(services, sources, pepper, issuer, guard, retention);
    runtime::api::serve(api).await
}
