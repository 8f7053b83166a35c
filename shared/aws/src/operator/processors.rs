//! The functions' event sources and how many of them may run at once.

use aws_sdk_lambda::Client;
use domain::ports::PortError;

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "lambda";

/// What feeds a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSource {
    /// The mapping.
    pub id: String,
    /// ARN of the queue.
    pub source: String,
    /// `Enabled`, `Disabled`, or on the way there.
    pub state: String,
    /// Most invocations at a time.
    pub maximum_concurrency: Option<u32>,
}

/// What the account allows to run at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrency {
    /// All functions together.
    pub total: u32,
    /// What no function has reserved.
    pub unreserved: u32,
}

impl Services {
    /// What feeds `function`.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] when Lambda does not answer or does not know the function.
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

    /// Lets `function` take from its queues, or stops it. Tickets wait meanwhile.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] when Lambda does not answer or nothing feeds the function.
    pub async fn switch(&self, function: &str, on: bool) -> Result<Vec<EventSource>, PortError> {
        let sources = self.event_sources(function).await?;
        if sources.is_empty() {
            return Err(unavailable(SERVICE, format!("nothing feeds {function}")));
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

    /// What the account allows to run at once.
    ///
    /// # Errors
    /// [`PortError::Unavailable`] when Lambda does not answer.
    pub async fn concurrency(&self) -> Result<Concurrency, PortError> {
        let settings = Client::new(&self.config)
            .get_account_settings()
            .send()
            .await
            .map_err(|error| failed(SERVICE, &error))?;
        let limit = settings
            .account_limit
            .ok_or_else(|| unavailable(SERVICE, "no limits told"))?;
        Ok(Concurrency {
            total: u32::try_from(limit.concurrent_executions).unwrap_or(0),
            unreserved: limit
                .unreserved_concurrent_executions
                .and_then(|count| u32::try_from(count).ok())
                .unwrap_or(0),
        })
    }
}
