//! Finds the headers or footers of a page that no page before had, for formats that write each once.

use std::collections::HashMap;

use super::plain;
use crate::model::roman;
use crate::{Block, Content};

/// The headers, or the footers, of the pages so far. Headings count as headers: a running header repeats them.
#[derive(Default)]
pub(super) struct RunningText {
    /// Numbers of the known texts, by their text without numbers.
    known: HashMap<String, Vec<Numbers>>,
}

/// The numbers of a header and the number of its page.
struct Numbers {
    values: Vec<i64>,
    page: i64,
}

impl RunningText {
    /// Returns the blocks of a page's header that differ from all known ones by more than their page numbers, and remembers them.
    pub(super) fn new_of<'b>(&mut self, blocks: &'b [Block], page: u32) -> Vec<&'b Block> {
        let is_new = |block: &&Block| !self.is_known(block, page);
        let found: Vec<&Block> = blocks.iter().filter(is_new).collect();
        for block in &found {
            self.remember(block, page);
        }
        found
    }

    /// Remembers a heading.
    pub(super) fn remember_heading(&mut self, block: &Block, page: u32) {
        if matches!(block.content, Content::Heading { .. }) {
            self.remember(block, page);
        }
    }

    fn is_known(&self, block: &Block, page: u32) -> bool {
        let (text, numbers) = parts(block, page);
        let is_like = |known: &Numbers| {
            let pairs = known.values.iter().zip(&numbers.values);
            let moved = numbers.page - known.page;
            known.values.len() == numbers.values.len()
                && pairs
                    .into_iter()
                    .all(|(before, now)| before == now || *before + moved == *now)
        };
        let has_numbers = !text.is_empty() && !numbers.values.is_empty();
        let known = self.known.get(&text);
        known.is_some_and(|known| !has_numbers || known.iter().any(is_like))
    }

    fn remember(&mut self, block: &Block, page: u32) {
        let (text, numbers) = parts(block, page);
        self.known.entry(text).or_default().push(numbers);
    }
}

/// Returns the words of a block without numbers, and its Arabic and Roman numbers.
fn parts(block: &Block, page: u32) -> (String, Numbers) {
    let mut text = String::new();
    let mut values = Vec::new();
    if let Content::Image { .. } = block.content {
        text.push('\u{fffc}');
    }
    for word in words(&plain::of_block(block)) {
        match value(word) {
            Some(value) => values.push(value),
            None if word.starts_with(char::is_alphabetic) => text.push_str(&word.to_lowercase()),
            None => {}
        }
    }
    let page = i64::from(page);
    (text, Numbers { values, page })
}

/// Divides a text where digits, letters and other characters meet.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let kind = |c: char| (c.is_ascii_digit(), c.is_alphabetic());
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = kind(rest.chars().next()?);
        let end = rest.find(|c| kind(c) != first).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

/// Maximum number of digits of a number; longer ones are text.
const MAX_DIGITS: usize = 15;

fn value(word: &str) -> Option<i64> {
    match word.len() <= MAX_DIGITS {
        true => word
            .parse()
            .ok()
            .or_else(|| roman::value(&word.to_lowercase()).map(i64::from)),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alignment, Run, Style};

    fn block(text: &str) -> Block {
        let run = Run {
            text: text.to_owned(),
            style: Style::default(),
            link: None,
        };
        Block::from(Content::Paragraph {
            runs: vec![run],
            alignment: Alignment::Start,
            continues: false,
            preformatted: false,
        })
    }

    /// Returns the new headers of pages with these numbers and headers.
    fn new_of(pages: &[(u32, &str)]) -> Vec<u32> {
        let mut headers = RunningText::default();
        let is_new =
            |(page, text): &&(u32, &str)| !headers.new_of(&[block(text)], *page).is_empty();
        pages.iter().filter(is_new).map(|(page, _)| *page).collect()
    }

    #[test]
    fn each_text_is_new_once() {
        let pages = [(1, "Report"), (2, "Methods"), (3, "Report"), (4, "Methods")];
        assert_eq!(new_of(&pages), [1, 2]);
    }

    #[test]
    fn page_numbers_make_no_header_new() {
        assert_eq!(
            new_of(&[(1, "Page 1 of 9"), (2, "Page 2 of 9"), (7, "Page 7 of 9")]),
            [1]
        );
        assert_eq!(new_of(&[(5, "v Preface"), (6, "vi Preface")]), [5]);
        assert_eq!(new_of(&[(1, "i"), (9, "1"), (10, "2")]), [1]);
    }

    #[test]
    fn other_numbers_make_a_header_new() {
        let pages = [(1, "Article 823"), (2, "Article 823"), (3, "Article 826")];
        assert_eq!(new_of(&pages), [1, 3]);
    }

    #[test]
    fn headers_that_repeat_a_heading_are_known() {
        let mut headers = RunningText::default();
        let mut heading = block("2. Methods");
        if let Content::Paragraph { runs, .. } = &heading.content {
            heading.content = Content::Heading {
                level: 1,
                runs: runs.clone(),
                alignment: Alignment::Start,
            };
        }
        headers.remember_heading(&heading, 4);
        assert!(
            headers
                .new_of(&[block("Methods"), block("2 METHODS")], 5)
                .is_empty()
        );
        assert!(!headers.new_of(&[block("3 Results")], 6).is_empty());
    }
}
