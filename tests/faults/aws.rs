//! AWS SDK configuration of the running stack, with the operator's credentials.

use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_sqs::config::Credentials;
use tests::stack::stack;

pub(crate) async fn config() -> SdkConfig {
    let aws = &stack().aws;
    let credentials = Credentials::new(
        &aws.access_key_id,
        &aws.secret_access_key,
        None,
        None,
        "stack file",
    );
    aws_config::defaults(BehaviorVersion::v2026_01_12())
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .endpoint_url(&aws.endpoint_url)
        .region(Region::new(aws.region.clone()))
        .credentials_provider(credentials)
        .load()
        .await
}
