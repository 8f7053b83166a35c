//! Lambda function for the upload route.

use std::sync::Arc;

use aws::{ResourceVariable, Services};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let job_days = runtime::config::days("JOB_RETENTION_DAYS")?;
    let services = Services::from_environment(&[
        ResourceVariable::Accounts,
        ResourceVariable::Jobs,
        ResourceVariable::Documents,
    ])
    .await?;
    let pepper = aws::pepper().await?;
    let issuer = runtime::config::issuer()?;
    runtime::api::serve(files::api(Arc::new(services), pepper, issuer, job_days)).await
}
