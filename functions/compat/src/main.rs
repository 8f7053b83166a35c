//! Lambda function for the compatibility routes.

use std::sync::Arc;

use aws::{ResourceVariable, Services};
use compat::Settings;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let settings = Settings::from_environment()?;
    let needs = [
        ResourceVariable::Accounts,
        ResourceVariable::Jobs,
        ResourceVariable::Documents,
        ResourceVariable::Queues,
    ];
    let services = Services::from_environment(&needs).await?;
    let pepper = aws::pepper().await?;
    let issuer = runtime::config::issuer()?;
    runtime::api::serve(compat::api(Arc::new(services), pepper, issuer, settings)).await
}
