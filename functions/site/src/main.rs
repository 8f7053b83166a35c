//! The Lambda function of the public pages, the open routes, and every route that is not known.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    let pepper = aws::pepper().await?;
    let hosts = runtime::config::own_hosts();
    runtime::api::serve(site::api(pepper, &hosts)).await
}
