//! The stack file and clients for the stack's services.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aws::{Connection, Credentials, Names, Services};
use domain::key::Pepper;
use domain::processor::Processor;
use secrecy::SecretString;
use serde::Deserialize;

use crate::error::AdminError;

/// The members of a stack file that this tool uses.
#[derive(Deserialize)]
pub(crate) struct Stack {
    aws: Aws,
    pub(crate) resources: Resources,
    /// The PDFium library of a local stack's processors.
    pub(crate) pdfium: Option<PathBuf>,
}

/// AWS endpoint and credentials. Missing members come from the environment and the AWS profile.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Aws {
    endpoint_url: Option<String>,
    region: Option<String>,
    access_key_id: Option<String>,
    secret_access_key: Option<SecretString>,
}

/// Physical names of the deployed resources.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Resources {
    bus: Option<String>,
    bucket: Option<String>,
    pepper_secret: Option<String>,
    #[serde(default)]
    tables: BTreeMap<String, String>,
    #[serde(default)]
    queues: BTreeMap<String, String>,
    #[serde(default)]
    dead_letter_queues: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) functions: BTreeMap<String, String>,
    user_pool: Option<UserPool>,
}

/// The Cognito user pool.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserPool {
    pub(crate) id: String,
    pub(crate) client_id: String,
}

impl Stack {
    /// Reads the stack file at `path`.
    pub(crate) fn read(path: &Path) -> Result<Self, AdminError> {
        let path_of = || path.to_owned();
        let text =
            std::fs::read_to_string(path).map_err(|source| AdminError::UnreadableStackFile {
                path: path_of(),
                source,
            })?;
        serde_json::from_str(&text).map_err(|source| AdminError::InvalidStackFile {
            path: path_of(),
            source,
        })
    }

    /// Connects to the services of the stack.
    pub(crate) async fn services(&self) -> Services {
        Services::from_names(&self.connection(), self.names()).await
    }

    /// Reads the pepper with which the stack's API keys are hashed.
    pub(crate) async fn pepper(&self, services: &Services) -> Result<Pepper, AdminError> {
        let secret = self.resources.pepper_secret.as_deref();
        let secret = secret.ok_or_else(|| AdminError::MissingEntry("pepperSecret".to_owned()))?;
        Ok(services.pepper(secret).await?)
    }

    /// Returns the physical name of a function.
    pub(crate) fn function(&self, name: &str) -> Result<&str, AdminError> {
        let function = self.resources.functions.get(name).map(String::as_str);
        function.ok_or_else(|| AdminError::MissingEntry(format!("function {name}")))
    }

    /// Returns the URLs of a consumer's dead-letter queue and of its queue.
    pub(crate) fn dead_letters(&self, consumer: &str) -> Result<(&str, &str), AdminError> {
        let from = self.resources.dead_letter_queues.get(consumer);
        let pair = from.zip(self.resources.queues.get(consumer));
        let pair = pair.map(|(from, to)| (from.as_str(), to.as_str()));
        pair.ok_or_else(|| AdminError::MissingEntry(format!("queues of {consumer}")))
    }

    /// Returns whether this is a local stack. Only those set an AWS endpoint.
    pub(crate) fn is_local(&self) -> bool {
        self.aws.endpoint_url.is_some()
    }

    /// Returns the user pool.
    pub(crate) fn user_pool(&self) -> Result<&UserPool, AdminError> {
        let pool = self.resources.user_pool.as_ref();
        pool.ok_or_else(|| AdminError::MissingEntry("userPool".to_owned()))
    }

    fn connection(&self) -> Connection {
        let keys = self
            .aws
            .access_key_id
            .clone()
            .zip(self.aws.secret_access_key.clone());
        Connection {
            endpoint_url: self.aws.endpoint_url.clone(),
            region: self.aws.region.clone(),
            credentials: keys.map(|(access_key_id, secret_access_key)| Credentials {
                access_key_id,
                secret_access_key,
            }),
        }
    }

    fn names(&self) -> Names {
        let of = |processor: Processor| self.resources.queues.get(processor.name()).cloned();
        Names {
            accounts_table: self.resources.tables.get("accounts").cloned(),
            jobs_table: self.resources.tables.get("jobs").cloned(),
            documents_table: self.resources.tables.get("documents").cloned(),
            bucket: self.resources.bucket.clone(),
            bus: self.resources.bus.clone(),
            subscriptions_table: self.resources.tables.get("subscriptions").cloned(),
            queues: Processor::ALL
                .iter()
                .filter_map(|processor| Some((*processor, of(*processor)?)))
                .collect(),
            ..Names::default()
        }
    }
}
