//! Tesseract and its models.

use std::path::{Path, PathBuf};

use domain::key::hex;
use domain::operation::LANGUAGES;
use ocr::Tesseract;
use sha2::{Digest as _, Sha256};

use super::beginning;
use crate::error::EngineError;

/// Tesseract and its models.
#[derive(Clone, Debug)]
pub(crate) struct Models {
    /// Where the models lie.
    pub(crate) directory: PathBuf,
    /// The version, and the set of models.
    pub(crate) fingerprint: String,
}

/// Where packages put models.
const MODELS: [&str; 4] = [
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata",
    "/usr/local/share/tessdata",
];

impl Models {
    /// Loads the library once to ask for its version, and looks for a model of every language: where `TESSDATA_PREFIX`
    /// says, else where packages put them.
    pub(crate) fn find() -> Result<Self, EngineError> {
        let version = Tesseract::load().map_err(EngineError::Service)?.version();
        let named = std::env::var_os("TESSDATA_PREFIX").map(PathBuf::from);
        let packaged = || MODELS.iter().map(PathBuf::from).find(|path| path.is_dir());
        let directory = named.or_else(packaged).unwrap_or_default();
        let models = models_in(&directory)?;
        Ok(Self {
            directory,
            fingerprint: format!("tesseract {version} models:{models}"),
        })
    }
}

/// The files that recognition needs: a model a language, that of orientations, and the font of invisible text.
fn wanted() -> impl Iterator<Item = String> {
    let codes = LANGUAGES
        .iter()
        .map(|language| language.code)
        .chain(["osd"]);
    let models = codes.map(|code| format!("{code}.traineddata"));
    models.chain(["pdf.ttf".to_owned()])
}

/// A hash over names and sizes of all models, since others read otherwise.
fn models_in(directory: &Path) -> Result<String, EngineError> {
    let mut hash = Sha256::new();
    for name in wanted() {
        let found = std::fs::metadata(directory.join(&name)).map_err(|error| {
            let path = directory.join(&name);
            EngineError::Service(format!("Tesseract lacks {}: {error}", path.display()))
        })?;
        hash.update(name.as_bytes());
        hash.update(found.len().to_be_bytes());
    }
    Ok(beginning(&hex(&hash.finalize())).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_model_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let wanted: Vec<String> = wanted().collect();
        for name in &wanted {
            std::fs::write(directory.path().join(name), name).unwrap();
        }
        let whole = models_in(directory.path()).unwrap();
        std::fs::write(directory.path().join("jpn.traineddata"), "another").unwrap();
        assert_ne!(models_in(directory.path()), Ok(whole));
        std::fs::remove_file(directory.path().join("jpn.traineddata")).unwrap();
        let error = models_in(directory.path()).unwrap_err().to_string();
        assert!(error.contains("jpn.traineddata"), "{error}");
        assert!(wanted.contains(&"osd.traineddata".to_owned()));
    }
}
