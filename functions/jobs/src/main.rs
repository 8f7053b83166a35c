//! Lambda function for the job routes.

use std::sync::Arc;

use aws::{ResourceVariable, Services};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let retention = runtime::config::retention()?;
    let guard = fetch::Policy::from_environment(runtime::config::own_hosts())?;
    let services = Services::from_environment(&[
        ResourceVariable::Accounts,
        ResourceVariable::Jobs,
        ResourceVariable::Library,
        ResourceVariable::Documents,
        ResourceVariable::Queues,
        ResourceVariable::Bus,
    ])
    .await?;
    let pepper = aws::pepper().await?;
    let issuer = runtime::config::issuer()?;
    runtime::api::serve(jobs::api(
        Arc::new(services),
        pepper,
        issuer,
        guard,
        retention,
    ))
    .await
}
