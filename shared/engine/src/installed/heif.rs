//! Finds libheif's command-line decoder for HEIC.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Fingerprint;
use crate::error::EngineError;

/// Where distribution packages install it, under its newer and its older name.
const PROGRAMS: [&str; 2] = ["/usr/bin/heif-dec", "/usr/bin/heif-convert"];

/// An installed libheif decoder.
#[derive(Clone, Debug)]
pub(crate) struct Heif {
    /// Path of the executable.
    pub(crate) program: PathBuf,
    /// Version.
    pub(crate) fingerprint: Fingerprint,
}

impl Heif {
    /// Finds the decoder.
    pub(crate) fn find() -> Result<Self, EngineError> {
        let missing = || {
            EngineError::Service(
                "libheif is not installed (no heif-dec or heif-convert)".to_owned(),
            )
        };
        let mut programs = PROGRAMS.iter().map(PathBuf::from);
        let program = programs.find(|path| path.exists()).ok_or_else(missing)?;
        let executable = program.clone();
        Ok(Self {
            program,
            fingerprint: Fingerprint::determine(move || fingerprint(&executable)),
        })
    }
}

fn fingerprint(program: &Path) -> Result<String, EngineError> {
    let output = Command::new(program)
        .arg("--help")
        .env_clear()
        .output()
        .map_err(|error| EngineError::service("libheif does not start", error))?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    Ok(format!("libheif {}", version(&text)))
}

/// The version: the last word of the first line of the help text that contains `version`.
fn version(text: &str) -> &str {
    let line = text.lines().find(|line| line.contains("version"));
    let words = line.unwrap_or_default().split_whitespace();
    words.last().unwrap_or("of an unknown version")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_the_last_word_of_the_first_line() {
        let help = " heif-convert  libheif version: 1.15.1\n-----\nUsage: heif-convert\n";
        assert_eq!(version(help), "1.15.1");
        assert_eq!(version("Usage"), "of an unknown version");
    }
}
