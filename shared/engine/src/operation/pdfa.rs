//! Operation `pdfa`: Ghostscript writes PDF/A, between two steps of [`pdf::pdf_a`].
//!
//! Ghostscript is a separate program because of its license (AGPL). It embeds fonts, converts colors to sRGB and leaves out what
//! the standard forbids.

use std::path::Path;

use domain::format::Format;
use domain::job::{JobError, JobErrorCode};
use domain::operation::Operation;
use pdf::pdf_a::{self, ARGUMENTS, CONVERTED};
use sandbox::{FinishedChild, Outcome, Work};
use task::engine_versions;
use task::file::is_regular;

use super::{Module, Program, Run};
use crate::error::EngineError;
use crate::installed::Installed;
use crate::outcome::crashed;

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| matches!(operation, Operation::Pdfa(_)) && from == Format::Pdf,
    inspect: inspect::pdf,
    run: Run::Program(Program {
        stage: pdf_a::prepare,
        work,
        check,
        finish: pdf_a::finish,
    }),
    verify: verify::archivable,
    fingerprint: |installed, _| {
        let ghostscript = installed.ghostscript.as_ref();
        let ghostscript = ghostscript.map_or("", |found| found.fingerprint.as_str());
        let (qpdf, lopdf) = (engine_versions::QPDF, engine_versions::LOPDF);
        format!("{ghostscript} {qpdf} {lopdf}")
    },
};

fn work(installed: &Installed, directory: &Path) -> Result<Work, EngineError> {
    let missing = || EngineError::Service("Ghostscript was not discovered".to_owned());
    let ghostscript = installed.ghostscript.as_ref().ok_or_else(missing)?;
    Ok(Work::Program {
        executable: ghostscript.program.clone(),
        args: vec![format!("@{}", directory.join(ARGUMENTS).display())],
        env: Vec::new(),
    })
}

fn check(directory: &Path, finished: &FinishedChild) -> Result<(), EngineError> {
    match finished.outcome {
        Outcome::Exited { code: 0, .. } if is_regular(&directory.join(CONVERTED)) => Ok(()),
        Outcome::Exited { .. } => Err(EngineError::Document(JobError::new(
            JobErrorCode::InputCorrupt,
            "The document is damaged and cannot be converted to PDF/A.",
        ))),
        _ => Err(crashed()),
    }
}
