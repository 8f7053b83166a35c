//! Checks the dependency rules of the workspace: which crate may depend on which, and which may use Lambda and the AWS SDK.

use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use crate::modules::Modules;
use crate::{Outcome, outcome};

/// Allowed workspace dependencies of each crate.
const MAY_USE: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("contract", &["domain"]),
    ("runtime", &["contract", "domain"]),
    ("aws", &["domain"]),
    ("fetch", &["domain"]),
    ("sandbox", &[]),
    ("office", &["sandbox"]),
    ("avif", &[]),
    ("layout", &[]),
    ("markup", &["domain", "layout"]),
    ("task", &["domain", "sandbox"]),
    ("imaging", &["avif", "domain", "task"]),
    ("pdf", &["domain", "imaging", "layout", "task"]),
    ("pdf-optimize", &["domain", "imaging", "pdf", "task"]),
    ("ocr", &["domain", "imaging", "layout", "pdf", "task"]),
    ("browser", &["domain", "task"]),
    ("inspect", &["domain", "imaging", "markup", "pdf", "task"]),
    (
        "verify",
        &[
            "domain", "imaging", "inspect", "layout", "markup", "pdf", "task",
        ],
    ),
    (
        "engine",
        &[
            "browser",
            "domain",
            "imaging",
            "inspect",
            "layout",
            "markup",
            "ocr",
            "office",
            "pdf",
            "pdf-optimize",
            "sandbox",
            "task",
            "verify",
        ],
    ),
    ("worker", &["domain", "engine", "sandbox"]),
    (
        "processor",
        &[
            "aws", "domain", "engine", "fetch", "runtime", "sandbox", "worker",
        ],
    ),
    ("testkit", &["domain"]),
    ("octavo-admin", &["aws", "contract", "domain"]),
    ("account", API),
    ("compat", FETCHING_API),
    ("documents", FETCHING_API),
    ("files", API),
    ("hooks", FETCHING_API),
    ("jobs", FETCHING_API),
    ("site", API),
    ("dead-letter", &["aws", "domain", "runtime"]),
    ("deliver", &["aws", "domain", "fetch", "runtime"]),
    ("fanout", &["aws", "contract", "domain", "runtime"]),
    ("sweep", &["aws", "domain", "runtime"]),
    ("process-image", &["domain", "processor"]),
    ("process-ocr", &["domain", "processor"]),
    ("process-office", &["domain", "processor"]),
    ("process-pdf", &["domain", "processor"]),
    ("process-pipeline", &["domain", "processor"]),
    ("process-web", &["domain", "processor"]),
    ("tests", &["aws", "contract", "domain"]),
    ("xtask", &["contract", "domain"]),
];

/// Allowed dependencies of API functions.
const API: &[&str] = &["aws", "contract", "domain", "runtime"];

/// Allowed dependencies of API functions that accept URLs.
const FETCHING_API: &[&str] = &["aws", "contract", "domain", "fetch", "runtime"];

/// Prefixes of external crates that only one workspace crate (and the tests) may use.
const ONLY: &[(&str, &str)] = &[
    ("aws_sdk_", "aws"),
    ("aws_smithy_", "aws"),
    ("aws_config", "aws"),
    ("lambda_", "runtime"),
    ("aws_lambda_events", "runtime"),
];

/// Modules that produce results, which the crate that verifies results must not use.
const PRODUCERS: &[(&str, &[&str])] = &[
    ("imaging", &["encode", "posterize"]),
    ("layout", &["writers"]),
    (
        "pdf",
        &[
            "archive",
            "flatten",
            "image_to_pdf",
            "merge",
            "metadata",
            "object_copier",
            "overlay",
            "patch",
            "pdf_pages",
            "pdf_to_images",
            "protection",
            "text_drawing",
        ],
    ),
];

pub(crate) fn check(root: &Path) -> Outcome {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .map_err(|error| vec![format!("cargo metadata: {error}")])?;
    let packages = metadata.packages.iter();
    let mut faults: Vec<_> = packages
        .flat_map(|package| faults_of(package, &metadata))
        .collect();
    faults.extend(producer_uses(&root.join("shared/verify/src/lib.rs")));
    faults.extend(missing_producers(&root.join("shared")));
    outcome(faults)
}

fn faults_of(package: &Package, metadata: &Metadata) -> Vec<String> {
    let mut faults = Vec::new();
    let name = package.name.as_str();
    let used = package
        .dependencies
        .iter()
        .filter(|dependency| dependency.kind != DependencyKind::Development);
    for dependency in used {
        let wanted = dependency.name.as_str();
        let ours = metadata
            .packages
            .iter()
            .any(|other| other.name.as_str() == wanted && dependency.path.is_some());
        let allowed = MAY_USE
            .iter()
            .find(|(crate_name, _)| *crate_name == name)
            .map(|(_, allowed)| *allowed);
        if allowed.is_none() && ours {
            faults.push(format!(
                "{name} has no row in the table of allowed dependencies (infra/xtask/src/crates.rs)"
            ));
        }
        if let Some(allowed) = allowed
            && ours
            && !allowed.contains(&wanted)
        {
            faults.push(format!(
                "{name} may not depend on {wanted}: see infra/xtask/src/crates.rs"
            ));
        }
        let identifier = wanted.replace('-', "_");
        for (family, owner) in ONLY {
            if identifier.starts_with(family) && ![*owner, "tests"].contains(&name) {
                faults.push(format!("{name} names {wanted}: only {owner} may"));
            }
        }
    }
    if std::fs::read_to_string(&package.manifest_path)
        .is_ok_and(|text| !text.contains("[lints]\nworkspace = true"))
    {
        faults.push(format!("{name} does not inherit the workspace's lints"));
    }
    faults
}

/// Uses of result-producing modules in `verify`, outside of tests.
fn producer_uses(root: &Path) -> Vec<String> {
    let modules = match Modules::read(root) {
        Ok(modules) => modules,
        Err(error) => return vec![error],
    };
    let named = modules.named().filter(|path| is_producer(path));
    let faults = named.map(|path| {
        format!(
            "{} uses {}, which produces results",
            root.display(),
            path.join("::")
        )
    });
    faults.collect()
}

fn is_producer(path: &[String]) -> bool {
    let [name, module, ..] = path else {
        return false;
    };
    PRODUCERS
        .iter()
        .any(|(producer, modules)| producer == name && modules.contains(&module.as_str()))
}

/// Modules of the table that do not exist, so that the check would find nothing.
fn missing_producers(shared: &Path) -> Vec<String> {
    let all = PRODUCERS
        .iter()
        .flat_map(|(name, modules)| modules.iter().map(move |module| (name, module)));
    let missing =
        all.filter(|(name, module)| !shared.join(name).join(format!("src/{module}.rs")).is_file());
    missing
        .map(|(name, module)| {
            format!("{name}::{module} is listed as producing results, but does not exist")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_of_result_producing_modules_are_found_in_every_form() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("lib.rs");
        let found = |text: &str| {
            std::fs::write(&root, text).unwrap();
            producer_uses(&root).len()
        };
        assert_eq!(found("use imaging::{decode, encode::png};"), 1);
        assert_eq!(
            found("use imaging::decode; use layout::{model, writers};"),
            1
        );
        assert_eq!(found("fn check(task: &Task) { pdf::merge::run(task) }"), 1);
        assert_eq!(
            found(
                "#[cfg(test)] mod tests { use pdf::merge; } fn check() { imaging::encode::png() }"
            ),
            1
        );
        assert_eq!(found("use pdf::content; fn merge() {}"), 0);
    }
}
