//! What is known of all pages before they are written: counts, confidence and warnings.

use domain::operation::Languages;
use task::{TaskError, TaskResult, Warning};

use super::super::doubts;
use super::super::languages::PageText;
use super::super::ocr_page::{Page, words};
use super::Pages;

/// A summary of all pages.
pub(in super::super) struct Summary {
    /// The languages that OCR used.
    pub(in super::super) languages: Languages,
    /// Number of pages.
    pub(in super::super) count: usize,
    /// The recognized pages.
    recognized: Vec<PageText>,
    kept: Vec<u32>,
    failed: Vec<u32>,
    without_text: Vec<u32>,
    with_unread_rows: Vec<u32>,
}

impl Summary {
    /// Reads all pages, recognized with models of `languages`.
    ///
    /// # Errors
    /// [`TaskError::Document`] if recognition failed on every page.
    pub(in super::super) fn of(pages: &Pages, languages: Languages) -> TaskResult<Self> {
        let mut summary = Self {
            languages,
            count: 0,
            recognized: Vec::new(),
            kept: Vec::new(),
            failed: Vec::new(),
            without_text: Vec::new(),
            with_unread_rows: Vec::new(),
        };
        pages.each(|index, result| {
            summary.add(u32::try_from(index + 1).unwrap_or(u32::MAX), &result.page);
            Ok(())
        })?;
        match summary.count > 0 && summary.failed.len() == summary.count {
            true => Err(TaskError::input_corrupt()),
            false => Ok(summary),
        }
    }

    fn add(&mut self, number: u32, page: &Page) {
        self.count += 1;
        if page.has_failed {
            self.failed.push(number);
            return;
        }
        if !page.is_recognized {
            self.kept.push(number);
            return;
        }
        if page.is_blank() {
            self.without_text.push(number);
        }
        if page.has_unread_rows {
            self.with_unread_rows.push(number);
        }
        let words = words(&page.blocks);
        self.recognized
            .push(PageText::of(number, words, page.script, &self.languages));
    }

    /// Returns the number of pages that were not recognized.
    pub(in super::super) fn skipped(&self) -> usize {
        self.kept.len() + self.failed.len()
    }

    /// Returns the mean confidence of all recognized words.
    pub(in super::super) fn confidence(&self) -> Option<f64> {
        doubts::mean(self.recognized.iter())
    }

    /// Returns the warnings about the pages.
    pub(in super::super) fn warnings(&self) -> Vec<Warning> {
        let of = |pages: &[u32], warning: fn(Vec<u32>) -> Warning| {
            (!pages.is_empty()).then(|| warning(pages.to_vec()))
        };
        let warnings = [
            of(&self.failed, Warning::PagesFailed),
            of(&self.kept, Warning::ExistingTextKept),
            doubts::recognized(&self.recognized, &self.languages),
            of(&self.without_text, Warning::NoTextRecognized),
            of(&self.with_unread_rows, Warning::TextNotRecognized),
        ];
        let warnings = warnings.into_iter().flatten();
        warnings
            .chain(doubts::warnings(&self.recognized, &self.languages))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::ocr_page::{Block, Line, Rectangle, Word};
    use super::super::super::page_result::ContentChange;
    use super::super::super::page_result::PageResult;
    use super::*;

    fn summary(pages: Vec<Page>) -> TaskResult<Summary> {
        let result = |page| PageResult {
            page,
            content: ContentChange::Unchanged,
        };
        let pages = Pages::InMemory(pages.into_iter().map(result).collect());
        Summary::of(&pages, Languages::default())
    }

    fn failed() -> Page {
        Page {
            has_failed: true,
            ..Page::default()
        }
    }

    #[test]
    fn failed_kept_unread_and_uncertain_pages_are_reported() {
        let place = Rectangle::default();
        let mut block = Block::new(0, place);
        block.lines.push(Line {
            words: Vec::from_iter(Word::new("doubtful", place, Some(40.0))),
            ..Line::default()
        });
        let recognized = Page {
            is_recognized: true,
            ..Page::default()
        };
        let unread = Page {
            has_unread_rows: true,
            ..recognized.clone()
        };
        let uncertain = Page {
            blocks: vec![block],
            ..recognized.clone()
        };
        let pages = vec![Page::default(), recognized, unread, uncertain, failed()];
        let summary = summary(pages).unwrap();
        assert_eq!((summary.count, summary.skipped()), (5, 2));
        assert_eq!(summary.confidence(), Some(40.0));
        assert_eq!(
            summary.warnings(),
            [
                Warning::PagesFailed(vec![5]),
                Warning::ExistingTextKept(vec![1]),
                Warning::TextRecognized {
                    pages: vec![4],
                    confidence: 40,
                    languages: vec!["eng".to_owned()],
                    photographs: None,
                },
                Warning::NoTextRecognized(vec![2, 3]),
                Warning::TextNotRecognized(vec![3]),
                Warning::LowConfidence {
                    mean: 40,
                    pages: vec![(4, 40)],
                },
            ]
        );
    }

    #[test]
    fn a_document_of_failed_pages_is_rejected() {
        assert!(summary(vec![failed(), failed()]).is_err());
        assert!(summary(vec![failed(), Page::default()]).is_ok());
    }
}
