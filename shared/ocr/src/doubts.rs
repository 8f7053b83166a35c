//! Warnings about pages that OCR is not sure of.

use std::collections::BTreeMap;

use domain::operation::Languages;
use task::Warning;

use super::languages::PageText;

/// Mean confidence of a page, in percent, below which it is reported.
const LOW_CONFIDENCE: f64 = 70.0;

/// Returns the warnings about pages that were recognized with models of `languages`.
pub(super) fn warnings(pages: &[PageText], languages: &Languages) -> Vec<Warning> {
    let warnings = [low_confidence(pages), uncertain_numbers(pages)];
    let warnings = warnings.into_iter().flatten();
    warnings.chain(mismatches(pages, languages)).collect()
}

/// Returns the warning that pages with words were recognized with models of `languages`.
pub(super) fn recognized(pages: &[PageText], languages: &Languages) -> Option<Warning> {
    let with_words = pages.iter().filter(|page| page.has_words());
    Some(Warning::TextRecognized {
        confidence: percent(pages.iter())?,
        pages: with_words.map(|page| page.number).collect(),
        languages: languages.codes().map(str::to_owned).collect(),
        photographs: None,
    })
}

/// Returns the mean confidence of pages in percent; `None` without words.
pub(super) fn percent<'a>(pages: impl Iterator<Item = &'a PageText>) -> Option<u8> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to 100"
    )]
    let percent = mean(pages)?.round() as u8;
    Some(percent)
}

/// Returns the mean confidence of the words of pages, from 0 to 100; `None` without words.
pub(super) fn mean<'a>(pages: impl Iterator<Item = &'a PageText>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for page in pages {
        sum += page.confidence.0;
        count += page.confidence.1;
    }
    (count > 0.0).then(|| sum / count)
}

/// Returns the confidence of the pages on which it is low, and their mean.
fn low_confidence(pages: &[PageText]) -> Option<Warning> {
    let is_low =
        |page: &&PageText| mean(std::iter::once(*page)).is_some_and(|mean| mean < LOW_CONFIDENCE);
    let low = || pages.iter().filter(is_low);
    let of_page = |page: &PageText| Some((page.number, percent(std::iter::once(page))?));
    Some(Warning::LowConfidence {
        mean: percent(low())?,
        pages: low().filter_map(of_page).collect(),
    })
}

/// Returns the number of uncertain numbers and their pages.
fn uncertain_numbers(pages: &[PageText]) -> Option<Warning> {
    let uncertain = || pages.iter().filter(|page| page.uncertain_numbers > 0);
    let count = uncertain().map(|page| page.uncertain_numbers).sum();
    let numbers = uncertain().map(|page| page.number).collect();
    (count > 0).then_some(Warning::UncertainNumbers(count, numbers))
}

/// Returns a warning for each language of pages that is none of `used`.
fn mismatches(pages: &[PageText], used: &Languages) -> Vec<Warning> {
    let mut found: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for page in pages {
        if let Some(code) = page.other_language {
            found.entry(code).or_default().push(page.number);
        }
    }
    let used: Vec<String> = used.codes().map(str::to_owned).collect();
    let warning = |(code, pages): (&str, Vec<u32>)| Warning::LanguageMismatch {
        pages,
        detected: code.to_owned(),
        used: used.clone(),
    };
    found.into_iter().map(warning).collect()
}

#[cfg(test)]
mod tests {
    use domain::operation::Script;

    use super::super::ocr_page::{Rectangle, Word};
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
        let used = Languages::default();
        let pages = [(4, &some), (5, &none), (6, &sure)]
            .map(|(number, words)| PageText::of(number, words.iter(), None, &used));
        assert_eq!(
            warnings(&pages, &used),
            [
                Warning::LowConfidence {
                    mean: 63,
                    pages: vec![(4, 63)],
                },
                Warning::UncertainNumbers(2, vec![4])
            ]
        );
    }

    fn page(text: &str, confidence: f32) -> Vec<Word> {
        let words = text.split(' ');
        words
            .filter_map(|word| Word::new(word, Rectangle::default(), Some(confidence)))
            .collect()
    }

    #[test]
    fn pages_in_another_language_are_found() {
        let german = "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen \
                      begabt und sollen einander im Geiste der Brüderlichkeit begegnen. Jeder hat Anspruch auf die in dieser \
                      Erklärung verkündeten Rechte und Freiheiten ohne irgendeinen Unterschied.";
        let (readable, garbage) = (page(german, 92.0), page("PAaK3 bl Bcex", 30.0));
        let pages = [
            (1, &readable, None),
            (2, &garbage, Some(Script::Cyrillic)),
            (3, &garbage, None),
        ];
        let found = |used: &str| -> Vec<(String, Vec<u32>)> {
            let used = Languages::try_from(used.to_owned()).unwrap();
            let pages = pages
                .map(|(number, words, script)| PageText::of(number, words.iter(), script, &used));
            let warnings = mismatches(&pages, &used).into_iter();
            warnings
                .map(|warning| match warning {
                    Warning::LanguageMismatch {
                        pages, detected, ..
                    } => (detected, pages),
                    other => panic!("{other:?}"),
                })
                .collect()
        };
        assert_eq!(found("deu+rus"), []);
        assert_eq!(found("eng+rus"), [("deu".to_owned(), vec![1])]);
        assert_eq!(found("deu"), [("rus".to_owned(), vec![2])]);
    }
}
