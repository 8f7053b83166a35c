//! Finds the engines installed on this machine, and their versions.

mod browser;
mod fingerprint;
mod ghostscript;
mod heif;
mod models;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use domain::key::hex;
use imaging::glyphs::FONTS;
use office::Zygote;
use sandbox::Launcher;
use sha2::{Digest as _, Sha256};
use task::file::size_and_sha256;

pub(crate) use self::browser::Browser;
pub(crate) use self::fingerprint::Fingerprint;
pub(crate) use self::ghostscript::Ghostscript;
pub(crate) use self::heif::Heif;
pub(crate) use self::models::Models;
use crate::error::EngineError;

/// Oldest supported LibreOffice: earlier releases convert noticeably worse.
const OLDEST_OFFICE: (u32, u32) = (24, 8);
/// Where distribution packages install LibreOffice.
const OFFICE: [&str; 4] = [
    "/usr/lib/libreoffice/program/soffice",
    "/opt/libreoffice/program/soffice",
    "/usr/lib64/libreoffice/program/soffice",
    "/usr/bin/soffice",
];

/// The installed engines; others are linked in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Installed {
    /// LibreOffice.
    pub(crate) office: Option<Office>,
    /// PDFium.
    pub(crate) pdfium: Option<Pdfium>,
    /// Tesseract, for text recognition.
    pub(crate) tesseract: Option<Models>,
    /// Chromium, for web pages.
    pub(crate) browser: Option<Browser>,
    /// libheif, for HEIC.
    pub(crate) heif: Option<Heif>,
    /// Ghostscript, for PDF/A.
    pub(crate) ghostscript: Option<Ghostscript>,
}

/// LibreOffice.
#[derive(Clone, Debug)]
pub(crate) struct Office {
    /// Zygote from which a process is forked for each document.
    pub(crate) zygote: Arc<Zygote>,
    /// Version and hash of the font set.
    pub(crate) fingerprint: Fingerprint,
}

/// PDFium.
#[derive(Clone, Debug)]
pub(crate) struct Pdfium {
    /// Path of the shared library.
    pub(crate) library: PathBuf,
    /// Prefix of the file's hash, because PDFium does not expose its version.
    pub(crate) fingerprint: Fingerprint,
}

impl Installed {
    /// Waits until the versions of all engines are known.
    ///
    /// # Errors
    /// [`EngineError::Service`] that names an engine that is outdated or does not work.
    pub(crate) fn check(&self) -> Result<(), EngineError> {
        let Self {
            office,
            pdfium,
            tesseract: _,
            browser,
            heif,
            ghostscript,
        } = self;
        let office = office.as_ref().map(|office| &office.fingerprint);
        let pdfium = pdfium.as_ref().map(|pdfium| &pdfium.fingerprint);
        let browser = browser.as_ref().map(|browser| &browser.fingerprint);
        let heif = heif.as_ref().map(|heif| &heif.fingerprint);
        let ghostscript = ghostscript.as_ref().map(|gs| &gs.fingerprint);
        let fingerprints = [office, pdfium, browser, heif, ghostscript];
        let mut fingerprints = fingerprints.into_iter().flatten();
        fingerprints.try_for_each(|fingerprint| fingerprint.get().map(drop))
    }
}

impl Office {
    /// Finds LibreOffice. `launcher` starts the zygote.
    pub(crate) fn find(launcher: &Launcher) -> Result<Self, EngineError> {
        let program = OFFICE.iter().map(PathBuf::from).find(|path| path.exists());
        let program = program.ok_or_else(|| {
            EngineError::Service("LibreOffice is not installed (no soffice)".to_owned())
        })?;
        let unusable =
            |error| EngineError::service("the LibreOffice installation is incomplete", error);
        let program = program.canonicalize().map_err(unusable)?;
        let installation = program.parent().unwrap_or(Path::new("/"));
        let base = std::env::temp_dir();
        let zygote = Zygote::new(launcher.clone(), installation, &base);
        Ok(Self {
            zygote: Arc::new(zygote),
            fingerprint: Fingerprint::determine(move || office_fingerprint(&program)),
        })
    }
}

fn office_fingerprint(program: &Path) -> Result<String, EngineError> {
    let version = version_of(program, &["--version"])?;
    if !new_enough(&version) {
        let (year, month) = OLDEST_OFFICE;
        return Err(EngineError::Service(format!(
            "LibreOffice {version} is too old: {year}.{month} or newer is needed"
        )));
    }
    let fonts = font_set(&office::zygote::font_substitutes());
    Ok(format!("libreoffice {version} fonts:{fonts}"))
}

/// Runs a program with arguments that print its version, without a display or a profile, and returns the version.
fn version_of(program: &Path, arguments: &[&str]) -> Result<String, EngineError> {
    let name = program.display();
    let output = Command::new(program)
        .args(arguments)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .output()
        .map_err(|error| EngineError::service(&format!("{name} does not start"), error))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text
        .split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    version
        .map(str::to_owned)
        .ok_or_else(|| EngineError::Service(format!("{name} did not print its version")))
}

fn new_enough(version: &str) -> bool {
    let mut numbers = version.split('.').map_while(|part| part.parse().ok());
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    found >= OLDEST_OFFICE
}

/// Hashes the names and sizes of all fonts and the font substitution settings, because both change how pages look.
fn font_set(settings: &str) -> String {
    let mut fonts = Vec::new();
    let mut pending: Vec<PathBuf> = FONTS.iter().map(PathBuf::from).collect();
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            match std::fs::metadata(entry.path()) {
                Ok(found) if found.is_dir() => pending.push(entry.path()),
                Ok(found) => fonts.push((entry.file_name(), found.len())),
                Err(_) => {}
            }
        }
    }
    fonts.sort_unstable();
    let mut hash = Sha256::new_with_prefix(settings);
    for (name, length) in fonts {
        hash.update(name.as_encoded_bytes());
        hash.update(length.to_be_bytes());
    }
    short_hash(&hex(&hash.finalize())).to_owned()
}

impl Pdfium {
    /// Finds the library at `PDFIUM_LIBRARY`, else next to the executable.
    pub(crate) fn find() -> Result<Self, EngineError> {
        let named = std::env::var_os("PDFIUM_LIBRARY").map(PathBuf::from);
        let next_to_executable = || {
            let executable = std::env::current_exe().ok()?;
            Some(executable.parent()?.join("libpdfium.so"))
        };
        let library = named.or_else(next_to_executable).unwrap_or_default();
        let missing = |error| unreadable(&library, &error);
        std::fs::metadata(&library).map_err(missing)?;
        let hashed = library.clone();
        Ok(Self {
            library,
            fingerprint: Fingerprint::determine(move || {
                let (_, hash) =
                    size_and_sha256(&hashed).map_err(|error| unreadable(&hashed, &error))?;
                Ok(format!("pdfium {}", short_hash(&hash)))
            }),
        })
    }
}

fn unreadable(library: &Path, error: &std::io::Error) -> EngineError {
    let path = library.display();
    EngineError::Service(format!("libpdfium.so cannot be read at {path}: {error}"))
}

/// A hash prefix, long enough to distinguish versions.
fn short_hash(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        for (version, expected) in [
            ("24.8.0.3", true),
            ("25.2.3.2", true),
            ("24.2.7.2", false),
            ("7.4.7.2", false),
            ("26.8", true),
            ("", false),
        ] {
            assert_eq!(new_enough(version), expected, "{version}");
        }
    }
}
