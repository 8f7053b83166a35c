//! The Lambda function of the open routes and of every route that is not known.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), runtime::Error> {
    runtime::telemetry::init();
    runtime::api::serve(site::api()).await
}
