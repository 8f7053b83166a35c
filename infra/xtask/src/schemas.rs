//! Generates the JSON Schemas of events, `events/schemas/<event>.json`, from the contract; other files there are faults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::events::names;
use crate::{Outcome, outcome};

pub(crate) fn write(root: &Path) -> Outcome {
    let directory = directory(root);
    let fault = |error: std::io::Error| vec![error.to_string()];
    std::fs::create_dir_all(&directory).map_err(fault)?;
    let files = files()?;
    for stale in names(&directory) {
        if !files.contains_key(&stale) {
            std::fs::remove_file(directory.join(stale)).map_err(fault)?;
        }
    }
    for (name, text) in files {
        std::fs::write(directory.join(name), text).map_err(fault)?;
    }
    Ok(())
}

pub(crate) fn check(root: &Path) -> Outcome {
    let (directory, files) = (directory(root), files()?);
    let extra = names(&directory).into_iter();
    let extra = extra
        .filter(|name| !files.contains_key(name))
        .map(|name| format!("events/schemas/{name} belongs to no event: delete it"));
    let other = files.iter().filter(|(name, text)| {
        let checked_in = std::fs::read_to_string(directory.join(name));
        checked_in.ok().as_ref() != Some(*text)
    });
    let other = other.map(|(name, _)| {
        format!("events/schemas/{name} is not up to date: run `cargo xtask schemas`")
    });
    let faults: Vec<_> = extra.chain(other).collect();
    outcome(faults)
}

/// Name and content of each file.
fn files() -> Result<BTreeMap<String, String>, Vec<String>> {
    let schemas = contract::event::schemas().into_iter();
    let file = |(event, schema)| {
        let text = serde_json::to_string_pretty(&schema);
        let text = text.map_err(|error| vec![error.to_string()])?;
        Ok((format!("{event}.json"), format!("{text}\n")))
    };
    schemas.map(file).collect()
}

fn directory(root: &Path) -> PathBuf {
    root.join("events/schemas")
}
