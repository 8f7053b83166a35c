//! Warnings about pages that OCR is not sure of.

use domain::operation::Languages;
use task::Warning;

use super::languages::{PageText, mismatches};
use super::ocr_page::{Word, confidence};

/// Mean confidence of a page, in percent, below which it is reported.
const LOW_CONFIDENCE: f64 = 70.0;
/// Confidence below which a number is reported as uncertain.
const UNCERTAIN_CONFIDENCE: f32 = 60.0;

/// Returns the warnings about pages that were recognized with models of `languages`.
pub(super) fn warnings(pages: &[PageText<'_>], languages: &Languages) -> Vec<Warning> {
    let (count, uncertain) = uncertain_numbers(pages);
    let warnings = [
        low_confidence(pages),
        (count > 0).then_some(Warning::UncertainNumbers(count, uncertain)),
    ];
    let warnings = warnings.into_iter().flatten();
    warnings.chain(mismatches(pages, languages)).collect()
}

/// Returns the warning that pages with words were recognized with models of `languages`.
pub(super) fn recognized(pages: &[PageText<'_>], languages: &Languages) -> Option<Warning> {
    let with_words = || pages.iter().filter(|page| !page.words.is_empty());
    Some(Warning::TextRecognized {
        confidence: percent(with_words())?,
        pages: with_words().map(|page| page.number).collect(),
        languages: languages.codes().map(str::to_owned).collect(),
        photographs: None,
    })
}

/// Returns the mean confidence of pages in percent; `None` without words.
pub(super) fn percent<'a, 'b: 'a>(pages: impl Iterator<Item = &'a PageText<'b>>) -> Option<u8> {
    let mean = confidence(pages.flat_map(|page| page.words.iter().copied()))?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to 100"
    )]
    let percent = mean.round() as u8;
    Some(percent)
}

/// Returns the confidence of the pages on which it is low, and their mean.
fn low_confidence(pages: &[PageText<'_>]) -> Option<Warning> {
    let is_low = |page: &&PageText<'_>| {
        let mean = confidence(page.words.iter().copied());
        mean.is_some_and(|mean| mean < LOW_CONFIDENCE)
    };
    let low = || pages.iter().filter(is_low);
    let of_page = |page: &PageText<'_>| Some((page.number, percent(std::iter::once(page))?));
    Some(Warning::LowConfidence {
        mean: percent(low())?,
        pages: low().filter_map(of_page).collect(),
    })
}

/// Returns the number of uncertain numbers and their pages: a wrong digit is not apparent from the context.
fn uncertain_numbers(pages: &[PageText<'_>]) -> (u32, Vec<u32>) {
    let is_uncertain = |word: &&&Word| {
        let digits = word.text.chars().filter(char::is_ascii_digit).count();
        let letters = word.text.chars().filter(|c| c.is_alphabetic()).count();
        digits > letters
            && word
                .confidence
                .is_some_and(|sure| sure < UNCERTAIN_CONFIDENCE)
    };
    let counts = pages.iter().map(|page| {
        let count = page.words.iter().filter(is_uncertain).count();
        (u32::try_from(count).unwrap_or(u32::MAX), page.number)
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
        let none = Vec::new();
        let pages = [(4, &some), (5, &none), (6, &sure)].map(|(number, words)| PageText {
            number,
            words: words.iter().collect(),
            script: None,
        });
        assert_eq!(
            warnings(&pages, &Languages::default()),
            [
                Warning::LowConfidence {
                    mean: 63,
                    pages: vec![(4, 63)],
                },
                Warning::UncertainNumbers(2, vec![4])
            ]
        );
    }
}
