//! `doctor`: is everything there that jobs need?

mod checks;
mod engines;

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::json;

use crate::Answer;
use crate::stack::Stack;

#[derive(Args)]
pub(crate) struct Doctor {
    /// The PDFium library to look at; without this, the one that the stack file names, else the one beside this
    /// program, where an engine looks for it, too.
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

/// Looks at the stack.
pub(crate) async fn run(stack: &Stack, command: Doctor) -> Answer {
    let mut all = checks::resources(stack).await;
    if !command.without_engines {
        let named = command.pdfium.or_else(|| stack.pdfium.clone());
        all.extend(engines::checks(&engines::pdfium(named)));
    }
    let good = all.iter().all(|check| check.good);
    Answer {
        json: json!({"good": good, "checks": all}),
        good,
    }
}
