//! How AWS is reached: endpoint, credentials, time-outs, retries, TLS.

use std::fmt;
use std::time::Duration;

use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::Credentials as SdkCredentials;
use aws_sdk_s3::config::{
    RequestChecksumCalculation, ResponseChecksumValidation, SharedHttpClient,
    StalledStreamProtectionConfig,
};
use aws_smithy_http_client::Builder as HttpClientBuilder;
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::OnceCell;

const CONNECT_WITHIN: Duration = Duration::from_secs(1);
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
const SUCCEED_WITHIN: Duration = Duration::from_secs(12);
const ATTEMPTS: u32 = 3;
/// How long a transfer may stand still before it is given up.
const STALL: Duration = Duration::from_secs(20);

/// A key pair for AWS. Prints as `***`.
#[derive(Clone)]
pub struct Credentials {
    /// The public half.
    pub access_key_id: String,
    /// The secret half.
    pub secret_access_key: SecretString,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(***)")
    }
}

/// Where AWS is. What is `None` comes from the environment and the AWS profile.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// Endpoint of all services, for an emulator.
    pub endpoint_url: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// Credentials.
    pub credentials: Option<Credentials>,
}

/// The configuration from the environment, read once a process.
pub(crate) async fn shared() -> &'static SdkConfig {
    static SHARED: OnceCell<SdkConfig> = OnceCell::const_new();
    SHARED
        .get_or_init(|| async { connect(&Connection::default()).await })
        .await
}

/// The configuration for `connection`.
pub(crate) async fn connect(connection: &Connection) -> SdkConfig {
    let mut loader = aws_config::defaults(BehaviorVersion::v2026_01_12())
        .http_client(http_client())
        .timeout_config(small_calls())
        .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS))
        .stalled_stream_protection(
            StalledStreamProtectionConfig::enabled()
                .grace_period(STALL)
                .build(),
        );
    if let Some(url) = &connection.endpoint_url {
        loader = loader.endpoint_url(url);
    }
    if let Some(region) = &connection.region {
        loader = loader.region(Region::new(region.clone()));
    }
    if let Some(credentials) = &connection.credentials {
        loader = loader.credentials_provider(SdkCredentials::new(
            &credentials.access_key_id,
            credentials.secret_access_key.expose_secret(),
            None,
            None,
            "stack file",
        ));
    }
    loader.load().await
}

/// The object store's configuration: transfers take as long as they move, and presigned URLs carry no checksum that
/// the client would have to compute.
pub(crate) fn objects(config: &SdkConfig) -> aws_sdk_s3::Config {
    aws_sdk_s3::config::Builder::from(config)
        .timeout_config(transfers())
        .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
        .response_checksum_validation(ResponseChecksumValidation::WhenRequired)
        .force_path_style(config.endpoint_url().is_some())
        .build()
}

/// Time-outs of calls that carry little.
pub(crate) fn small_calls() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT_WITHIN)
        .operation_attempt_timeout(ANSWER_WITHIN)
        .operation_timeout(SUCCEED_WITHIN)
        .build()
}

fn transfers() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT_WITHIN)
        .disable_operation_attempt_timeout()
        .disable_operation_timeout()
        .build()
}

fn http_client() -> SharedHttpClient {
    HttpClientBuilder::new()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .build_https()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_not_printed() {
        let credentials = Credentials {
            access_key_id: "id".into(),
            secret_access_key: "hidden".into(),
        };
        assert_eq!(format!("{credentials:?}"), "Credentials(***)");
    }
}
