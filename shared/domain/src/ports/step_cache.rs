//! What keeping the results of steps needs of the world.

use std::path::Path;

use async_trait::async_trait;

use super::PortError;
use crate::id::AccountId;
use crate::step_cache::{StepFacts, StepKey};

/// Keeps what the steps of pipelines left, for each account by itself. What is kept may be gone at any time.
#[async_trait]
pub trait KeepSteps: Send + Sync {
    /// What is known about what a step left; `None` when nothing is kept.
    async fn kept_step(
        &self,
        account: &AccountId,
        key: &StepKey,
    ) -> Result<Option<StepFacts>, PortError>;
    /// Streams what a step left to `path`; `false` when it is gone. The caller checks size and hash.
    async fn fetch_step(
        &self,
        account: &AccountId,
        key: &StepKey,
        facts: &StepFacts,
        path: &Path,
    ) -> Result<bool, PortError>;
    /// Keeps the file at `path`, and what is known about it once it is there.
    async fn keep_step(
        &self,
        account: &AccountId,
        key: &StepKey,
        facts: &StepFacts,
        path: &Path,
    ) -> Result<(), PortError>;
}
