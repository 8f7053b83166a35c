//! The Lambda function of the account routes.

use std::sync::Arc;

use aws::{Need, Services};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let services = Services::from_environment(&[Need::Accounts]).await?;
    let pepper = aws::pepper().await?;
    let issuer = runtime::config::issuer()?;
    runtime::api::serve(account::api(Arc::new(services), pepper, issuer)).await
}
