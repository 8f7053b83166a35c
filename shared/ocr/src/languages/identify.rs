//! Identifies the language of a text by its characters and trigrams.

use domain::operation::{LANGUAGES, Language, Script};
use whatlang::{Detector, Lang};

/// Minimum number of letters of a text.
const MIN_LETTERS: usize = 60;
/// Minimum confidence, from 0 to 1.
const MIN_CONFIDENCE: f64 = 0.8;

/// Returns the language of a text; `None` if it is short or ambiguous. With a script, only its languages are considered.
pub(super) fn identify(text: &str, script: Option<Script>) -> Option<&'static Language> {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if letters < MIN_LETTERS {
        return None;
    }
    let is_wanted = |lang: &Lang| {
        let row = language(*lang);
        row.is_some_and(|row| script.is_none_or(|script| row.script == script))
    };
    let wanted = Lang::all().iter().copied().filter(is_wanted).collect();
    let found = Detector::with_allowlist(wanted).detect(text)?;
    (found.confidence() >= MIN_CONFIDENCE)
        .then(|| language(found.lang()))
        .flatten()
}

/// Returns the OCR language of an ISO 639-3 language.
fn language(lang: Lang) -> Option<&'static Language> {
    let code = match lang {
        Lang::Cmn => "chi_sim",
        Lang::Nob => "nor",
        Lang::Pes => "fas",
        Lang::Tgl => "fil",
        other => other.code(),
    };
    LANGUAGES.iter().find(|row| row.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_of_one_language_are_identified() {
        let german = "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft begabt.";
        let code = |text, script| identify(text, script).map(|row| row.code);
        assert_eq!(code(german, None), Some("deu"));
        assert_eq!(code(german, Some(Script::Latin)), Some("deu"));
        assert_eq!(code("Alle Menschen", None), None);
        let persian = "تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند همه دارای عقل و وجدان هستند";
        assert_eq!(code(persian, None), Some("fas"));
    }
}
