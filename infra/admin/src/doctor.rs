//! `doctor`: is everything there that jobs need?

mod checks;
mod engines;

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::json;

use crate::Answer;
use crate::stack::Stack;

#[derive(Args)]
pub(crate) struct Doctor {
    /// The PDFium library that processors load; without this, `lib/libpdfium.so` beside the stack file.
    #[arg(long, env = "PDFIUM_LIBRARY")]
    pdfium: Option<PathBuf>,
    /// Does not look for engines on this machine: for a stack in AWS, whose images hold them.
    #[arg(long)]
    without_engines: bool,
}

/// One thing looked at.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Check {
    name: String,
    good: bool,
    detail: String,
}

impl Check {
    pub(crate) fn new(name: impl Into<String>, good: bool, detail: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            good,
            detail: detail.into(),
        }
    }
}

/// Looks at the stack whose stack file lies in `directory`.
pub(crate) async fn run(stack: &Stack, directory: &Path, command: Doctor) -> Answer {
    let mut all = checks::resources(stack).await;
    if !command.without_engines {
        let beside = || directory.join("lib/libpdfium.so");
        all.extend(engines::checks(&command.pdfium.unwrap_or_else(beside)));
    }
    let good = all.iter().all(|check| check.good);
    Answer {
        json: json!({"good": good, "checks": all}),
        good,
    }
}
