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

/// Modules that make results, none of which the crate that checks results may name.
const MAKERS: &[(&str, &[&str])] = &[
    ("imaging", &["encode", "shades"]),
    ("layout", &["write"]),
    (
        "pdf",
        &[
            "archive",
            "flatten",
            "graft",
            "image_to_pdf",
            "lettering",
            "merge",
            "metadata",
            "overlay",
            "patch",
            "pdf_pages",
            "pdf_to_images",
            "protection",
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
    faults.extend(makers_named(&root.join("shared/verify/src")));
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

/// Where the sources below a directory name a module that makes results, but for their tests.
fn makers_named(directory: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            faults.extend(makers_named(&path));
        } else if path.file_name().is_none_or(|name| name != "tests.rs")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            let product = text.split("#[cfg(test)]").next().unwrap_or_default();
            let named = makers_in(product);
            faults.extend(
                named.map(|maker| format!("{} names {maker}, which makes results", path.display())),
            );
        }
    }
    faults
}

/// The modules that make results, among those that a text names by their crate.
fn makers_in(text: &str) -> impl Iterator<Item = String> {
    MAKERS.iter().flat_map(move |(name, makers)| {
        let prefix = format!("{name}::");
        let mut paths = text.split(prefix.as_str());
        paths.next();
        let words = paths.flat_map(|path| {
            let end = path.find([';', '(', '<', ')']).unwrap_or(path.len());
            path.get(..end)
                .unwrap_or_default()
                .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        });
        words
            .filter(|word| makers.contains(word))
            .map(|word| format!("{name}::{word}"))
            .collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_makes_results_is_found_by_its_crate() {
        let found = |text| makers_in(text).collect::<Vec<_>>();
        assert_eq!(
            found("use imaging::{decode, encode::png};"),
            ["imaging::encode"]
        );
        assert_eq!(found("pdf::merge::run(task)"), ["pdf::merge"]);
        assert!(found("use pdf::content; fn merge() {}").is_empty());
    }
}
