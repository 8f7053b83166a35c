//! Warnings about words that OCR is not sure of.

use std::collections::BTreeMap;

use task::Warning;

use super::ocr_page::{Word, confidence};

/// Mean confidence of a page, in percent, below which it is reported.
const LOW_CONFIDENCE: f64 = 70.0;
/// Confidence below which a number is reported as uncertain.
const UNCERTAIN_CONFIDENCE: f32 = 60.0;

/// Returns the warnings about the recognized words of each page.
pub(super) fn warnings(pages: &BTreeMap<u32, Vec<&Word>>) -> Vec<Warning> {
    let (count, uncertain) = uncertain_numbers(pages);
    let warnings = [
        low_confidence(pages),
        (count > 0).then_some(Warning::UncertainNumbers(count, uncertain)),
    ];
    warnings.into_iter().flatten().collect()
}

/// Returns the mean confidence of the pages on which it is low.
fn low_confidence(pages: &BTreeMap<u32, Vec<&Word>>) -> Option<Warning> {
    let is_low = |words: &&Vec<&Word>| {
        let mean = confidence(words.iter().copied());
        mean.is_some_and(|mean| mean < LOW_CONFIDENCE)
    };
    let low = || pages.iter().filter(|(_, words)| is_low(words));
    let mean = confidence(low().flat_map(|(_, words)| words.iter().copied()))?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to 100"
    )]
    let percent = mean.round() as u8;
    Some(Warning::LowConfidence(
        percent,
        low().map(|(number, _)| *number).collect(),
    ))
}

/// Returns the number of uncertain numbers and their pages: a wrong digit is not apparent from the context.
fn uncertain_numbers(pages: &BTreeMap<u32, Vec<&Word>>) -> (u32, Vec<u32>) {
    let is_uncertain = |word: &&&Word| {
        let digits = word.text.chars().filter(char::is_ascii_digit).count();
        let letters = word.text.chars().filter(|c| c.is_alphabetic()).count();
        digits > letters
            && word
                .confidence
                .is_some_and(|sure| sure < UNCERTAIN_CONFIDENCE)
    };
    let counts = pages.iter().map(|(number, words)| {
        let count = words.iter().filter(is_uncertain).count();
        (u32::try_from(count).unwrap_or(u32::MAX), *number)
    });
    let counts: Vec<(u32, u32)> = counts.filter(|(count, _)| *count > 0).collect();
    (
        counts.iter().map(|(count, _)| count).sum(),
        counts.into_iter().map(|(_, number)| number).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::ocr_page::Rectangle;
    use super::*;

    #[test]
    fn pages_and_numbers_with_low_confidence_are_reported() {
        let said = [
            ("12.50", 40.0),
            ("98", 80.0),
            ("Total", 75.0),
            ("3a", 75.0),
            ("7", 59.0),
        ];
        let words = |said: &[(&str, f32)]| -> Vec<Word> {
            let words = said.iter();
            words
                .filter_map(|(text, sure)| Word::new(text, Rectangle::default(), Some(*sure)))
                .collect()
        };
        let (some, sure) = (words(&said), words(&[("certain", 96.0)]));
        let pages = BTreeMap::from([
            (4, some.iter().collect()),
            (5, Vec::new()),
            (6, sure.iter().collect()),
        ]);
        assert_eq!(
            warnings(&pages),
            [
                Warning::LowConfidence(63, vec![4]),
                Warning::UncertainNumbers(2, vec![4])
            ]
        );
    }
}
