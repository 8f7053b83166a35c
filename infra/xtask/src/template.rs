//! Generates `template.yaml` from the fragments in `infra/template` and the tables of processors, engine functions and alarms:
//! SAM deploys a single file, but one file per resource is easier to read.

mod alarms;
mod engines;
mod functions;
mod part;
mod processors;

use std::path::Path;

use domain::engine_function::EngineFunction;
use domain::processor::Processor;

use crate::text::{kebab_case, pascal_case};
use crate::{Outcome, generated};
use part::part;

const FILE: &str = "template.yaml";

pub(crate) fn write(root: &Path) -> Outcome {
    generated::write(root, FILE, &text(root).map_err(|fault| vec![fault])?)
}

pub(crate) fn check(root: &Path) -> Outcome {
    let text = text(root).map_err(|fault| vec![fault])?;
    generated::check(root, FILE, &text, "template")
}

/// API functions, placed before the processors.
const API: [&str; 7] = [
    "jobs",
    "compat",
    "documents",
    "files",
    "account",
    "hooks",
    "site",
];

/// Functions that consume queues and events, placed after the engine functions.
const BACKGROUND: [&str; 4] = ["dead-letter", "fanout", "deliver", "sweep"];

/// The crate of all coordinators.
const COORDINATOR: &str = "process";

/// Names of all functions, as in the stack file and below `events/`.
pub(crate) fn function_names() -> impl Iterator<Item = String> {
    functions().map(|name| kebab_case(&name))
}

/// The crate of a function of the template, by logical id: `EngineOfficeFunction` is `engine-office`, and each `Process…Function`
/// is `process`.
pub(crate) fn crate_of(logical_id: &str) -> String {
    let name = kebab_case(logical_id.strip_suffix("Function").unwrap_or(logical_id));
    match Processor::ALL
        .iter()
        .any(|processor| processor.name() == name)
    {
        true => COORDINATOR.to_owned(),
        false => name,
    }
}

/// All functions, by logical id without `Function`.
fn functions() -> impl Iterator<Item = String> {
    let processors = Processor::ALL.iter();
    let processors = processors.map(|processor| format!("Process{}", processors::name(*processor)));
    let engines = EngineFunction::ALL.iter();
    let engines = engines.map(|function| engines::name(*function));
    let api = API.iter().map(|name| pascal_case(name));
    let background = BACKGROUND.iter().map(|name| pascal_case(name));
    api.chain(processors).chain(engines).chain(background)
}

/// The template, in the order in which a request passes through it.
fn text(root: &Path) -> Result<String, String> {
    let hand_written = |names: &[&str]| -> Result<Vec<String>, String> {
        names.iter().map(|name| part(root, name, &[])).collect()
    };
    let parts_of = |names: &[&str]| -> Result<Vec<String>, String> {
        let parts = names.iter().map(|name| functions::parts(root, name));
        Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
    };
    let text = [
        vec![parameters(root)?],
        hand_written(&["parameters/conditions", "api"])?,
        parts_of(&API)?,
        processors::parts(root)?,
        engines::parts(root)?,
        parts_of(&BACKGROUND)?,
        hand_written(&["state/accounts", "state/jobs", "state/documents"])?,
        hand_written(&["state/subscriptions", "state/bucket", "state/credentials"])?,
        hand_written(&["bus"])?,
        alarms::parts(root)?,
        vec![outputs(root)?],
    ];
    Ok(text.concat().join("\n"))
}

/// The header and the parameters of the template.
pub(crate) fn parameters(root: &Path) -> Result<String, String> {
    let parts = [
        part(root, "parameters/stage", &[])?,
        processors::parameters(),
        part(root, "parameters/limits", &[])?,
        part(root, "parameters/access", &[])?,
        part(root, "parameters/engines", &[])?,
        part(root, "parameters/hosts", &[])?,
    ];
    Ok(parts.concat())
}

fn outputs(root: &Path) -> Result<String, String> {
    let function = |name: String| {
        format!(
            "  {name}Function:\n    Description: Name of the function {name}\n    Value: !Ref {name}Function\n"
        )
    };
    let parts = [
        part(root, "outputs/resources", &[])?,
        processors::outputs(),
        part(root, "outputs/queues", &[])?,
        functions().map(function).collect(),
    ];
    Ok(parts.concat())
}
