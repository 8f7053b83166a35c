//! Converts regions to blocks: headings, paragraphs and lists.

use super::atom::Atom;
use super::bidi;
use super::column::Margins;
use super::group::{Group, groups};
use super::line::Line;
use super::list::Nesting;
use super::look::Look;
use super::order::Region;
use super::statistics::DocumentStatistics;
use super::survey::{ends_sentence, numbered};
use super::write::Writer;
use crate::model::block::{Alignment, Block, Content};
use crate::model::geometry::Rect;

/// Maximum length of a heading, in lines and characters.
const LINES: usize = 4;
const CHARACTERS: usize = 300;

/// Context of block detection.
#[derive(Clone, Copy)]
pub(super) struct Maker<'a> {
    pub(super) statistics: &'a DocumentStatistics,
    pub(super) writer: Writer<'a>,
    /// Whether headings are detected; not in tables.
    pub(super) has_headings: bool,
    /// Whether the blocks are in a table cell, whose text margins are uncertain.
    pub(super) is_cell: bool,
}

impl Maker<'_> {
    /// Returns the blocks of a region; `limits` are the left and right text margin, if known.
    pub(super) fn blocks(&self, region: Region, limits: Option<(f32, f32)>) -> Vec<Block> {
        let mut blocks = Blocks::default();
        let margins = margins(&region, limits);
        let mut lines: Vec<Line> = Vec::new();
        for atom in region.atoms {
            match atom {
                Atom::Line(line) => lines.push(line),
                Atom::Block(block, _) => {
                    self.text(std::mem::take(&mut lines), margins, &mut blocks);
                    blocks.push(block);
                }
            }
        }
        self.text(lines, margins, &mut blocks);
        blocks.all
    }

    fn text(&self, lines: Vec<Line>, margins: (f32, f32), blocks: &mut Blocks) {
        for (from_right, lines) in by_direction(lines) {
            let margins = Margins::new(margins, from_right);
            for group in groups(lines, margins, self.statistics) {
                self.group(&group, margins, blocks);
            }
        }
    }

    fn group(&self, group: &Group, margins: Margins, blocks: &mut Blocks) {
        let bounds = Rect::around(group.lines.iter().map(|line| line.bounds));
        match &group.marker {
            Some((marker, text)) => {
                let item = blocks
                    .nesting
                    .item(*marker, text, group, margins, self.writer);
                blocks.push_item(item, bounds);
            }
            None => blocks.push(Block {
                bounds,
                ..Block::from(self.content(group, margins))
            }),
        }
    }

    fn content(&self, group: &Group, margins: Margins) -> Content {
        let runs = self.writer.runs_towards(
            &group.lines,
            direction(group, margins).filter(|_| !self.is_cell),
        );
        match self.level(group) {
            Some(level) => Content::Heading {
                level,
                runs,
                alignment: Alignment::Start,
            },
            None => Content::Paragraph {
                runs,
                alignment: alignment(&group.lines, margins),
                continues: false,
                preformatted: false,
            },
        }
    }

    /// Returns the heading level of a group; `None` if it is not a heading.
    fn level(&self, group: &Group) -> Option<u8> {
        let look = Look::of_all(&group.lines).filter(|_| self.has_headings)?;
        let depth = group.lines.first().and_then(numbered);
        let level = self.statistics.numbered_level(&look, depth)?;
        let count: usize = group.lines.iter().map(|line| line.glyphs().count()).sum();
        let is_short = group.lines.len() <= LINES && count <= CHARACTERS;
        let last = group.lines.last().and_then(|line| line.glyphs().last());
        let is_sentence = last.is_some_and(|last| ends_sentence(last.text));
        let is_large = look.points() > self.statistics.size() * 1.15;
        let says = group
            .lines
            .iter()
            .flat_map(Line::glyphs)
            .any(|glyph| glyph.text.is_alphabetic());
        (is_short && says && (is_large || !is_sentence)).then_some(level)
    }
}

/// Returns the direction of a paragraph if it differs from that of most of its letters: right-to-left text that is aligned
/// left.
fn direction(group: &Group, margins: Margins) -> Option<bool> {
    let Margins {
        start,
        end,
        from_right,
    } = margins;
    let is_at_left = || {
        group.lines.iter().all(|line| {
            end - margins.end_of(line) < line.size * 1.5
                && margins.start_of(line) - start > line.size * 2.0
        })
    };
    (from_right && is_at_left() && shows_direction(&group.lines)).then_some(false)
}

/// Whether right-to-left text is embedded in other text or preceded by something else on its right.
fn shows_direction(lines: &[Line]) -> bool {
    let mut letters = lines
        .iter()
        .flat_map(Line::glyphs)
        .filter(|glyph| glyph.text.is_alphabetic());
    let last = lines.last().and_then(|line| line.glyphs().last());
    letters.any(|glyph| !bidi::is_from_right(glyph.text))
        || last.is_some_and(|last| !bidi::is_from_right(last.text))
}

/// The blocks so far, and the state of an open list.
#[derive(Default)]
struct Blocks {
    all: Vec<Block>,
    nesting: Nesting,
}

impl Blocks {
    fn push(&mut self, block: Block) {
        self.nesting = Nesting::default();
        self.all.push(block);
    }

    fn push_item(&mut self, (item, begins): (crate::Item, bool), bounds: Option<Rect>) {
        match self.all.last_mut() {
            Some(Block {
                bounds: all,
                content: Content::List { items },
                ..
            }) if !begins => {
                *all = all.zip(bounds).map(|(all, bounds)| all.union(&bounds));
                items.push(item);
            }
            _ => self.all.push(Block {
                bounds,
                ..Block::from(Content::List { items: vec![item] })
            }),
        }
    }
}

/// Groups consecutive lines by direction (`true` is right-to-left); neutral lines belong to the group before them.
fn by_direction(lines: Vec<Line>) -> Vec<(bool, Vec<Line>)> {
    let mut parts: Vec<(bool, Vec<Line>)> = Vec::new();
    for line in lines {
        let texts = || line.glyphs().map(|glyph| glyph.text);
        let has_direction = texts().any(char::is_alphabetic);
        let from_right = bidi::is_mostly_from_right(texts());
        match parts.last_mut() {
            Some((before, part)) if !has_direction || *before == from_right => part.push(line),
            _ => parts.push((from_right, vec![line])),
        }
    }
    parts
}

/// Returns the left and right margin of the lines of a region.
fn margins(region: &Region, limits: Option<(f32, f32)>) -> (f32, f32) {
    // Tables may extend beyond the text.
    let lines = region.atoms.iter().filter_map(Atom::line);
    let text = Rect::around(lines.map(|line| line.bounds)).unwrap_or(region.bounds);
    let (left, right) = (text.left, text.right);
    match limits.filter(|_| !region.is_column) {
        Some((begin, end)) => (left.min(begin), right.max(end)),
        None => (left, right),
    }
}

/// Returns the alignment of the lines of a paragraph.
pub(super) fn alignment(lines: &[Line], margins: Margins) -> Alignment {
    let Some(size) = lines.first().map(|line| line.size) else {
        return Alignment::Start;
    };
    let near = |one: f32, other: f32| (one - other).abs() < size * 0.25 + 0.5;
    let starts = || lines.iter().map(|line| margins.start_of(line));
    let ends = || lines.iter().map(|line| margins.end_of(line));
    if lines.iter().all(|line| margins.is_centered(line)) {
        return Alignment::Center;
    }
    if ends().all(|end| near(end, margins.end))
        && starts().all(|start| start - margins.start > size * 4.0)
    {
        return Alignment::End;
    }
    let full = lines.len().saturating_sub(1);
    let is_even = ends().take(full).all(|end| near(end, margins.end))
        && starts().skip(1).all(|start| near(start, margins.start));
    match is_even && full >= 2 {
        true => Alignment::Justified,
        false => Alignment::Start,
    }
}
