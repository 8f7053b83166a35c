//! What the steps of pipelines left.

use std::path::Path;

use async_trait::async_trait;
use domain::id::AccountId;
use domain::ports::PortError;
use domain::ports::step_cache::KeepSteps;
use domain::source::{step_facts_object, step_object};
use domain::step_cache::{StepFacts, StepKey};

use super::{Call, Fakes, documents, unavailable};

impl Fakes {
    /// The names of the artifacts that are kept.
    #[must_use]
    pub fn kept_steps(&self) -> Vec<String> {
        let state = super::lock(&self.state);
        let objects = state.objects.keys();
        let kept = objects.filter(|name| name.starts_with("steps/"));
        kept.cloned().collect()
    }
}

#[async_trait]
impl KeepSteps for Fakes {
    async fn kept_step(
        &self,
        account: &AccountId,
        key: &StepKey,
    ) -> Result<Option<StepFacts>, PortError> {
        let name = step_facts_object(account, key);
        self.call(Call::KeptStep, |state| Ok(state.steps.get(&name).cloned()))
            .await
    }

    async fn fetch_step(
        &self,
        account: &AccountId,
        key: &StepKey,
        facts: &StepFacts,
        path: &Path,
    ) -> Result<bool, PortError> {
        let name = step_object(account, key, &facts.sha256);
        self.call(Call::FetchStep, |state| match state.objects.get(&name) {
            Some(object) => documents::copy(object, path).map(|()| true),
            None => Ok(false),
        })
        .await
    }

    async fn keep_step(
        &self,
        account: &AccountId,
        key: &StepKey,
        facts: &StepFacts,
        path: &Path,
    ) -> Result<(), PortError> {
        let name = step_object(account, key, &facts.sha256);
        self.call(Call::KeepStep, |state| {
            let body = std::fs::read(path).map_err(|error| unavailable(error.to_string()))?;
            let content_type = &facts.content_type;
            documents::put(state, self.directory(), &name, content_type, &body);
            let name = step_facts_object(account, key);
            state.steps.insert(name, facts.clone());
            Ok(())
        })
        .await
    }
}
