//! Lambda function for the account routes.

use std::sync::Arc;

use aws::{ResourceVariable, Services};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let services = Services::from_environment(&[ResourceVariable::Accounts]).await?;
    let pepper = aws::pepper().await?;
    let issuer = runtime::config::issuer()?;
    runtime::api::serve(account::api(Arc::new(services), pepper, issuer)).await
}
