//! Lambda function for the website, the open routes and unknown routes.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let pepper = aws::pepper().await?;
    let hosts = runtime::config::own_hosts();
    runtime::api::serve(site::api(pepper, &hosts)).await
}
