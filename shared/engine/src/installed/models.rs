//! Finds Tesseract and its models.

use std::path::{Path, PathBuf};

use domain::key::hex;
use domain::operation::LANGUAGES;
use ocr::Tesseract;
use sha2::{Digest as _, Sha256};

use super::short_hash;
use crate::error::EngineError;

/// The installed Tesseract models.
#[derive(Clone, Debug)]
pub(crate) struct Models {
    /// Directory of the models.
    pub(crate) directory: PathBuf,
    /// Tesseract's version and a hash of the models.
    pub(crate) fingerprint: String,
}

/// Where distribution packages install models.
const MODELS: [&str; 4] = [
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
];

impl Models {
    /// Loads the library once for its version, and requires a model of every language at `TESSDATA_PREFIX`, else where
    /// distribution packages install them.
    pub(crate) fn find() -> Result<Self, EngineError> {
        let version = Tesseract::load().map_err(EngineError::Service)?.version();
        let named = std::env::var_os("TESSDATA_PREFIX").map(PathBuf::from);
        let packaged = || MODELS.iter().map(PathBuf::from).find(|path| path.is_dir());
        let directory = named.or_else(packaged).unwrap_or_default();
        let models = hash_models(&directory)?;
        Ok(Self {
            directory,
            fingerprint: format!("tesseract {version} models:{models}"),
        })
    }
}

/// The required files: one model for each language, the model for orientation detection, and the font of invisible text.
fn required_files() -> impl Iterator<Item = String> {
    let codes = LANGUAGES
        .iter()
        .map(|language| language.code)
        .chain(["osd"]);
    let models = codes.map(|code| format!("{code}.traineddata"));
    models.chain(["pdf.ttf".to_owned()])
}

/// Hashes the names and sizes of all models, because other models recognize text differently.
fn hash_models(directory: &Path) -> Result<String, EngineError> {
    let mut hash = Sha256::new();
    for name in required_files() {
        let found = std::fs::metadata(directory.join(&name)).map_err(|error| {
            let path = directory.join(&name);
            EngineError::Service(format!(
                "Tesseract model {} cannot be read: {error}",
                path.display()
            ))
        })?;
        hash.update(name.as_bytes());
        hash.update(found.len().to_be_bytes());
    }
    Ok(short_hash(&hex(&hash.finalize())).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_model_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let required_files: Vec<String> = required_files().collect();
        for name in &required_files {
            std::fs::write(directory.path().join(name), name).unwrap();
        }
        let complete = hash_models(directory.path()).unwrap();
        std::fs::write(directory.path().join("jpn.traineddata"), "another").unwrap();
        assert_ne!(hash_models(directory.path()), Ok(complete));
        std::fs::remove_file(directory.path().join("jpn.traineddata")).unwrap();
        let error = hash_models(directory.path()).unwrap_err().to_string();
        assert!(error.contains("jpn.traineddata"), "{error}");
        assert!(required_files.contains(&"osd.traineddata".to_owned()));
    }
}
