//! Configuration of the AWS SDK: endpoint, credentials, timeouts, retries, TLS.

use std::fmt;
use std::pin::Pin;
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
use aws_smithy_http_client::pool::{Client, ConnectionPool, DriverSpawner, Partition, PartitionId};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use secrecy::{ExposeSecret, SecretString};
use tokio::runtime::Handle;
use tokio::sync::OnceCell;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(5);
const OPERATION_TIMEOUT: Duration = Duration::from_secs(12);
const ATTEMPTS: u32 = 3;
/// Time without traffic after which TCP keep-alive probes an open connection.
const KEEP_ALIVE: Duration = Duration::from_secs(60);
/// How long a connection stays open between two invocations of engine functions.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);
/// Stalled-stream timeout of transfers.
const STALL_TIMEOUT: Duration = Duration::from_secs(20);

/// An AWS access key pair. `Debug` prints `***`.
#[derive(Clone)]
pub struct Credentials {
    /// Access key ID.
    pub access_key_id: String,
    /// Secret access key.
    pub secret_access_key: SecretString,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(***)")
    }
}

/// How to connect to AWS. Members that are `None` come from the environment and the AWS profile.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// Endpoint of all services; set for an emulator.
    pub endpoint_url: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// Credentials.
    pub credentials: Option<Credentials>,
}

/// The configuration from the environment, read once per process.
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
        .timeout_config(request_timeouts())
        .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS))
        .stalled_stream_protection(
            StalledStreamProtectionConfig::enabled()
                .grace_period(STALL_TIMEOUT)
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

/// S3 configuration: transfers have no total timeout, only a stall timeout, and presigned URLs require no checksum, which
/// the client would have to compute.
pub(crate) fn objects(config: &SdkConfig) -> aws_sdk_s3::Config {
    aws_sdk_s3::config::Builder::from(config)
        .timeout_config(transfer_timeouts())
        .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
        .response_checksum_validation(ResponseChecksumValidation::WhenRequired)
        .force_path_style(config.endpoint_url().is_some())
        .build()
}

/// Timeouts of calls with small bodies.
pub(crate) fn request_timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .operation_attempt_timeout(ATTEMPT_TIMEOUT)
        .operation_timeout(OPERATION_TIMEOUT)
        .build()
}

fn transfer_timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .disable_operation_attempt_timeout()
        .disable_operation_timeout()
        .build()
}

/// Configuration of the client that invokes engine functions: an invocation may take 15 minutes, is sent once, and limits its
/// own time.
pub(crate) fn engines(config: &SdkConfig) -> aws_sdk_lambda::Config {
    aws_sdk_lambda::config::Builder::from(config)
        .http_client(long_lived_http_client())
        .retry_config(RetryConfig::disabled())
        .timeout_config(transfer_timeouts())
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .build()
}

/// A client that keeps connections without traffic open by TCP keep-alive, because networks drop them after some minutes. It
/// reuses none that was idle for long: it may be closed, and a request that fails on it must not be repeated.
fn long_lived_http_client() -> SharedHttpClient {
    let partition = PartitionId::from_index(0);
    let pool = ConnectionPool::builder()
        .partitions([Partition::new(partition, DriverSpawner::from_fn(spawn))])
        .tcp_keepalive(KEEP_ALIVE)
        .idle_timeout(IDLE_TIMEOUT)
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .build_https();
    match pool.map(|pool| Client::from_partition(&pool, partition)) {
        Ok(Ok(client)) => SharedHttpClient::new(client),
        failed => {
            tracing::warn!(?failed, "connections have no TCP keep-alive");
            http_client()
        }
    }
}

/// Spawns a task of a connection; drops it, which closes the connection, after the end of the runtime.
fn spawn(task: Pin<Box<dyn Future<Output = ()> + Send>>) {
    if let Ok(runtime) = Handle::try_current() {
        drop(runtime.spawn(task));
    }
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
