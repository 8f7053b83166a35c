//! `doctor`: checks that the stack has everything that jobs need.

mod checks;
mod engines;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::json;

use crate::CommandOutput;
use crate::stack::Stack;

#[derive(Args)]
pub(crate) struct Doctor {
    /// Path of the PDFium library. Default: the one in the stack file, else the one next to this executable, as for engines.
    #[arg(long, env = "PDFIUM_LIBRARY")]
    pdfium: Option<PathBuf>,
    /// Skips the engines of this machine. For stacks on AWS, whose container images contain the engines.
    #[arg(long)]
    without_engines: bool,
}

/// Result of one check.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Check {
    name: String,
    #[serde(rename = "good")]
    passed: bool,
    detail: String,
}

impl Check {
    pub(crate) fn new(name: impl Into<String>, passed: bool, detail: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            passed,
            detail: detail.into(),
        }
    }
}

/// Runs all checks.
pub(crate) async fn run(stack: &Stack, command: Doctor) -> CommandOutput {
    let mut all = checks::resources(stack).await;
    if !command.without_engines {
        let configured = command.pdfium.or_else(|| stack.pdfium.clone());
        all.extend(engines::checks(&engines::pdfium(configured)));
    }
    let success = all.iter().all(|check| check.passed);
    CommandOutput {
        json: json!({"good": success, "checks": all}),
        success,
    }
}
