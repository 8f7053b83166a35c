//! `template.yaml`, put together: the parts in `infra/template`, a processor for each row of `processors`, an alarm for
//! each row of `alarms`. SAM deploys one file, and people read one concept at a time.

mod alarms;
mod part;
mod processors;

use std::path::{Path, PathBuf};

use crate::Outcome;
use part::part;

pub(crate) fn write(root: &Path) -> Outcome {
    let text = text(root).map_err(|fault| vec![fault])?;
    std::fs::write(path(root), text).map_err(|error| vec![error.to_string()])
}

pub(crate) fn check(root: &Path) -> Outcome {
    let text = text(root).map_err(|fault| vec![fault])?;
    match std::fs::read_to_string(path(root)) {
        Ok(checked_in) if checked_in == text => Ok(()),
        _ => Err(vec![
            "template.yaml is not what infra/template makes: run `cargo xtask template`".to_owned(),
        ]),
    }
}

/// In the order a request travels.
fn text(root: &Path) -> Result<String, String> {
    let parts = |names: &[&str]| -> Result<Vec<String>, String> {
        names.iter().map(|name| part(root, name, &[])).collect()
    };
    let text = [
        parts(&["parameters", "api"])?,
        parts(&["functions/jobs", "functions/compat", "functions/documents"])?,
        parts(&["functions/files", "functions/account", "functions/hooks"])?,
        parts(&["functions/site"])?,
        processors::parts(root)?,
        parts(&["functions/bury", "functions/fanout", "functions/deliver"])?,
        parts(&["functions/sweep", "state", "bus"])?,
        alarms::parts(root)?,
        parts(&["outputs"])?,
    ];
    Ok(text.concat().join("\n"))
}

fn path(root: &Path) -> PathBuf {
    root.join("template.yaml")
}
