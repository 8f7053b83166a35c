//! One artifact from what several steps left.

use std::path::PathBuf;

use domain::job::Warning;
use domain::step_cache::StepFacts;
use engine::Artifact;

/// The warning that a step left its document as it was.
const ALREADY_OPTIMAL: &str = "already_optimal";

/// The artifact at `path`, which the last of these steps left, with the warnings and engines of all of them, once each;
/// `None` without any step.
pub(super) fn artifact(path: PathBuf, steps: Vec<StepFacts>) -> Option<Artifact> {
    let (warnings, engine) = (warnings(&steps), engines(&steps));
    let last = steps.into_iter().last()?;
    Some(Artifact {
        path,
        content_type: last.content_type,
        extension: last.extension,
        size_bytes: last.size_bytes,
        sha256: last.sha256,
        pages: last.pages,
        contents: last.contents,
        warnings,
        engine,
    })
}

/// That a step changed nothing is worth knowing only when none of them did.
fn warnings(steps: &[StepFacts]) -> Vec<Warning> {
    let says = |step: &StepFacts| step.warnings.iter().any(is_already_optimal);
    let all_optimal = steps.iter().all(says);
    let mut gathered: Vec<Warning> = Vec::new();
    for warning in steps.iter().flat_map(|step| &step.warnings) {
        let counts = all_optimal || !is_already_optimal(warning);
        if counts && !gathered.contains(warning) {
            gathered.push(warning.clone());
        }
    }
    gathered
}

fn is_already_optimal(warning: &Warning) -> bool {
    warning.code == ALREADY_OPTIMAL
}

fn engines(steps: &[StepFacts]) -> String {
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

    fn step(sha256: &str, engine: &str, warnings: &[&str]) -> StepFacts {
        let warning = |code: &&str| Warning {
            code: (*code).to_owned(),
            message: "m".to_owned(),
        };
        StepFacts {
            content_type: "application/pdf".to_owned(),
            extension: "pdf".to_owned(),
            size_bytes: 3,
            sha256: sha256.to_owned(),
            pages: 1,
            contents: None,
            warnings: warnings.iter().map(warning).collect(),
            engine: engine.to_owned(),
        }
    }

    fn codes(steps: Vec<StepFacts>) -> Vec<String> {
        let artifact = artifact(PathBuf::new(), steps).unwrap();
        artifact
            .warnings
            .into_iter()
            .map(|warning| warning.code)
            .collect()
    }

    #[test]
    fn warnings_and_engines_of_all_steps_are_told_once_each() {
        let steps = || {
            vec![
                step("a", "office 1", &["image_not_drawn", "limited_by_plan"]),
                step("b", "qpdf 1", &["limited_by_plan"]),
                step("c", "office 1", &["no_text_layer"]),
            ]
        };
        let expected = ["image_not_drawn", "limited_by_plan", "no_text_layer"];
        assert_eq!(codes(steps()), expected);
        let artifact = artifact(PathBuf::new(), steps()).unwrap();
        assert_eq!(artifact.engine, "office 1, qpdf 1");
        assert_eq!(artifact.sha256, "c");
    }

    #[test]
    fn a_document_is_optimal_when_no_step_could_better_it() {
        let optimal = || step("a", "e", &[ALREADY_OPTIMAL]);
        assert_eq!(codes(vec![optimal(), optimal()]), [ALREADY_OPTIMAL]);
        let expected: [&str; 0] = [];
        assert_eq!(codes(vec![step("b", "e", &[]), optimal()]), expected);
    }

    #[test]
    fn no_step_leaves_nothing() {
        assert_eq!(artifact(PathBuf::new(), Vec::new()), None);
    }
}
