//! How the services are found and reached: names, environment variables, time-outs, retries, TLS.

use std::collections::BTreeMap;
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
use domain::operation::Processor;
use domain::ports::PortError;
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;
use tokio::sync::OnceCell;

const CONNECT_WITHIN: Duration = Duration::from_secs(1);
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
const SUCCEED_WITHIN: Duration = Duration::from_secs(12);
const ATTEMPTS: u32 = 3;
/// How long a transfer may stand still before it is given up.
const STALL: Duration = Duration::from_secs(20);

/// A service could not be set up.
#[derive(Debug, Error)]
pub enum SetupError {
    /// Environment variables that are needed and not set.
    #[error("missing environment variables: {}", .0.join(", "))]
    Missing(Vec<String>),
    /// A service did not answer.
    #[error(transparent)]
    Unavailable(#[from] PortError),
}

/// What a function works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// `ACCOUNTS_TABLE`.
    Accounts,
    /// `JOBS_TABLE`.
    Jobs,
    /// `BUCKET`.
    Documents,
    /// The queue of every processor: `PROCESS_OFFICE_QUEUE_URL`, `PROCESS_PDF_QUEUE_URL`, `PROCESS_IMAGE_QUEUE_URL`.
    Queues,
    /// The queue of one processor.
    Queue(Processor),
    /// `BUS_NAME`.
    Bus,
}

/// The names of what the services work on. A port whose name is missing answers with an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Table of accounts, keys and counters.
    pub accounts_table: Option<String>,
    /// Table of jobs, their ledger and their outbox.
    pub jobs_table: Option<String>,
    /// Bucket of uploads and results.
    pub bucket: Option<String>,
    /// Event bus.
    pub bus: Option<String>,
    /// URL of each processor's queue.
    pub queues: BTreeMap<Processor, String>,
}

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

impl Names {
    /// Reads what `needs` ask for from the environment.
    pub(crate) fn from_environment(needs: &[Need]) -> Result<Self, SetupError> {
        Self::read(needs, |name| std::env::var(name).ok())
    }

    fn read(needs: &[Need], variable: impl Fn(&str) -> Option<String>) -> Result<Self, SetupError> {
        let mut names = Self::default();
        let mut missing = Vec::new();
        let mut take = |name: &str| {
            let value = variable(name).filter(|value| !value.is_empty());
            if value.is_none() && !missing.iter().any(|known| known == name) {
                missing.push(name.to_owned());
            }
            value
        };
        for need in needs {
            match need {
                Need::Accounts => names.accounts_table = take("ACCOUNTS_TABLE"),
                Need::Jobs => names.jobs_table = take("JOBS_TABLE"),
                Need::Documents => names.bucket = take("BUCKET"),
                Need::Bus => names.bus = take("BUS_NAME"),
                Need::Queues => {
                    for processor in Processor::ALL {
                        let url = take(&queue_variable(processor));
                        names.queues.extend(url.map(|url| (processor, url)));
                    }
                }
                Need::Queue(processor) => {
                    let url = take(&queue_variable(*processor));
                    names.queues.extend(url.map(|url| (*processor, url)));
                }
            }
        }
        if missing.is_empty() {
            Ok(names)
        } else {
            Err(SetupError::Missing(missing))
        }
    }
}

/// `process-office` is `PROCESS_OFFICE_QUEUE_URL`.
fn queue_variable(processor: Processor) -> String {
    let name = processor.name().replace('-', "_").to_uppercase();
    format!("{name}_QUEUE_URL")
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
    fn all_missing_variables_are_named_at_once() {
        let present = |name: &str| (name == "JOBS_TABLE").then(|| "jobs".to_owned());
        let needs = [
            Need::Jobs,
            Need::Queues,
            Need::Queue(Processor::ProcessPdf),
            Need::Bus,
        ];
        assert_eq!(
            Names::read(&needs, present).unwrap_err().to_string(),
            "missing environment variables: PROCESS_OFFICE_QUEUE_URL, PROCESS_PDF_QUEUE_URL, PROCESS_IMAGE_QUEUE_URL, BUS_NAME"
        );
    }

    #[test]
    fn only_what_is_needed_is_read() {
        let names = Names::read(&[Need::Queue(Processor::ProcessPdf)], |name| {
            Some(name.to_lowercase())
        })
        .unwrap();
        assert_eq!(
            names,
            Names {
                queues: [(Processor::ProcessPdf, "process_pdf_queue_url".to_owned())].into(),
                ..Names::default()
            }
        );
    }

    #[test]
    fn an_empty_variable_is_missing() {
        let error = Names::read(&[Need::Bus], |_| Some(String::new())).unwrap_err();
        assert!(matches!(error, SetupError::Missing(names) if names == ["BUS_NAME"]));
    }

    #[test]
    fn credentials_are_not_printed() {
        let credentials = Credentials {
            access_key_id: "id".into(),
            secret_access_key: "hidden".into(),
        };
        assert_eq!(format!("{credentials:?}"), "Credentials(***)");
    }
}
