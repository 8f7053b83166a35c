//! What is known of the text of a recognized page without its words.

use domain::operation::{Languages, Script};

use super::super::ocr_page::{Word, weighted_confidence};
use super::mismatch::other_language;

/// Confidence below which a number is reported as uncertain.
const UNCERTAIN_CONFIDENCE: f32 = 60.0;

/// A recognized page.
#[derive(Clone, Debug)]
pub(in super::super) struct PageText {
    pub(in super::super) number: u32,
    /// Sum of the confidence of its words, weighted by length, and sum of the weights.
    pub(in super::super) confidence: (f64, f64),
    /// Number of numerals with low confidence: a wrong digit is not apparent from the context.
    pub(in super::super) uncertain_numbers: u32,
    /// Its language, if that is certainly none of those that OCR used.
    pub(in super::super) other_language: Option<&'static str>,
}

impl PageText {
    /// Examines the words of a page that was recognized with models of `used`. `script` is the script that Tesseract detected
    /// because it could not read them.
    pub(in super::super) fn of<'a>(
        number: u32,
        words: impl Iterator<Item = &'a Word>,
        script: Option<Script>,
        used: &Languages,
    ) -> Self {
        let words: Vec<&Word> = words.collect();
        let (sum, count) = weighted_confidence(words.iter().copied());
        let uncertain = words
            .iter()
            .filter(|word| is_uncertain_number(word))
            .count();
        let other = (count > 0.0).then(|| other_language(&words, sum / count, script, used));
        Self {
            number,
            confidence: (sum, count),
            uncertain_numbers: u32::try_from(uncertain).unwrap_or(u32::MAX),
            other_language: other.flatten(),
        }
    }

    /// Whether it has words.
    pub(in super::super) fn has_words(&self) -> bool {
        self.confidence.1 > 0.0
    }
}

fn is_uncertain_number(word: &Word) -> bool {
    let digits = word.text.chars().filter(char::is_ascii_digit).count();
    let letters = word.text.chars().filter(|c| c.is_alphabetic()).count();
    digits > letters
        && word
            .confidence
            .is_some_and(|sure| sure < UNCERTAIN_CONFIDENCE)
}
