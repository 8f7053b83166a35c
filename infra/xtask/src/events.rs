//! Checks that every function has sample events under `events/` and that all of them are JSON.

use std::path::Path;

use crate::{Outcome, outcome};

pub(crate) fn check(root: &Path) -> Outcome {
    let mut faults = Vec::new();
    for function in names(&root.join("functions")) {
        let samples = names(&root.join("events").join(&function));
        if samples.is_empty() {
            faults.push(format!("events/{function} has no sample event"));
        }
        for sample in samples {
            let path = root.join("events").join(&function).join(&sample);
            let text = std::fs::read_to_string(path).unwrap_or_default();
            if serde_json::from_str::<serde_json::Value>(&text).is_err() {
                faults.push(format!("events/{function}/{sample} is not JSON"));
            }
        }
    }
    outcome(faults)
}

pub(crate) fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}
