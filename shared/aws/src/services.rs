//! The AWS clients of a process and the names of its resources.

use std::sync::OnceLock;

use aws_config::SdkConfig;
use aws_sdk_dynamodb::Client as Tables;
use aws_sdk_eventbridge::Client as Buses;
use aws_sdk_kms::Client as Keys;
use aws_sdk_lambda::Client as Engines;
use aws_sdk_s3::Client as Objects;
use aws_sdk_sqs::Client as Queues;
use domain::engine_function::EngineFunction;
use domain::ports::PortError;
use domain::processor::Processor;
use domain::subscription::Lane;

use crate::config::{self, Connection};
use crate::error::unavailable;
use crate::names::{Names, ResourceVariable, SetupError};
use crate::secret_cache::SecretCache;

/// Implements every port of `domain` on AWS. Clients are created lazily, so that a function initializes and links only
/// those that it uses.
pub struct Services {
    pub(crate) config: SdkConfig,
    names: Names,
    tables: OnceLock<Tables>,
    objects: OnceLock<Objects>,
    queues: OnceLock<Queues>,
    buses: OnceLock<Buses>,
    keys: OnceLock<Keys>,
    engines: OnceLock<Engines>,
    pub(crate) secret_cache: SecretCache,
}

impl Services {
    /// Creates the services from the environment variables of `needs`.
    ///
    /// # Errors
    /// [`SetupError::Missing`] with the names of all required variables that are not set.
    pub async fn from_environment(needs: &[ResourceVariable]) -> Result<Self, SetupError> {
        let names = Names::from_environment(needs)?;
        Ok(Self::new(config::shared().await.clone(), names))
    }

    /// Creates the services with explicit names, for programs that do not run in Lambda.
    pub async fn from_names(connection: &Connection, names: Names) -> Self {
        Self::new(config::connect(connection).await, names)
    }

    fn new(config: SdkConfig, names: Names) -> Self {
        Self {
            config,
            names,
            tables: OnceLock::new(),
            objects: OnceLock::new(),
            queues: OnceLock::new(),
            buses: OnceLock::new(),
            keys: OnceLock::new(),
            engines: OnceLock::new(),
            secret_cache: SecretCache::default(),
        }
    }

    pub(crate) fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| Tables::new(&self.config))
    }

    pub(crate) fn objects(&self) -> &Objects {
        self.objects
            .get_or_init(|| Objects::from_conf(config::objects(&self.config)))
    }

    pub(crate) fn queues(&self) -> &Queues {
        self.queues.get_or_init(|| Queues::new(&self.config))
    }

    pub(crate) fn buses(&self) -> &Buses {
        self.buses.get_or_init(|| Buses::new(&self.config))
    }

    pub(crate) fn keys(&self) -> &Keys {
        self.keys.get_or_init(|| Keys::new(&self.config))
    }

    pub(crate) fn engines(&self) -> &Engines {
        self.engines
            .get_or_init(|| Engines::from_conf(config::engines(&self.config)))
    }

    pub(crate) fn accounts_table(&self) -> Result<&str, PortError> {
        named(self.names.accounts_table.as_deref(), "accounts table")
    }

    pub(crate) fn jobs_table(&self) -> Result<&str, PortError> {
        named(self.names.jobs_table.as_deref(), "jobs table")
    }

    pub(crate) fn documents_table(&self) -> Result<&str, PortError> {
        named(self.names.documents_table.as_deref(), "documents table")
    }

    pub(crate) fn bucket(&self) -> Result<&str, PortError> {
        named(self.names.bucket.as_deref(), "bucket")
    }

    pub(crate) fn bus(&self) -> Result<&str, PortError> {
        named(self.names.bus.as_deref(), "bus")
    }

    pub(crate) fn subscriptions_table(&self) -> Result<&str, PortError> {
        named(
            self.names.subscriptions_table.as_deref(),
            "subscriptions table",
        )
    }

    pub(crate) fn subscriptions_key(&self) -> Result<&str, PortError> {
        named(
            self.names.subscriptions_key.as_deref(),
            "KMS key of subscriptions",
        )
    }

    pub(crate) fn fanout_queue(&self) -> Result<&str, PortError> {
        named(self.names.fanout_queue.as_deref(), "fan-out queue")
    }

    pub(crate) fn fanout_dead_letter_queue(&self) -> Result<&str, PortError> {
        let name = self.names.fanout_dead_letter_queue.as_deref();
        named(name, "dead-letter queue of fanout")
    }

    pub(crate) fn deliver_queue(&self, lane: Lane) -> Result<&str, PortError> {
        let names = &self.names;
        match lane {
            Lane::Ready => named(names.deliver_queue.as_deref(), "delivery queue"),
            Lane::Slow => {
                let name = names.slow_deliver_queue.as_deref();
                named(name, "delivery queue of slow receivers")
            }
        }
    }

    pub(crate) fn engine_function(&self, function: EngineFunction) -> Result<&str, PortError> {
        named(
            self.names
                .engine_functions
                .get(&function)
                .map(String::as_str),
            function.name(),
        )
    }

    pub(crate) fn isolates_tenants(&self) -> bool {
        self.names.isolates_tenants
    }

    pub(crate) fn queue_url(&self, processor: Processor) -> Result<&str, PortError> {
        named(
            self.names.queues.get(&processor).map(String::as_str),
            processor.name(),
        )
    }
}

fn named<'a>(name: Option<&'a str>, what: &str) -> Result<&'a str, PortError> {
    name.ok_or_else(|| {
        unavailable(
            "configuration",
            format!("no {what} is configured for this function"),
        )
    })
}
