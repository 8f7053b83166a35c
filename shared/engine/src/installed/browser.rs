//! Finds Chromium.

use std::path::PathBuf;

use super::{Fingerprint, font_set, version_of};
use crate::error::EngineError;

/// Where distribution packages install the executable itself, not the shell script that starts it.
const BROWSER: [&str; 3] = [
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib/chromium/headless_shell",
    "/opt/chromium/chromium-headless-shell",
];

/// An installed Chromium.
#[derive(Clone, Debug)]
pub(crate) struct Browser {
    /// Path of the executable.
    pub(crate) program: PathBuf,
    /// Version and hash of the font set.
    pub(crate) fingerprint: Fingerprint,
}

impl Browser {
    /// Finds Chromium.
    pub(crate) fn find() -> Result<Self, EngineError> {
        let program = BROWSER.iter().map(PathBuf::from).find(|path| path.exists());
        let program = program.ok_or_else(|| {
            EngineError::Service(
                "Chromium is not installed (no chromium-headless-shell)".to_owned(),
            )
        })?;
        let executable = program.clone();
        Ok(Self {
            program,
            fingerprint: Fingerprint::determine(move || {
                let version = version_of(&executable, &["--no-sandbox", "--version"])?;
                Ok(format!("chromium {version} fonts:{}", font_set("")))
            }),
        })
    }
}
