//! Splits a document into chunks for retrieval and language models: Markdown text of one section, bounded in size.
//!
//! A chunk ends before the next heading, unless it has no text yet: headings of empty sections precede the text that follows.

mod split;
mod text;
mod tokens;

use serde::Serialize;

use self::split::split;
use self::text::{text_of, tokens_of};
use self::tokens::tokens;
use super::Result;
use crate::{Block, Content, Page, plain};

/// A part of the text of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Chunk {
    /// Text as Markdown, with the headings that precede it directly.
    text: String,
    /// Estimated number of tokens of the text.
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
    /// The blocks of the open chunk, each with the number of its page.
    open: Vec<(u32, Block)>,
    /// Number of tokens of the open blocks.
    tokens: usize,
    /// Whether the open chunk has anything but headings.
    has_text: bool,
}

impl Chunker {
    /// Chunks have at most `max_tokens` tokens, unless a row of a table with its header, or rows that
    /// one cell spans, have more.
    pub(super) fn new(max_tokens: usize) -> Self {
        Self {
            max_tokens: max_tokens.max(1),
            headings: Vec::new(),
            open: Vec::new(),
            tokens: 0,
            has_text: false,
        }
    }

    /// Adds a page and returns the chunks that are complete. Headers, footers and rules belong to no chunk.
    pub(super) fn page(&mut self, page: &Page) -> Result<Vec<Chunk>> {
        let mut done = Vec::new();
        for block in &page.blocks {
            let tokens = tokens_of(block)?;
            if tokens == 0 || matches!(block.content, Content::Rule) {
                continue;
            }
            let is_full = self.tokens + tokens > self.max_tokens;
            match &block.content {
                Content::Heading { level, runs, .. } => {
                    if self.has_text || is_full {
                        done.extend(self.finish()?);
                    }
                    self.headings.retain(|(above, _)| above < level);
                    self.headings.push((*level, plain(runs)));
                }
                _ if self.has_text && is_full => done.extend(self.finish()?),
                _ => {}
            }
            // The beginning of a long text follows its headings, so that they are no chunk of their own.
            let room = self.max_tokens.saturating_sub(self.tokens);
            if tokens <= room {
                self.push(page, block.clone(), tokens);
                continue;
            }
            for part in split(block, room, self.max_tokens)? {
                let tokens = tokens_of(&part)?;
                if self.tokens + tokens > self.max_tokens {
                    done.extend(self.finish()?);
                }
                self.push(page, part, tokens);
            }
        }
        Ok(done)
    }

    fn push(&mut self, page: &Page, block: Block, tokens: usize) {
        self.has_text |= !matches!(block.content, Content::Heading { .. });
        self.tokens += tokens;
        self.open.push((page.number, block));
    }

    /// Returns the open blocks as a chunk, if there are any. Together they may have more tokens than alone, for example because
    /// comments separate lists; then they become several chunks.
    pub(super) fn finish(&mut self) -> Result<Vec<Chunk>> {
        let open = std::mem::take(&mut self.open);
        (self.tokens, self.has_text) = (0, false);
        let mut chunks = Vec::new();
        self.add(&open, &mut chunks)?;
        Ok(chunks)
    }

    fn add(&self, blocks: &[(u32, Block)], chunks: &mut Vec<Chunk>) -> Result {
        let text = text_of(blocks)?;
        let tokens = tokens(&text);
        if tokens > self.max_tokens && blocks.len() > 1 {
            let (one, other) = blocks.split_at(blocks.len() / 2);
            self.add(one, chunks)?;
            return self.add(other, chunks);
        }
        let mut pages: Vec<u32> = blocks.iter().map(|(page, _)| *page).collect();
        pages.dedup();
        chunks.extend((!text.is_empty()).then(|| Chunk {
            text,
            tokens,
            pages,
            headings: self.headings.iter().map(|(_, text)| text.clone()).collect(),
        }));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    use super::*;
    use crate::{Alignment, Basis, Cell, Item, Run, Size, Style, Table};

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

    fn list(items: &[(u8, &str)]) -> Block {
        let item = |(level, text): &(u8, &str)| Item {
            level: *level,
            ordered: false,
            marker: "•".to_owned(),
            runs: runs(text),
        };
        Block::from(Content::List {
            items: items.iter().map(item).collect(),
        })
    }

    /// Creates a table of one column from the row, the number of rows spanned and the text of each cell.
    fn table(rows: usize, cells: &[(usize, usize, &str)]) -> Block {
        let cell = |(row, row_span, text): &(usize, usize, &str)| Cell {
            row: *row,
            row_span: *row_span,
            blocks: vec![paragraph(text, false)],
            ..Cell::default()
        };
        Block::from(Content::Table(Table {
            widths: vec![100.0],
            rows,
            header_rows: 1,
            cells: cells.iter().map(cell).collect(),
            ruled: true,
            confidence: 1.0,
            continues: false,
        }))
    }

    /// Returns the texts of the chunks of one page, none of which has more than `max` tokens.
    #[track_caller]
    fn bounded(blocks: &[Block], max: usize) -> Vec<String> {
        let chunks = chunks(&[blocks], max);
        for chunk in &chunks {
            assert_eq!(chunk.tokens, tokens(&chunk.text));
            assert!(chunk.tokens <= max, "{chunk:?}");
        }
        chunks.into_iter().map(|chunk| chunk.text).collect()
    }

    fn words(count: usize) -> String {
        let words: Vec<String> = (0..count).map(|number| format!("word{number}")).collect();
        words.join(" ")
    }

    #[test]
    fn text_is_split_after_sentences_and_within_long_words() {
        let text = "One two three. Four five six seven eight nine.";
        let split = bounded(&[paragraph(text, false)], 8);
        assert_eq!(split[0], "One two three.");
        let long = "書".repeat(2_500);
        let split = bounded(&[paragraph(&long, false)], 100);
        assert_eq!(split.concat(), long);
        assert!(split.len() < 30, "{}", split.len());
    }

    fn spent() -> Duration {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::try_from(time).unwrap()
    }

    #[test]
    fn work_grows_linearly_with_a_line() {
        let work = |length| {
            let line = [paragraph(&"書".repeat(length), false)];
            let times = (0..3).map(|_| {
                let begin = spent();
                std::hint::black_box(chunks(&[&line], 64));
                (spent() - begin).as_secs_f64()
            });
            times.fold(f64::INFINITY, f64::min)
        };
        let (short, long) = (work(5_000), work(80_000));
        assert!(long < short * 64.0, "{short:.3} s, {long:.3} s");
    }

    #[test]
    fn markup_counts() {
        let mut stars = paragraph("", false);
        let mut linked = runs(&words(200));
        linked[0].link = Some("https://example.org/a/long/address.html".to_owned());
        if let Content::Paragraph { runs: text, .. } = &mut stars.content {
            *text = [runs(&"*a ".repeat(200)), linked].concat();
        }
        let code = Block::from(Content::Paragraph {
            runs: runs("if (a[0] == `b`) {\n    c();\n}\n".repeat(30).as_str()),
            alignment: Alignment::Start,
            continues: false,
            preformatted: true,
        });
        let text = bounded(&[stars, code], 64).concat();
        assert_eq!(text.matches("\\*a").count(), 200);
        assert_eq!(text.matches("    c();").count(), 30);
        let rows: Vec<(usize, usize, &str)> = (0..50).map(|row| (row, 1, "a")).collect();
        assert!(bounded(&[table(50, &rows)], 64).len() > 2);
        let lists: Vec<Block> = (0..30).map(|_| list(&[(0, "item")])).collect();
        assert!(bounded(&lists, 64).len() > 2);
    }

    #[test]
    fn headings_and_alternative_texts_are_split() {
        let image = Block::from(Content::Image {
            image: 0,
            alternative: Some(words(100)),
        });
        for block in [heading(2, &words(100)), image] {
            let split = bounded(&[block], 64);
            assert!(split.len() > 2);
            let text = split.join(" ");
            assert_eq!(text.trim_start_matches("## "), words(100));
        }
    }

    #[test]
    fn headings_are_in_the_chunk_of_their_text() {
        let rows: Vec<(usize, usize, &str)> = (0..50).map(|row| (row, 1, "a")).collect();
        let items: Vec<(u8, &str)> = (0..50).map(|_| (0, "item")).collect();
        for text in [
            paragraph(&words(100), false),
            list(&items),
            table(50, &rows),
        ] {
            let split = bounded(&[heading(1, "Report"), text], 64);
            assert!(split.len() > 1);
            assert!(split[0].len() > 50, "{split:?}");
        }
    }

    #[test]
    fn headings_without_text_precede_the_next_text() {
        let blocks = [
            heading(1, "One"),
            heading(1, "Two"),
            paragraph("Text.", false),
            Block::from(Content::Rule),
            heading(2, "Three"),
        ];
        let found = chunks(&[&blocks], 100);
        let texts: Vec<&str> = found.iter().map(|chunk| chunk.text.as_str()).collect();
        assert_eq!(texts, ["# One\n\n# Two\n\nText.", "## Three"]);
        assert_eq!(found[0].headings, ["Two"]);
        assert_eq!(found[1].headings, ["Two", "Three"]);
        let titles: Vec<Block> = (0..9)
            .map(|_| heading(1, "A title of many words"))
            .collect();
        let found = chunks(&[&titles], 20);
        assert_eq!(found[0].text, ["# A title of many words"; 2].join("\n\n"));
        assert_eq!(found[0].headings, ["A title of many words"]);
    }

    #[test]
    fn lists_are_split_between_items_with_their_levels() {
        let items = [(0, "one"), (1, "two"), (0, "three"), (1, "four")];
        let split = bounded(&[list(&items)], 5);
        assert_eq!(split, ["- one\n  - two", "- three\n  - four"]);
        let long = words(50);
        let split = bounded(&[list(&[(0, &long), (0, "last")])], 32);
        let text = split.join(" ").replace("- ", "").replace("\n\n", " ");
        assert_eq!(text, format!("{long} last"));
    }

    #[test]
    fn tables_are_split_between_rows_with_their_header() {
        let cells = [(0, 1, "Name"), (1, 1, "one"), (2, 2, "two"), (4, 1, "four")];
        let found = chunks(&[&[table(5, &cells)]], 20);
        let texts: Vec<&str> = found.iter().map(|chunk| chunk.text.as_str()).collect();
        let spanning = "<table>\n<tr><th>Name</th></tr>\n<tr><td rowspan=\"2\">two</td></tr>\n<tr></tr>\n</table>";
        assert_eq!(
            texts,
            [
                "| Name |\n| --- |\n| one |",
                spanning,
                "| Name |\n| --- |\n| four |"
            ]
        );
    }

    #[test]
    fn a_header_that_fills_a_chunk_is_not_repeated() {
        let long = words(30);
        let cells = [(0, 1, long.as_str()), (1, 1, "one"), (2, 1, "two")];
        let found = chunks(&[&[table(3, &cells)]], 64);
        let text: String = found.iter().map(|chunk| chunk.text.as_str()).collect();
        assert_eq!(text.matches("word29").count(), 1);
        assert!(text.contains("one") && text.contains("two"));
    }
}
