//! The languages of a document: those requested, or those detected on samples of its pages.

mod detector;
mod identify;
mod mismatch;
mod page_text;

use std::path::Path;

use domain::operation::{LANGUAGES, Languages, Script};
use task::{Task, TaskError, TaskResult};

use self::detector::Detector;
pub(super) use self::page_text::PageText;
use super::picture::Picture;
use super::pool::Pool;
use super::tesseract::Tesseract;

/// Maximum number of pages on which languages are detected.
const MAX_SAMPLES: usize = 3;
/// Maximum number of languages that are detected.
const MAX_DETECTED: usize = 3;

/// Tesseract with its models, and the languages that the request names.
pub(super) struct Recognition<'a> {
    tesseract: &'a Tesseract,
    models: &'a Path,
    requested: Option<&'a Languages>,
}

impl<'a> Recognition<'a> {
    pub(super) fn new(
        task: &'a Task,
        tesseract: &'a Tesseract,
        requested: Option<&'a Languages>,
    ) -> Self {
        Self {
            tesseract,
            models: task.models.as_deref().unwrap_or(Path::new("")),
            requested,
        }
    }

    /// Returns the requested languages; otherwise those of some of `count` pages, which `picture` returns by their index among
    /// them, else English. Pages that cannot be rendered or read are left out.
    pub(super) fn languages(
        &self,
        count: usize,
        mut picture: impl FnMut(usize) -> TaskResult<Picture>,
    ) -> TaskResult<Languages> {
        if let Some(requested) = self.requested {
            return Ok(requested.clone());
        }
        let mut detector = Detector::new(self.tesseract, self.models);
        let mut found: Vec<&str> = Vec::new();
        for index in samples(count) {
            match picture(index).and_then(|sample| detector.detect(&sample)) {
                Ok(code) => found.extend(code.filter(|code| !found.contains(code))),
                // A page that cannot be read fails when it is recognized.
                Err(TaskError::Document(_)) => {}
                Err(error) => return Err(error),
            }
        }
        found.truncate(MAX_DETECTED);
        Ok(Languages::try_from(found.join("+")).unwrap_or_default())
    }

    /// Returns a pool of workers that load the models of `languages`, joined by `+`; `with_rules` enables the detection of
    /// rules and photographs.
    pub(super) fn pool(&self, languages: &'a str, with_rules: bool) -> Pool<'a> {
        Pool {
            tesseract: self.tesseract,
            models: self.models,
            languages,
            with_rules,
            watchdog: None,
        }
    }
}

/// Returns the indices of the first page, the last one and one between them.
fn samples(count: usize) -> impl Iterator<Item = usize> {
    let last = count.saturating_sub(1);
    let mut samples = vec![0, last / 2, last];
    samples.dedup();
    samples.truncate(count.min(MAX_SAMPLES));
    samples.into_iter()
}

/// Returns the Tesseract models to load. The models of Cyrillic and Thai are sure of Latin letters and digits that they misread
/// (of a Russian page, 15.9 % wrong characters alone, 0.7 % with English), so English is added.
pub(super) fn model_names(languages: &Languages) -> String {
    let misreads = |script| matches!(script, Script::Cyrillic | Script::Thai);
    let all = languages.as_str();
    match languages.rows().all(|row| misreads(row.script)) {
        true => format!("{all}+eng"),
        false => all.to_owned(),
    }
}

/// Returns the models to try first for a script.
fn first_models(script: Script) -> Vec<&'static str> {
    match script {
        Script::Latin => vec!["eng"],
        Script::Cyrillic => vec!["rus"],
        Script::Bengali => vec!["ben"],
        Script::Han | Script::Japanese => vec!["chi_sim", "chi_tra", "jpn"],
        _ => {
            let first = LANGUAGES.iter().find(|row| row.script == script);
            first.map(|row| row.code).into_iter().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cyrillic_and_thai_models_are_combined_with_english() {
        for (requested, models) in [
            ("rus", "rus+eng"),
            ("rus+ukr", "rus+ukr+eng"),
            ("tha", "tha+eng"),
            ("rus+deu", "rus+deu"),
            ("deu", "deu"),
        ] {
            let languages = Languages::try_from(requested.to_owned()).unwrap();
            assert_eq!(model_names(&languages), models);
        }
    }

    #[test]
    fn at_most_three_pages_are_samples() {
        let samples = |count| samples(count).collect::<Vec<_>>();
        assert_eq!(samples(0), Vec::<usize>::new());
        assert_eq!(samples(1), [0]);
        assert_eq!(samples(2), [0, 1]);
        assert_eq!(samples(100), [0, 49, 99]);
    }
}
