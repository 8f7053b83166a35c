//! The browser that prints pages.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::font_set;
use crate::error::EngineError;

/// Where packages put it: the program itself, not the script that starts it.
const BROWSER: [&str; 3] = [
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib/chromium/headless_shell",
    "/opt/chromium/chromium-headless-shell",
];

/// The browser.
#[derive(Clone, Debug)]
pub(crate) struct Browser {
    /// Its program.
    pub(crate) program: PathBuf,
    /// Its version and the font set.
    pub(crate) fingerprint: String,
}

impl Browser {
    /// Finds it and asks for its version.
    pub(crate) fn find() -> Result<Self, EngineError> {
        let program = BROWSER.iter().map(PathBuf::from).find(|path| path.exists());
        let program = program.ok_or_else(|| {
            EngineError::Service(
                "Chromium is not installed (no chromium-headless-shell)".to_owned(),
            )
        })?;
        let version = version_of(&program)?;
        Ok(Self {
            program,
            fingerprint: format!("chromium {version} fonts:{}", font_set()),
        })
    }
}

fn version_of(program: &Path) -> Result<String, EngineError> {
    let answer = Command::new(program)
        .args(["--no-sandbox", "--version"])
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .output()
        .map_err(|error| EngineError::service("Chromium does not start", error))?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let version = text
        .split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    version
        .map(str::to_owned)
        .ok_or_else(|| EngineError::Service("Chromium does not tell its version".to_owned()))
}
