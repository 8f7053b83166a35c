//! What the steps of pipelines left: an artifact, and beside it an object with what is known about it, which is written
//! last.

use std::path::Path;

use async_trait::async_trait;
use aws_sdk_s3::operation::get_object::GetObjectOutput;
use aws_sdk_s3::primitives::ByteStream;
use domain::id::AccountId;
use domain::ports::step_cache::KeepSteps;
use domain::ports::{MoveDocuments as _, PortError};
use domain::source::{step_facts_object, step_object};
use domain::step_cache::{StepFacts, StepKey};

use crate::error::{failed, unavailable};
use crate::services::Services;

const SERVICE: &str = "s3";

#[async_trait]
impl KeepSteps for Services {
    async fn kept_step(
        &self,
        account: &AccountId,
        key: &StepKey,
    ) -> Result<Option<StepFacts>, PortError> {
        let object = step_facts_object(account, key);
        match self.get_object(&object, None).await? {
            Some(found) => read(found).await,
            None => Ok(None),
        }
    }

    async fn fetch_step(
        &self,
        account: &AccountId,
        key: &StepKey,
        facts: &StepFacts,
        path: &Path,
    ) -> Result<bool, PortError> {
        let object = step_object(account, key, &facts.sha256);
        self.get_file(&object, None, path).await
    }

    async fn keep_step(
        &self,
        account: &AccountId,
        key: &StepKey,
        facts: &StepFacts,
        path: &Path,
    ) -> Result<(), PortError> {
        let object = step_object(account, key, &facts.sha256);
        self.store(path, &object, &facts.content_type).await?;
        let text = serde_json::to_vec(facts)
            .map_err(|error| unavailable(SERVICE, format!("facts cannot be stored: {error}")))?;
        self.objects()
            .put_object()
            .bucket(self.bucket()?)
            .key(step_facts_object(account, key))
            .content_type("application/json")
            .body(ByteStream::from(text))
            .send()
            .await
            .map(drop)
            .map_err(|error| failed(SERVICE, &error))
    }
}

/// Facts that cannot be read are as good as none: the step is done again.
async fn read(found: GetObjectOutput) -> Result<Option<StepFacts>, PortError> {
    let body = found.body.collect().await;
    let body = body.map_err(|_| unavailable(SERVICE, "the transfer broke off"))?;
    let facts = serde_json::from_slice(&body.into_bytes());
    if facts.is_err() {
        tracing::warn!("facts about a kept step cannot be read");
    }
    Ok(facts.ok())
}
