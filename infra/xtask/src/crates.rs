//! The crate walls: which crate may depend on which, and who alone may name Lambda and the AWS SDK.

use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use crate::{Outcome, outcome};

/// What each shared crate may depend on in this workspace.
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
    ("pdf", &["domain", "layout", "task"]),
    (
        "engine",
        &[
            "domain", "imaging", "layout", "markup", "office", "pdf", "sandbox", "task",
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
    ("bury", &["aws", "domain", "runtime"]),
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

/// What a function of the API may depend on.
const API: &[&str] = &["aws", "contract", "domain", "runtime"];

/// What a function of the API that takes URLs may depend on.
const FETCHING_API: &[&str] = &["aws", "contract", "domain", "fetch", "runtime"];

/// Families of crates that only one crate may name, and the tests, which look at the stack from outside.
const ONLY: &[(&str, &str)] = &[
    ("aws_sdk_", "aws"),
    ("aws_smithy_", "aws"),
    ("aws_config", "aws"),
    ("lambda_", "runtime"),
    ("aws_lambda_events", "runtime"),
];

pub(crate) fn check(root: &Path) -> Outcome {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .map_err(|error| vec![format!("cargo metadata: {error}")])?;
    let faults: Vec<_> = metadata
        .packages
        .iter()
        .flat_map(|package| faults_of(package, &metadata))
        .collect();
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
            faults.push(format!("{name} has no row in the table of crate walls"));
        }
        if let Some(allowed) = allowed
            && ours
            && !allowed.contains(&wanted)
        {
            faults.push(format!(
                "{name} may not depend on {wanted}: see the crate walls in ARCHITECTURE.md"
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
        faults.push(format!("{name} does not take the workspace's lints"));
    }
    faults
}
