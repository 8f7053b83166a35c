//! Headers and footers, and the numbers in them that word processors count.

use crate::writers::plain;
use crate::{Block, Content, Run};

/// A text that is the number of a page, and is to be counted by itself.
pub(super) const PAGE_FIELD: &str = "#field=PAGE";

/// A text that is how many pages there are.
pub(super) const PAGES_FIELD: &str = "#field=NUMPAGES";

/// A header or a footer.
#[derive(Clone)]
pub(super) struct Edge {
    pub(super) kind: EdgeKind,
    pub(super) blocks: Vec<Block>,
    /// Which of the numbers in it, from 0, may be that of the page.
    counted: Vec<usize>,
    /// Its own number among headers and footers, from 1; 0 before it has one.
    pub(super) part: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EdgeKind {
    Header,
    Footer,
}

impl EdgeKind {
    /// The element that it is.
    pub(super) fn tag(self) -> &'static str {
        match self {
            Self::Header => "hdr",
            Self::Footer => "ftr",
        }
    }

    /// What its part is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Footer => "footer",
        }
    }

    /// The style of its paragraphs.
    pub(super) fn style(self) -> &'static str {
        match self {
            Self::Header => "Header",
            Self::Footer => "Footer",
        }
    }
}

impl Edge {
    /// The name of its part, from the folder of the document.
    pub(super) fn part(&self) -> String {
        format!("{}{}.xml", self.kind.name(), self.part)
    }

    /// What stands there on the page of this number; none if nothing does.
    pub(super) fn of(kind: EdgeKind, blocks: &[Block], number: u32) -> Option<Self> {
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

    /// The same, with what the page of this number has in its place: where that says the same but for numbers, what counts
    /// pages is each time the number of its page.
    pub(super) fn beside(mut self, blocks: &[Block], number: u32) -> Self {
        if !self.counted.is_empty() && self.is_like(blocks) {
            let there: Vec<u32> = numbers(blocks).iter().map(|found| found.value).collect();
            self.counted
                .retain(|index| there.get(*index) == Some(&number));
        }
        self
    }

    /// Whether blocks say the same but for numbers.
    pub(super) fn is_like(&self, blocks: &[Block]) -> bool {
        but_for_numbers(blocks) == but_for_numbers(&self.blocks)
    }

    /// One that says nothing.
    pub(super) fn bare(kind: EdgeKind) -> Self {
        Self {
            kind,
            blocks: Vec::new(),
            counted: Vec::new(),
            part: 0,
        }
    }

    /// What it says, a sign for the number of its page.
    pub(super) fn words(&self) -> (bool, String) {
        let blocks = self.with_fields(None).into_iter();
        let counted: Vec<_> = blocks.map(without_numbers).collect();
        (self.blocks.is_empty(), plain::of_blocks(&counted))
    }

    /// Its blocks, with fields for the number of the page and, right behind that, for the number of pages.
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

    /// Which number is that of the page: the last that may be, save for a total behind it, as in `2 of 2`.
    fn page(&self, numbers: &[Number]) -> Option<usize> {
        let (last, before) = self.counted.split_last()?;
        let is_total = numbers.get(*last).is_some_and(|last| last.is_near);
        match before.last() {
            Some(before) if is_total && before + 1 == *last => Some(*before),
            _ => Some(*last),
        }
    }
}

/// A number that stands on its own.
struct Number {
    value: u32,
    /// Whether no more is between it and the number before than there is in `1 of 2`.
    is_near: bool,
}

/// Most bytes between the number of a page and that of all pages.
const NEAR: usize = 6;

/// The numbers of blocks, in their order.
fn numbers(blocks: &[Block]) -> Vec<Number> {
    let mut numbers = Vec::new();
    for runs in blocks.iter().filter_map(runs_of) {
        let mut since = usize::MAX;
        for piece in runs.iter().flat_map(|run| pieces(&run.text)) {
            match piece {
                Piece::Number(text) => {
                    numbers.push(Number {
                        // No page has a number that is too large.
                        value: text.parse().unwrap_or(0),
                        is_near: since <= NEAR,
                    });
                    since = 0;
                }
                Piece::Text(text) => since = since.saturating_add(text.len()),
            }
        }
    }
    numbers
}

/// What blocks say, a sign for each number.
fn but_for_numbers(blocks: &[Block]) -> String {
    let mut said = String::new();
    for block in blocks {
        match runs_of(block) {
            Some(runs) => {
                said.extend(runs.iter().flat_map(|run| pieces(&run.text)).map(
                    |piece| match piece {
                        Piece::Number(_) => "#",
                        Piece::Text(text) => text,
                    },
                ))
            }
            None => said.push_str(&plain::of_block(block)),
        }
        said.push('\n');
    }
    said
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

/// A block that has signs for its fields.
fn without_numbers(mut block: Block) -> Block {
    let runs = runs_mut(&mut block).into_iter().flatten();
    for field in runs.filter(|run| run.link.as_deref() == Some(PAGE_FIELD)) {
        "#".clone_into(&mut field.text);
    }
    block
}

/// A run in parts, those that are fields on their own; `index` is that of its next number.
fn split(run: &Run, index: &mut usize, field: &impl Fn(usize) -> Option<&'static str>) -> Vec<Run> {
    let mut parts: Vec<(Option<&str>, String)> = Vec::new();
    for piece in pieces(&run.text) {
        let (text, link) = match piece {
            Piece::Text(text) => (text, None),
            Piece::Number(text) => {
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

enum Piece<'a> {
    /// A number that stands on its own.
    Number(&'a str),
    /// What is between such numbers.
    Text(&'a str),
}

/// A text in pieces, which together are the text.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest, mut before) = (Vec::new(), text, None);
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let is_other = |character: char| character.is_ascii_digit() != is_number;
        let end = rest.find(is_other).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let is_alone = !before.is_some_and(joins) && !behind.starts_with(joins);
        pieces.push(match is_number && is_alone {
            true => Piece::Number(piece),
            false => Piece::Text(piece),
        });
        before = piece.chars().next_back();
        rest = behind;
    }
    pieces
}

fn joins(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '.' | ',')
}
