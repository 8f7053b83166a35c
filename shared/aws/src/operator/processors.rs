//! Event source mappings of the functions, and the concurrency limits of the AWS account.

use aws_sdk_lambda::Client;
use domain::ports::PortError;

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "lambda";

/// An event source mapping of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSource {
    /// UUID of the mapping.
    pub id: String,
    /// ARN of the queue.
    pub source: String,
    /// State of the mapping: `Enabled`, `Disabled` or a transitional state such as `Enabling`.
    pub state: String,
    /// Maximum number of concurrent invocations.
    pub maximum_concurrency: Option<u32>,
}

/// Concurrency limits of the AWS account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrency {
    /// Concurrent executions of all functions.
    pub total: u32,
    /// Concurrent executions that no function has reserved.
    pub unreserved: u32,
}

impl Services {
    /// Lists the event source mappings of `function`.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] if Lambda fails or the function does not exist.
    pub async fn event_sources(&self, function: &str) -> Result<Vec<EventSource>, PortError> {
        let mut pages = Client::new(&self.config)
            .list_event_source_mappings()
            .function_name(function)
            .into_paginator()
            .items()
            .send();
        let mut sources = Vec::new();
        while let Some(mapping) = pages.next().await {
            let mapping = mapping.map_err(|error| failed(SERVICE, &error))?;
            let limit = mapping
                .scaling_config()
                .and_then(|scaling| scaling.maximum_concurrency());
            sources.push(EventSource {
                maximum_concurrency: limit.and_then(|limit| u32::try_from(limit).ok()),
                id: mapping.uuid.unwrap_or_default(),
                source: mapping.event_source_arn.unwrap_or_default(),
                state: mapping.state.unwrap_or_default(),
            });
        }
        Ok(sources)
    }

    /// Enables or disables the event source mappings of `function`. While disabled, tickets stay in the queue.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] if Lambda fails or the function has no event source mapping.
    pub async fn switch(&self, function: &str, on: bool) -> Result<Vec<EventSource>, PortError> {
        let sources = self.event_sources(function).await?;
        if sources.is_empty() {
            return Err(unavailable(
                SERVICE,
                format!("{function} has no event source mapping"),
            ));
        }
        for source in &sources {
            Client::new(&self.config)
                .update_event_source_mapping()
                .uuid(&source.id)
                .enabled(on)
                .send()
                .await
                .map_err(|error| failed(SERVICE, &error))?;
        }
        self.event_sources(function).await
    }

    /// Returns the concurrency limits of the AWS account.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] if Lambda fails.
    pub async fn concurrency(&self) -> Result<Concurrency, PortError> {
        let settings = Client::new(&self.config)
            .get_account_settings()
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let limit = settings
            .account_limit
            .ok_or_else(|| unavailable(SERVICE, "the response has no account limits"))?;
        Ok(Concurrency {
            total: u32::try_from(limit.concurrent_executions).unwrap_or(0),
            unreserved: limit
                .unreserved_concurrent_executions
                .and_then(|count| u32::try_from(count).ok())
                .unwrap_or(0),
        })
    }
}
