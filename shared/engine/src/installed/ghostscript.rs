//! Finds Ghostscript, which converts PDF to PDF/A.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Fingerprint;
use crate::error::EngineError;

/// Where distribution packages install it.
const PROGRAM: &str = "/usr/bin/gs";

/// An installed Ghostscript.
#[derive(Clone, Debug)]
pub(crate) struct Ghostscript {
    /// Path of the executable.
    pub(crate) program: PathBuf,
    /// Version.
    pub(crate) fingerprint: Fingerprint,
}

impl Ghostscript {
    /// Finds the program.
    pub(crate) fn find() -> Result<Self, EngineError> {
        let program = PathBuf::from(PROGRAM);
        if !program.exists() {
            return Err(EngineError::Service(
                "Ghostscript is not installed (no /usr/bin/gs)".to_owned(),
            ));
        }
        let executable = program.clone();
        Ok(Self {
            program,
            fingerprint: Fingerprint::determine(move || fingerprint(&executable)),
        })
    }
}

fn fingerprint(program: &Path) -> Result<String, EngineError> {
    let failed = |error| EngineError::service("Ghostscript does not start", error);
    let mut command = Command::new(program);
    let output = command.arg("--version").env_clear().output();
    let version = output.map_err(failed)?.stdout;
    Ok(format!(
        "ghostscript {}",
        String::from_utf8_lossy(&version).trim()
    ))
}
