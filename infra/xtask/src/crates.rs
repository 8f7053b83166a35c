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
    ("office", &["domain", "sandbox"]),
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
    ("verify", &["domain", "imaging", "inspect", "pdf", "task"]),
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
    ("invocation", &["domain"]),
    ("worker", &["domain", "invocation"]),
    (
        "engine-function",
        &[
            "domain",
            "engine",
            "fetch",
            "invocation",
            "runtime",
            "sandbox",
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
    ("engine-image", ENGINE_FUNCTION),
    ("engine-ocr", ENGINE_FUNCTION),
    ("engine-office", ENGINE_FUNCTION),
    ("engine-pdf", ENGINE_FUNCTION),
    ("engine-web", ENGINE_FUNCTION),
    ("process", &["aws", "domain", "fetch", "runtime", "worker"]),
    ("tests", &["aws", "contract", "domain"]),
    ("xtask", &["contract", "domain", "invocation"]),
];

/// Allowed dependencies of API functions.
const API: &[&str] = &["aws", "contract", "domain", "runtime"];

/// Allowed dependencies of API functions that accept URLs.
const FETCHING_API: &[&str] = &["aws", "contract", "domain", "fetch", "runtime"];

/// Allowed dependencies of engine functions.
const ENGINE_FUNCTION: &[&str] = &["domain", "engine-function"];

/// Crates that a crate must not reach, directly or through others: coordinators hold rights and must not parse documents;
/// engine functions parse documents and must contain no code that uses rights.
const MUST_NOT_REACH: &[(&str, &[&str])] = &[
    (
        "process",
        &[
            "avif",
            "browser",
            "engine",
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
    ("engine-function", &["aws", "worker"]),
];

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
    (
        "pdf",
        &[
            "archive",
            "compare",
            "fill",
            "flatten",
            "image_to_pdf",
            "merge",
            "metadata",
            "object_copier",
            "overlay",
            "patch",
            "pdf_a",
            "pdf_pages",
            "pdf_to_images",
            "protection",
            "sanitize",
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
    faults.extend(connected(MUST_NOT_REACH, MAY_USE));
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

/// The pairs of `must_not_reach` that the table of allowed dependencies connects.
fn connected(must_not_reach: &[(&str, &[&str])], may_use: &[(&str, &[&str])]) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, others) in must_not_reach {
        let reached = reached(name, may_use);
        let found = others.iter().filter(|other| reached.contains(other));
        faults.extend(found.map(|other| {
            format!("the table of allowed dependencies connects {name} with {other}: see infra/xtask/src/crates.rs")
        }));
    }
    faults
}

/// The crate `name` and all that it may use, directly or through others.
fn reached<'a>(name: &'a str, may_use: &[(&'a str, &[&'a str])]) -> Vec<&'a str> {
    let mut reached = vec![name];
    let mut next = 0;
    while let Some(current) = reached.get(next).copied() {
        let rows = may_use.iter().filter(|(user, _)| *user == current);
        for used in rows.flat_map(|(_, used)| used.iter().copied()) {
            if !reached.contains(&used) {
                reached.push(used);
            }
        }
        next += 1;
    }
    reached
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
    fn crates_that_must_not_be_reached_are_found_through_others() {
        let may_use: &[(&str, &[&str])] = &[("a", &["b"]), ("b", &["a", "c"]), ("d", &["b"])];
        assert_eq!(connected(&[("a", &["c", "d"])], may_use).len(), 1);
        assert!(connected(&[("a", &["d"]), ("c", &["a"])], may_use).is_empty());
        assert_eq!(connected(MUST_NOT_REACH, MAY_USE), Vec::<String>::new());
    }

    #[test]
    fn coordinators_must_not_reach_any_crate_of_the_engines() {
        let (_, forbidden) = MUST_NOT_REACH[0];
        let mut engines = reached("engine", MAY_USE);
        engines.retain(|name| *name != "domain");
        engines.sort_unstable();
        assert_eq!(forbidden, engines);
    }

    #[test]
    fn uses_of_result_producing_modules_are_found_in_every_form() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("lib.rs");
        let found = |text: &str| {
            std::fs::write(&root, text).unwrap();
            producer_uses(&root).len()
        };
        assert_eq!(found("use imaging::{decode, encode::png};"), 1);
        assert_eq!(found("use imaging::decode; use pdf::{content, merge};"), 1);
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
