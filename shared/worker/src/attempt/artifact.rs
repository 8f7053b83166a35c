//! Artifacts: stored results of steps. Combines those of several steps into that of the job.

use std::time::Duration;

use domain::format::Format;
use domain::job::JobWarning;
use domain::operation::Operation;
use domain::step_cache::{StepArtifact, StepKey};

use super::Attempt;
use crate::fingerprints::FingerprintKey;
use crate::sources::StoredFile;
use crate::worker::Ports;

/// Code of the warning that a step did not change its document.
const ALREADY_OPTIMAL: &str = "already_optimal";

/// A stored and checked result of steps.
pub(crate) struct Artifact {
    /// Object key.
    pub(crate) object: String,
    /// Entity tag.
    pub(crate) etag: String,
    /// Type, size, hashes, warnings, engine.
    pub(crate) metadata: StepArtifact,
    /// CPU time of the engine's processes.
    pub(crate) cpu_time: Duration,
}

impl Artifact {
    /// Returns the file, as the input of another run.
    pub(crate) fn file(&self) -> StoredFile {
        artifact_file(self.object.clone(), self.etag.clone(), &self.metadata)
    }
}

impl<P: Ports> Attempt<'_, P> {
    /// Looks up a cached artifact. If the cache is unavailable, its step is run again.
    pub(super) async fn cached_artifact(&self, key: &StepKey) -> Option<StepArtifact> {
        let account = &self.job.account_id;
        let found = self.worker.ports.step_artifact(account, key).await;
        found.unwrap_or_else(|error| {
            tracing::warn!(%error, "step cache lookup failed");
            None
        })
    }

    /// Removes the fingerprint of an engine that was updated since it was requested.
    pub(super) fn drop_fingerprint(&self, operation: &Operation, format: Format) {
        tracing::info!("step artifact not cached: the engine was updated");
        if let Some(key) = FingerprintKey::of(operation, format) {
            self.worker.fingerprints.remove(&key);
        }
    }

    /// Caches an artifact. A failure is only logged: another attempt would run the step again.
    pub(super) async fn cache(&self, key: &StepKey, artifact: &Artifact) -> bool {
        let (account, ports) = (&self.job.account_id, &self.worker.ports);
        let Artifact {
            object,
            etag,
            metadata,
            ..
        } = artifact;
        let cached = ports.cache_step_artifact(account, key, metadata, object, etag);
        let cached = cached.await;
        match &cached {
            Ok(true) => {}
            Ok(false) => tracing::warn!("step artifact not cached: it was deleted or replaced"),
            Err(error) => tracing::warn!(%error, "step artifact not cached"),
        }
        cached.unwrap_or(false)
    }
}

/// Returns the stored file of an artifact.
pub(super) fn artifact_file(object: String, etag: String, metadata: &StepArtifact) -> StoredFile {
    StoredFile {
        object,
        etag,
        size_bytes: metadata.size_bytes,
        sha256: Some(metadata.sha256.clone()),
        identity: metadata.sha256.clone(),
        is_of_client: false,
    }
}

/// Combines steps: the last one with the distinct warnings and engines of all; `None` without steps.
pub(super) fn combine(steps: Vec<StepArtifact>) -> Option<StepArtifact> {
    let (warnings, engine) = (warnings(&steps), engines(&steps));
    let last = steps.into_iter().last()?;
    Some(StepArtifact {
        warnings,
        engine,
        ..last
    })
}

/// Collects the distinct warnings. `already_optimal` is included only if every step has it.
fn warnings(steps: &[StepArtifact]) -> Vec<JobWarning> {
    let is_unchanged = |step: &StepArtifact| step.warnings.iter().any(is_already_optimal);
    let all_unchanged = steps.iter().all(is_unchanged);
    let mut warnings: Vec<JobWarning> = Vec::new();
    for warning in steps.iter().flat_map(|step| &step.warnings) {
        let is_included = all_unchanged || !is_already_optimal(warning);
        if is_included && !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }
    warnings
}

fn is_already_optimal(warning: &JobWarning) -> bool {
    warning.code == ALREADY_OPTIMAL
}

fn engines(steps: &[StepArtifact]) -> String {
    let mut engines: Vec<&str> = Vec::new();
    for step in steps {
        if !engines.contains(&step.engine.as_str()) {
            engines.push(&step.engine);
        }
    }
    engines.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(sha256: &str, engine: &str, warnings: &[&str]) -> StepArtifact {
        let warning = |code: &&str| JobWarning {
            code: (*code).to_owned(),
            message: "m".to_owned(),
            data: serde_json::Map::new(),
        };
        StepArtifact {
            content_type: "application/pdf".to_owned(),
            extension: "pdf".to_owned(),
            size_bytes: 3,
            sha256: sha256.to_owned(),
            crc64nvme: None,
            pages: 1,
            contents: None,
            warnings: warnings.iter().map(warning).collect(),
            engine: engine.to_owned(),
        }
    }

    fn codes(steps: Vec<StepArtifact>) -> Vec<String> {
        let artifact = combine(steps).unwrap();
        artifact
            .warnings
            .into_iter()
            .map(|warning| warning.code)
            .collect()
    }

    #[test]
    fn warnings_and_engines_of_all_steps_are_included_once() {
        let steps = || {
            vec![
                step("a", "office 1", &["image_not_drawn", "limited_by_plan"]),
                step("b", "qpdf 1", &["limited_by_plan"]),
                step("c", "office 1", &["no_text_layer"]),
            ]
        };
        let expected = ["image_not_drawn", "limited_by_plan", "no_text_layer"];
        assert_eq!(codes(steps()), expected);
        let artifact = combine(steps()).unwrap();
        assert_eq!(artifact.engine, "office 1, qpdf 1");
        assert_eq!(artifact.sha256, "c");
    }

    #[test]
    fn already_optimal_is_included_only_if_no_step_changed_the_document() {
        let optimal = || step("a", "e", &[ALREADY_OPTIMAL]);
        assert_eq!(codes(vec![optimal(), optimal()]), [ALREADY_OPTIMAL]);
        let expected: [&str; 0] = [];
        assert_eq!(codes(vec![step("b", "e", &[]), optimal()]), expected);
    }

    #[test]
    fn without_steps_there_is_no_artifact() {
        assert_eq!(combine(Vec::new()), None);
    }
}
