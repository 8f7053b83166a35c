//! Checks that every function has sample events under `events/`, that all of them are JSON, and that engine functions accept
//! those that they are written to accept.

use std::path::Path;

use domain::engine_function::EngineFunction;
use serde_json::Value;

use crate::{Outcome, outcome, template};

/// Samples of engine functions that are not requests.
const INVALID: [&str; 2] = ["invoke.hostile.json", "invoke.other-version.json"];

pub(crate) fn check(root: &Path) -> Outcome {
    let mut faults = Vec::new();
    for function in template::function_names() {
        let samples = names(&root.join("events").join(&function));
        if samples.is_empty() {
            faults.push(format!("events/{function} has no sample event"));
        }
        for sample in samples {
            let file = format!("events/{function}/{sample}");
            let text = std::fs::read_to_string(root.join(&file)).unwrap_or_default();
            faults.extend(fault(&function, &sample, &text).map(|fault| format!("{file} {fault}")));
        }
    }
    outcome(faults)
}

fn fault(function: &str, sample: &str, text: &str) -> Option<String> {
    let Ok(event) = serde_json::from_str::<Value>(text) else {
        return Some("is not JSON".to_owned());
    };
    EngineFunction::from_name(function)?;
    let request = serde_json::from_value::<invocation::Request>(event);
    match (request, INVALID.contains(&sample)) {
        (Ok(_), true) => Some("is a request of an engine function".to_owned()),
        (Err(error), false) => Some(format!("is no request of an engine function: {error}")),
        _ => None,
    }
}

pub(crate) fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}
