//! Splits a document into chunks for retrieval and language models: Markdown text of one section, bounded in size.

mod split;
mod tokens;

use serde::Serialize;

use self::split::parts;
use self::tokens::tokens_of;
use super::{Metadata, NoPictures, Result, markdown};
use crate::{Block, Content, Page, plain};

/// A part of the text of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Chunk {
    /// Text as Markdown, with the headings that precede it directly.
    text: String,
    /// Estimated number of tokens.
    tokens: usize,
    /// Numbers of the pages that it comes from.
    pages: Vec<u32>,
    /// The headings above the text, outermost first.
    headings: Vec<String>,
}

/// Splits pages into chunks. It holds one chunk and one page.
pub(super) struct Chunker {
    max_tokens: usize,
    /// Level and text of the open headings, outermost first.
    headings: Vec<(u8, String)>,
    /// The open chunk: pages that contain its blocks only.
    open: Vec<Page>,
    tokens: usize,
    /// Whether the open chunk has anything but headings.
    has_text: bool,
}

impl Chunker {
    /// Chunks have at most `max_tokens` tokens, unless a single row of a table has more.
    pub(super) fn new(max_tokens: usize) -> Self {
        Self {
            max_tokens: max_tokens.max(1),
            headings: Vec::new(),
            open: Vec::new(),
            tokens: 0,
            has_text: false,
        }
    }

    /// Adds a page and returns the chunks that are complete. Headers and footers belong to no chunk.
    pub(super) fn page(&mut self, page: &Page) -> Result<Vec<Chunk>> {
        let mut done = Vec::new();
        for block in &page.blocks {
            if let Content::Heading { level, runs, .. } = &block.content {
                if self.has_text {
                    done.extend(self.finish()?);
                }
                self.headings.retain(|(above, _)| above < level);
                self.headings.push((*level, plain(runs)));
            }
            for part in parts(block, self.max_tokens) {
                let tokens = tokens_of(&part);
                if self.tokens > 0 && self.tokens + tokens > self.max_tokens {
                    done.extend(self.finish()?);
                }
                self.has_text |= !matches!(part.content, Content::Heading { .. });
                self.tokens += tokens;
                self.push(page, part);
            }
        }
        Ok(done)
    }

    /// Returns the open chunk; `None` if it has no text.
    pub(super) fn finish(&mut self) -> Result<Option<Chunk>> {
        let pages = std::mem::take(&mut self.open);
        let tokens = std::mem::take(&mut self.tokens);
        self.has_text = false;
        let numbers = pages.iter().map(|page| page.number).collect();
        let mut text = Vec::new();
        let mut writer = markdown(&mut text, &Metadata::default(), &NoPictures)?;
        for page in pages {
            writer.page(page)?;
        }
        writer.finish()?;
        let text = String::from_utf8_lossy(&text).trim_end().to_owned();
        Ok((!text.is_empty()).then(|| Chunk {
            text,
            tokens,
            pages: numbers,
            headings: self.headings.iter().map(|(_, text)| text.clone()).collect(),
        }))
    }

    fn push(&mut self, page: &Page, block: Block) {
        match self.open.last_mut() {
            Some(last) if last.number == page.number => last.blocks.push(block),
            _ => self.open.push(Page {
                number: page.number,
                size: page.size,
                basis: page.basis,
                header: Vec::new(),
                blocks: vec![block],
                footer: Vec::new(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alignment, Basis, Run, Size, Style};

    fn runs(text: &str) -> Vec<Run> {
        vec![Run {
            text: text.to_owned(),
            style: Style::default(),
            link: None,
        }]
    }

    fn heading(level: u8, text: &str) -> Block {
        Block::from(Content::Heading {
            level,
            runs: runs(text),
            alignment: Alignment::Start,
        })
    }

    fn paragraph(text: &str, continues: bool) -> Block {
        Block::from(Content::Paragraph {
            runs: runs(text),
            alignment: Alignment::Start,
            continues,
            preformatted: false,
        })
    }

    fn chunks(pages: &[&[Block]], max_tokens: usize) -> Vec<Chunk> {
        let mut chunker = Chunker::new(max_tokens);
        let mut chunks = Vec::new();
        for (number, blocks) in (1..).zip(pages) {
            let page = Page {
                number,
                size: Size::default(),
                basis: Basis::Geometry,
                header: vec![paragraph("Running header", false)],
                blocks: blocks.to_vec(),
                footer: Vec::new(),
            };
            chunks.extend(chunker.page(&page).unwrap());
        }
        chunks.extend(chunker.finish().unwrap());
        chunks
    }

    #[test]
    fn a_chunk_has_one_section_with_its_headings_and_pages() {
        let first = [
            heading(1, "Report"),
            heading(2, "Scope"),
            paragraph("Text that goes", false),
        ];
        let second = [
            paragraph("on the next page.", true),
            heading(2, "Results"),
            paragraph("More.", false),
        ];
        let found = chunks(&[&first, &second], 100);
        let [scope, results] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(
            scope.text,
            "# Report\n\n## Scope\n\nText that goes on the next page."
        );
        assert_eq!(scope.pages, [1, 2]);
        assert_eq!(scope.headings, ["Report", "Scope"]);
        assert_eq!(results.text, "## Results\n\nMore.");
        assert_eq!(results.pages, [2]);
        assert_eq!(results.headings, ["Report", "Results"]);
    }

    #[test]
    fn long_text_is_split_without_losing_a_word() {
        let words: Vec<String> = (0..1_000).map(|number| format!("word{number}")).collect();
        let found = chunks(&[&[paragraph(&words.join(" "), false)]], 64);
        assert!(found.len() > 10);
        assert!(found.iter().all(|chunk| chunk.tokens <= 64));
        let text: Vec<&str> = found
            .iter()
            .flat_map(|chunk| chunk.text.split_whitespace())
            .collect();
        assert_eq!(text, words);
    }
}
