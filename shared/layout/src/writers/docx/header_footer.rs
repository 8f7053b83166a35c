//! Headers and footers with page number fields.

mod numbers;

use self::numbers::{Number, TextPart, numbers, runs_of, text_parts, text_without_numbers};
use super::page_numbering::PageNumbering;
use super::paragraph::Properties;
use super::tabs::TabStops;
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
    /// The numbers in it that may be the page number.
    candidates: Vec<Candidate>,
    /// Number of pages with it.
    pages: u32,
    /// Width of the text area if it has tabs, twips; otherwise 0.
    width: u32,
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

    /// Creates the header or footer of the page at this place; `None` without blocks.
    pub(super) fn of(kind: HeaderFooterKind, blocks: &[Block], place: u32) -> Option<Self> {
        let candidate = |(index, number): (usize, &Number)| {
            Some(Candidate {
                index,
                numbering: number.numbering(place)?,
                pages: 1,
            })
        };
        let numbers = numbers(blocks);
        (!blocks.is_empty()).then(|| Self {
            kind,
            blocks: blocks.to_vec(),
            candidates: numbers.iter().enumerate().filter_map(candidate).collect(),
            pages: 1,
            width: 0,
            part: 0,
        })
    }

    /// Counts the page at this place, if only numbers differ. Returns whether the header is also that of this page, with the page
    /// number as the only difference.
    pub(super) fn count(&mut self, blocks: &[Block], place: u32) -> bool {
        if !self.is_like(blocks) {
            return false;
        }
        self.pages += 1;
        let there = numbers(blocks);
        let mut is_counted = false;
        for candidate in &mut self.candidates {
            let number = there.get(candidate.index);
            if number.and_then(|number| number.numbering(place)) == Some(candidate.numbering) {
                candidate.pages += 1;
                is_counted = true;
            }
        }
        is_counted || plain::of_blocks(blocks) == plain::of_blocks(&self.blocks)
    }

    /// Keeps the candidates for the page number that fit the numbering of the section on most pages.
    pub(super) fn resolve(&mut self, numbering: Option<PageNumbering>) {
        let pages = self.pages;
        self.candidates.retain(|candidate| {
            Some(candidate.numbering) == numbering && candidate.pages * 2 > pages
        });
    }

    /// Whether it is also the header of the page at this place, with the page number as the only difference.
    pub(super) fn holds(&self, blocks: &[Block], place: u32) -> bool {
        let is_same = plain::of_blocks(blocks) == plain::of_blocks(&self.blocks);
        let there = numbers(blocks);
        let counts = |candidate: &Candidate| {
            let number = there.get(candidate.index);
            number.and_then(|number| number.numbering(place)) == Some(candidate.numbering)
        };
        is_same || self.is_like(blocks) && self.candidates.iter().any(counts)
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
            candidates: Vec::new(),
            pages: 0,
            width: 0,
            part: 0,
        }
    }

    /// Sets the width of the text area, twips, which the tab stops depend on.
    pub(super) fn fit(&mut self, width: u32) {
        let has_tabs = self.blocks.iter().any(has_tabs);
        self.width = if has_tabs { width } else { 0 };
    }

    /// Returns the properties of the paragraph of a block.
    pub(super) fn properties(&self, block: &Block) -> Properties {
        Properties {
            style: Some(self.kind.style().to_owned()),
            tabs: match has_tabs(block) {
                true => TabStops::HeaderFooter(self.width),
                false => TabStops::None,
            },
            ..Properties::default()
        }
    }

    /// Returns a comparison key: the text with a placeholder for the page number, and the width that its tab stops depend on.
    pub(super) fn words(&self) -> (bool, u32, String) {
        let blocks = self.with_fields(None).into_iter();
        let counted: Vec<_> = blocks.map(without_numbers).collect();
        (
            self.blocks.is_empty(),
            self.width,
            plain::of_blocks(&counted),
        )
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
        let (last, before) = self.candidates.split_last()?;
        let is_total = numbers.get(last.index).is_some_and(|last| last.is_near);
        match before.last() {
            Some(before) if is_total && before.index + 1 == last.index => Some(before.index),
            _ => Some(last.index),
        }
    }
}

/// Returns the numberings in which a number of these blocks is the number of the page at this place.
pub(super) fn numberings(blocks: &[Block], place: u32) -> Vec<PageNumbering> {
    let numbers = numbers(blocks).into_iter();
    numbers
        .filter_map(|number| number.numbering(place))
        .collect()
}

/// A number that may be the page number.
#[derive(Clone)]
struct Candidate {
    /// Index among the numbers.
    index: usize,
    /// The numbering in which it is the page number.
    numbering: PageNumbering,
    /// Number of pages on which it is.
    pages: u32,
}

fn runs_mut(block: &mut Block) -> Option<&mut Vec<Run>> {
    match &mut block.content {
        Content::Paragraph { runs, .. } | Content::Heading { runs, .. } => Some(runs),
        _ => None,
    }
}

/// Whether a block has parts between tabs: at the left edge, in the middle and at the right edge.
fn has_tabs(block: &Block) -> bool {
    let runs = runs_of(block).into_iter().flatten();
    runs.into_iter().any(|run| run.text.contains('\t'))
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
            TextPart::Number(text, ..) => {
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
