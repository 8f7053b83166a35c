//! Headers and footers with page number fields.

use crate::writers::plain;
use crate::{Block, Content, Run};

/// Pseudo link target of a run that becomes a page number field.
pub(super) const PAGE_FIELD: &str = "#field=PAGE";

/// Pseudo link target of a run that becomes a field with the number of pages.
pub(super) const PAGES_FIELD: &str = "#field=NUMPAGES";

/// A header or a footer.
#[derive(Clone)]
pub(super) struct HeaderFooter {
    pub(super) kind: HeaderFooterKind,
    pub(super) blocks: Vec<Block>,
    /// Indices of the numbers in it that may be the page number.
    counted: Vec<usize>,
    /// Part number, from 1; 0 before it has a part.
    pub(super) part: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HeaderFooterKind {
    Header,
    Footer,
}

impl HeaderFooterKind {
    /// Returns the reference element.
    pub(super) fn tag(self) -> &'static str {
        match self {
            Self::Header => "hdr",
            Self::Footer => "ftr",
        }
    }

    /// Returns the part name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Footer => "footer",
        }
    }

    /// Returns the paragraph style.
    pub(super) fn style(self) -> &'static str {
        match self {
            Self::Header => "Header",
            Self::Footer => "Footer",
        }
    }
}

impl HeaderFooter {
    /// Returns the part name, relative to the folder of the document.
    pub(super) fn part(&self) -> String {
        format!("{}{}.xml", self.kind.name(), self.part)
    }

    /// Creates the header or footer of the page with this number; `None` without blocks.
    pub(super) fn of(kind: HeaderFooterKind, blocks: &[Block], number: u32) -> Option<Self> {
        let is_there = !blocks.is_empty();
        is_there.then(|| Self {
            kind,
            blocks: blocks.to_vec(),
            counted: (0..)
                .zip(numbers(blocks))
                .filter(|(_, found)| found.value == number)
                .map(|(index, _)| index)
                .collect(),
            part: 0,
        })
    }

    /// Narrows the candidates for the page number with the header of another page, if only numbers differ: a candidate must equal
    /// the page number on each page. Returns whether only numbers differ.
    pub(super) fn narrow(&mut self, blocks: &[Block], number: u32) -> bool {
        let is_like = self.is_like(blocks);
        if is_like {
            let there: Vec<u32> = numbers(blocks).iter().map(|found| found.value).collect();
            self.counted
                .retain(|index| there.get(*index) == Some(&number));
        }
        is_like
    }

    /// Whether blocks have the same text, ignoring numbers.
    pub(super) fn is_like(&self, blocks: &[Block]) -> bool {
        text_without_numbers(blocks) == text_without_numbers(&self.blocks)
    }

    /// Creates an empty header or footer.
    pub(super) fn empty(kind: HeaderFooterKind) -> Self {
        Self {
            kind,
            blocks: Vec::new(),
            counted: Vec::new(),
            part: 0,
        }
    }

    /// Returns a comparison key: the text with a placeholder for the page number.
    pub(super) fn words(&self) -> (bool, String) {
        let blocks = self.with_fields(None).into_iter();
        let counted: Vec<_> = blocks.map(without_numbers).collect();
        (self.blocks.is_empty(), plain::of_blocks(&counted))
    }

    /// Returns the blocks with a page number field and, right after it, a field for the number of pages.
    pub(super) fn with_fields(&self, pages: Option<u32>) -> Vec<Block> {
        let numbers = numbers(&self.blocks);
        let page = self.page(&numbers);
        let total = page.map(|page| page + 1).filter(|total| {
            let found = numbers.get(*total);
            found.is_some_and(|found| found.is_near && Some(found.value) == pages)
        });
        let field = |index| match Some(index) {
            found if found == page => Some(PAGE_FIELD),
            found if found == total => Some(PAGES_FIELD),
            _ => None,
        };
        let mut blocks = self.blocks.clone();
        let mut index = 0;
        for runs in blocks.iter_mut().filter_map(runs_mut) {
            *runs = runs
                .iter()
                .flat_map(|run| split(run, &mut index, &field))
                .collect();
        }
        blocks
    }

    /// Returns the index of the page number: the last candidate, unless that is a total after it, as in `2 of 2`.
    fn page(&self, numbers: &[Number]) -> Option<usize> {
        let (last, before) = self.counted.split_last()?;
        let is_total = numbers.get(*last).is_some_and(|last| last.is_near);
        match before.last() {
            Some(before) if is_total && before + 1 == *last => Some(*before),
            _ => Some(*last),
        }
    }
}

/// A standalone number.
struct Number {
    value: u32,
    /// Whether it closely follows the number before, as in `1 of 2`.
    is_near: bool,
}

/// Maximum bytes between the page number and the number of pages.
const NEAR: usize = 6;

/// Returns the numbers in blocks, in order.
fn numbers(blocks: &[Block]) -> Vec<Number> {
    let mut numbers = Vec::new();
    for runs in blocks.iter().filter_map(runs_of) {
        let mut since = usize::MAX;
        for piece in runs.iter().flat_map(|run| text_parts(&run.text)) {
            match piece {
                TextPart::Number(text) => {
                    numbers.push(Number {
                        // Numbers that overflow cannot be page numbers.
                        value: text.parse().unwrap_or(0),
                        is_near: since <= NEAR,
                    });
                    since = 0;
                }
                TextPart::Text(text) => since = since.saturating_add(text.len()),
            }
        }
    }
    numbers
}

/// Returns the text of blocks with a placeholder for each number.
fn text_without_numbers(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        match runs_of(block) {
            Some(runs) => text.extend(runs.iter().flat_map(|run| text_parts(&run.text)).map(
                |piece| match piece {
                    TextPart::Number(_) => "#",
                    TextPart::Text(text) => text,
                },
            )),
            None => text.push_str(&plain::of_block(block)),
        }
        text.push('\n');
    }
    text
}

fn runs_of(block: &Block) -> Option<&Vec<Run>> {
    match &block.content {
        Content::Paragraph { runs, .. } | Content::Heading { runs, .. } => Some(runs),
        _ => None,
    }
}

fn runs_mut(block: &mut Block) -> Option<&mut Vec<Run>> {
    match &mut block.content {
        Content::Paragraph { runs, .. } | Content::Heading { runs, .. } => Some(runs),
        _ => None,
    }
}

/// Returns a block with placeholders for its fields.
fn without_numbers(mut block: Block) -> Block {
    let runs = runs_mut(&mut block).into_iter().flatten();
    for field in runs.filter(|run| run.link.as_deref() == Some(PAGE_FIELD)) {
        "#".clone_into(&mut field.text);
    }
    block
}

/// Splits a run at its fields; `index` is the index of its next number.
fn split(run: &Run, index: &mut usize, field: &impl Fn(usize) -> Option<&'static str>) -> Vec<Run> {
    let mut parts: Vec<(Option<&str>, String)> = Vec::new();
    for piece in text_parts(&run.text) {
        let (text, link) = match piece {
            TextPart::Text(text) => (text, None),
            TextPart::Number(text) => {
                *index += 1;
                (text, field(*index - 1))
            }
        };
        match parts.last_mut() {
            Some((None, last)) if link.is_none() => last.push_str(text),
            _ => parts.push((link, text.to_owned())),
        }
    }
    let part = |(link, text): (Option<&str>, String)| Run {
        text,
        link: link.map(str::to_owned).or_else(|| run.link.clone()),
        ..run.clone()
    };
    parts.into_iter().map(part).collect()
}

enum TextPart<'a> {
    /// A standalone number.
    Number(&'a str),
    /// Text between numbers.
    Text(&'a str),
}

/// Splits a text into numbers and the text between them.
fn text_parts(text: &str) -> Vec<TextPart<'_>> {
    let (mut pieces, mut rest, mut before) = (Vec::new(), text, None);
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let is_other = |character: char| character.is_ascii_digit() != is_number;
        let end = rest.find(is_other).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let is_alone = !before.is_some_and(joins) && !behind.starts_with(joins);
        pieces.push(match is_number && is_alone {
            true => TextPart::Number(piece),
            false => TextPart::Text(piece),
        });
        before = piece.chars().next_back();
        rest = behind;
    }
    pieces
}

fn joins(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '.' | ',')
}
