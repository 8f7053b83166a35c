//! Splits blocks that are larger than a chunk: text between sentences or words, lists between items, tables between rows.

mod table;
mod words;

use self::words::{Word, joined, sentence_end, words};
use super::text::tokens_of;
use super::tokens::tokens;
use crate::writers::Result;
use crate::{Alignment, Block, Content, Item, Run, Style};

/// Splits a block: the first part has at most `room` tokens, the others at most `max`. A table row is never split.
pub(super) fn split(block: &Block, room: usize, max: usize) -> Result<Vec<Block>> {
    let splitter = Splitter { block, max };
    match &block.content {
        Content::Heading { runs, .. }
        | Content::Paragraph { runs, .. }
        | Content::Footnote { runs, .. } => splitter.texts(runs, room, |is_first, runs| {
            text_part(&block.content, is_first, runs)
        }),
        Content::List { items } => splitter.lists(items, room),
        Content::Table(table) => splitter.tables(table, room),
        Content::Image { image, alternative } => {
            let words = Run {
                text: alternative.clone().unwrap_or_default(),
                style: Style::default(),
                link: None,
            };
            splitter.texts(&[words], room, |_, runs| Content::Image {
                image: *image,
                alternative: Some(crate::plain(&runs)),
            })
        }
        Content::Rule => Ok(vec![block.clone()]),
    }
}

/// Returns a part of a heading, paragraph or footnote; the text after its first part is a paragraph.
fn text_part(content: &Content, is_first: bool, runs: Vec<Run>) -> Content {
    match content {
        Content::Heading {
            level, alignment, ..
        } if is_first => Content::Heading {
            level: *level,
            runs,
            alignment: *alignment,
        },
        Content::Footnote { label, .. } if is_first => Content::Footnote {
            label: label.clone(),
            runs,
        },
        Content::Paragraph {
            alignment,
            continues,
            preformatted,
            ..
        } => Content::Paragraph {
            runs,
            alignment: *alignment,
            continues: *continues && is_first,
            preformatted: *preformatted,
        },
        _ => paragraph(runs),
    }
}

fn paragraph(runs: Vec<Run>) -> Content {
    Content::Paragraph {
        runs,
        alignment: Alignment::Start,
        continues: false,
        preformatted: false,
    }
}

struct Splitter<'a> {
    block: &'a Block,
    max: usize,
}

impl Splitter<'_> {
    fn part(&self, content: Content) -> Block {
        Block {
            bounds: self.block.bounds,
            quote_depth: self.block.quote_depth,
            content,
        }
    }

    /// Splits runs after a sentence or line that ends in the second half, else after a word; `content` makes a part of them,
    /// given whether it is the first.
    fn texts(
        &self,
        runs: &[Run],
        mut room: usize,
        content: impl Fn(bool, Vec<Run>) -> Content,
    ) -> Result<Vec<Block>> {
        let mut runs = runs.to_vec();
        // A URL that fills half of a chunk leaves no room for its text.
        for run in &mut runs {
            run.link = run.link.take().filter(|url| tokens(url) * 2 <= self.max);
        }
        let words = words(&runs, (self.max / 8).max(1));
        let (mut parts, mut rest) = (Vec::new(), words.as_slice());
        while !rest.is_empty() {
            let part =
                |words: &[Word<'_>]| self.part(content(parts.is_empty(), joined(&runs, words)));
            let sizes = rest.iter().map(|word| word.tokens);
            let count = fitting(sizes, room, |count| tokens_of(&part(first(rest, count))))?;
            let count = match count < rest.len() {
                true => sentence_end(first(rest, count)).unwrap_or(count),
                false => count,
            };
            let part = part(first(rest, count));
            parts.push(part);
            rest = rest.get(count..).unwrap_or_default();
            room = self.max;
        }
        if parts.is_empty() {
            parts.push(self.part(content(true, runs)));
        }
        Ok(parts)
    }

    /// Groups consecutive items; the text of a larger item goes on in paragraphs.
    fn lists(&self, items: &[Item], mut room: usize) -> Result<Vec<Block>> {
        let (mut parts, mut rest) = (Vec::new(), items);
        while let Some(item) = rest.first() {
            let part = |count| {
                let items = first(rest, count).to_vec();
                self.part(Content::List { items })
            };
            let sizes = rest
                .iter()
                .map(|item| tokens(&crate::plain(&item.runs)) + 1);
            let count = fitting(sizes, room, |count| tokens_of(&part(count)))?;
            let list = part(count);
            if count == 1 && tokens_of(&list)? > room {
                parts.extend(
                    self.texts(&item.runs, room, |is_first, runs| match is_first {
                        true => Content::List {
                            items: vec![Item {
                                level: item.level,
                                ordered: item.ordered,
                                marker: item.marker.clone(),
                                runs,
                            }],
                        },
                        false => paragraph(runs),
                    })?,
                );
            } else {
                parts.push(list);
            }
            rest = rest.get(count..).unwrap_or_default();
            room = self.max;
        }
        Ok(parts)
    }
}

/// Returns how many of the first units have together at most `max` tokens, at least one. `sizes` are the tokens of the units
/// without markup, `tokens` those of a number of units with markup.
fn fitting(
    sizes: impl Iterator<Item = usize>,
    max: usize,
    tokens: impl Fn(usize) -> Result<usize>,
) -> Result<usize> {
    let sums = sizes.scan(0, |sum, size| {
        *sum += size;
        Some(*sum)
    });
    let mut count = sums.take_while(|sum| *sum <= max).count().max(1);
    while count > 1 {
        let tokens = tokens(count)?;
        if tokens <= max {
            break;
        }
        count = (count * max / tokens).clamp(1, count - count.div_ceil(16));
    }
    Ok(count)
}

/// Returns the first elements.
fn first<T>(all: &[T], count: usize) -> &[T] {
    all.get(..count).unwrap_or(all)
}
