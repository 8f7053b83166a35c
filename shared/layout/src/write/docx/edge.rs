//! Headers and footers, and the numbers in them that word processors count.

use super::run::{PAGE_FIELD, PAGES_FIELD};
use crate::write::plain;
use crate::{Block, Content, Run};

/// A header or a footer.
#[derive(Clone)]
pub(super) struct Edge {
    pub(super) kind: EdgeKind,
    pub(super) blocks: Vec<Block>,
    /// The page that it is taken from; 0 if other pages have the same, so that no number in it is that of a page.
    pub(super) number: u32,
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

    pub(super) fn of(kind: EdgeKind, blocks: &[Block], number: u32) -> Option<Self> {
        let is_there = !blocks.is_empty();
        is_there.then(|| Self {
            kind,
            blocks: blocks.to_vec(),
            number,
            part: 0,
        })
    }

    /// The same, with what another page of the section has in its place.
    pub(super) fn beside(self, blocks: &[Block]) -> Self {
        let is_same =
            !blocks.is_empty() && plain::of_blocks(blocks) == plain::of_blocks(&self.blocks);
        Self {
            number: if is_same { 0 } else { self.number },
            ..self
        }
    }

    /// One that says nothing.
    pub(super) fn bare(kind: EdgeKind) -> Self {
        Self {
            kind,
            blocks: Vec::new(),
            number: 0,
            part: 0,
        }
    }

    /// What it says, a sign for the number of its page.
    pub(super) fn words(&self) -> (bool, String) {
        let blocks = self.blocks.iter();
        let counted: Vec<_> = blocks
            .map(|block| with_fields(block, self.number, None))
            .map(without_numbers)
            .collect();
        (self.blocks.is_empty(), plain::of_blocks(&counted))
    }
}

/// A block of a header or footer in which the page's number, and behind it the number of pages, are fields.
pub(super) fn with_fields(block: &Block, number: u32, pages: Option<u32>) -> Block {
    let mut block = block.clone();
    if let Content::Paragraph { runs, .. } | Content::Heading { runs, .. } = &mut block.content {
        let mut fields = vec![(number.to_string(), PAGE_FIELD)];
        fields.extend(pages.map(|pages| (pages.to_string(), PAGES_FIELD)));
        fields.retain(|_| number > 0);
        let mut fields = fields.into_iter().peekable();
        let mut found = Vec::new();
        for run in runs.drain(..) {
            split(run, &mut fields, &mut found);
        }
        *runs = found;
    }
    block
}

/// A block that has signs for its fields.
fn without_numbers(mut block: Block) -> Block {
    if let Content::Paragraph { runs, .. } | Content::Heading { runs, .. } = &mut block.content {
        let fields = runs.iter_mut();
        for field in fields.filter(|run| run.link.as_deref() == Some(PAGE_FIELD)) {
            "#".clone_into(&mut field.text);
        }
    }
    block
}

fn split(
    run: Run,
    fields: &mut std::iter::Peekable<std::vec::IntoIter<(String, &'static str)>>,
    found: &mut Vec<Run>,
) {
    let mut rest = run.clone();
    while let Some((number, field)) = fields.peek() {
        let Some((before, behind)) = around(&rest.text, number) else {
            break;
        };
        found.push(Run {
            text: before.to_owned(),
            ..run.clone()
        });
        found.push(Run {
            text: number.clone(),
            link: Some((*field).to_owned()),
            ..run.clone()
        });
        rest = Run {
            text: behind.to_owned(),
            ..run.clone()
        };
        fields.next();
    }
    found.push(rest);
}

/// What is before and behind a number that stands on its own in a text.
fn around<'a>(text: &'a str, number: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices(number).find_map(|(index, _)| {
        let (before, rest) = text.split_at_checked(index)?;
        let behind = rest.strip_prefix(number)?;
        let is_alone = !before.ends_with(joins) && !behind.starts_with(joins);
        is_alone.then_some((before, behind))
    })
}

fn joins(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '.' | ',')
}
