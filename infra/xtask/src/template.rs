//! `template.yaml`, put together: the parts in `infra/template`, a processor for each row of `processors`, an alarm for
//! each row of `alarms`. SAM deploys one file, and people read one concept at a time.

mod alarms;
mod functions;
mod part;
mod processors;

use std::path::Path;

use domain::processor::Processor;

use crate::text::capitalized;
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

/// The functions of the API, which come before the processors.
const API: [&str; 7] = [
    "jobs",
    "compat",
    "documents",
    "files",
    "account",
    "hooks",
    "site",
];

/// The functions that work on queues and events, which come behind the processors.
const BEHIND: [&str; 4] = ["bury", "fanout", "deliver", "sweep"];

/// Every function, by its name in the template.
fn functions() -> impl Iterator<Item = String> {
    let processors = Processor::ALL.iter();
    let processors = processors.map(|processor| format!("Process{}", processors::name(*processor)));
    let api = API.iter().map(|name| capitalized(name));
    let behind = BEHIND.iter().map(|name| capitalized(name));
    api.chain(processors).chain(behind)
}

/// In the order a request travels.
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
        parts_of(&BEHIND)?,
        hand_written(&["state/accounts", "state/jobs", "state/documents"])?,
        hand_written(&["state/subscriptions", "state/bucket", "state/credentials"])?,
        hand_written(&["bus"])?,
        alarms::parts(root)?,
        vec![outputs(root)?],
    ];
    Ok(text.concat().join("\n"))
}

/// The head of the template, and what an operator may set.
pub(crate) fn parameters(root: &Path) -> Result<String, String> {
    let parts = [
        part(root, "parameters/stage", &[])?,
        processors::parameters(),
        part(root, "parameters/limits", &[])?,
        part(root, "parameters/access", &[])?,
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
