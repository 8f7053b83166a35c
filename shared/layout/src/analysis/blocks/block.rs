//! Converts regions to blocks: headings, paragraphs and lists.

use crate::analysis::blocks::group::{Group, groups};
use crate::analysis::blocks::headings;
use crate::analysis::blocks::list::Nesting;
use crate::analysis::candidates::candidate::Trace;
use crate::analysis::glyphs::bidi;
use crate::analysis::lines::code;
use crate::analysis::lines::column::Margins;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::write::Writer;
use crate::analysis::regions::atom::Atom;
use crate::analysis::regions::order::Region;
use crate::analysis::survey::headings::page_lines::PageLines;
use crate::analysis::survey::statistics::DocumentStatistics;
use crate::model::block::{Alignment, Block, Content};
use crate::model::geometry::Rect;

/// Context of block detection.
#[derive(Clone, Copy)]
pub(in crate::analysis) struct Maker<'a> {
    pub(in crate::analysis) statistics: &'a DocumentStatistics,
    pub(in crate::analysis) writer: Writer<'a>,
    /// The lines of the page, to detect headings; `None` in tables, headers and footers.
    pub(in crate::analysis) page: Option<&'a PageLines>,
    /// Whether the blocks are in a table cell, whose text margins are uncertain.
    pub(in crate::analysis) is_cell: bool,
    pub(in crate::analysis) trace: &'a Trace,
}

impl Maker<'_> {
    /// Returns the blocks of a region; `limits` are the left and right text margin, if known.
    pub(in crate::analysis) fn blocks(
        &self,
        region: Region,
        limits: Option<(f32, f32)>,
    ) -> Vec<Block> {
        if region.is_contents {
            return self.contents(region, limits);
        }
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

    /// Returns the entries of contents: a paragraph for each line.
    fn contents(&self, region: Region, limits: Option<(f32, f32)>) -> Vec<Block> {
        let margins = margins(&region, limits);
        let blocks = region.atoms.into_iter().map(|atom| match atom {
            Atom::Line(line) => {
                let bounds = Some(line.bounds);
                let margins = Margins::new(margins, line.is_from_right());
                let (lines, marker) = (vec![line], None);
                let content = self.content(&Group { lines, marker }, None, margins);
                Block {
                    bounds,
                    ..Block::from(content)
                }
            }
            Atom::Block(block, _) => block,
        });
        blocks.collect()
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
        let level = self
            .page
            .and_then(|page| headings::level(group, page, self.statistics, self.trace));
        match &group.marker {
            Some((marker, text)) if level.is_none() => {
                let item = blocks
                    .nesting
                    .item(*marker, text, group, margins, self.writer);
                blocks.push_item(item, bounds);
            }
            _ => blocks.push(Block {
                bounds,
                ..Block::from(self.content(group, level, margins))
            }),
        }
    }

    fn content(&self, group: &Group, level: Option<u8>, margins: Margins) -> Content {
        let runs = self.writer.runs_towards(
            &group.lines,
            direction(group, margins).filter(|_| !self.is_cell),
        );
        match level {
            Some(level) => Content::Heading {
                level,
                runs,
                alignment: match alignment(&group.lines, margins) {
                    Alignment::Justified => Alignment::Start,
                    alignment => alignment,
                },
            },
            None if !self.is_cell && code::is_code(&group.lines) => Content::Paragraph {
                runs: code::runs(&group.lines, self.writer),
                alignment: Alignment::Start,
                continues: false,
                preformatted: true,
            },
            None => Content::Paragraph {
                runs,
                alignment: alignment(&group.lines, margins),
                continues: false,
                preformatted: false,
            },
        }
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
    let is_mirrored = group.lines.first().is_some_and(Line::is_mirrored);
    let is_right_to_left = from_right != is_mirrored;
    (is_right_to_left && is_at_left() && shows_direction(&group.lines)).then_some(is_mirrored)
}

/// Whether right-to-left text is embedded in other text or preceded by something else on its right.
fn shows_direction(lines: &[Line]) -> bool {
    let mut letters = lines
        .iter()
        .flat_map(Line::glyphs)
        .filter(|glyph| glyph.text.is_alphabetic());
    let rightmost = lines.last().and_then(|line| match line.is_mirrored() {
        true => line.glyphs().next(),
        false => line.glyphs().last(),
    });
    letters.any(|glyph| !bidi::is_right_to_left(glyph.text))
        || rightmost.is_some_and(|glyph| !bidi::is_right_to_left(glyph.text))
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
        let has_direction = line.glyphs().any(|glyph| glyph.text.is_alphabetic());
        let from_right = line.is_from_right();
        match parts.last_mut() {
            Some((before, part))
                if !has_direction
                    || *before == from_right
                    || has_both(&line)
                    || ends(part.last(), &line, *before) =>
            {
                part.push(line);
            }
            _ => parts.push((from_right, vec![line])),
        }
    }
    parts
}

/// Whether a line has letters of both directions.
fn has_both(line: &Line) -> bool {
    let mut sides = line.glyphs().map(bidi::side).filter(|side| *side != 0);
    let first = sides.next();
    sides.any(|side| Some(side) != first)
}

/// Whether a short line begins where the line above it does, or with a hanging indent, in the direction of that line.
fn ends(above: Option<&Line>, line: &Line, from_right: bool) -> bool {
    above.is_some_and(|above| {
        let margins = Margins::new((above.bounds.left, above.bounds.right), from_right);
        (-1.0..line.size * 3.0).contains(&(margins.start_of(line) - margins.start))
            && margins.end_of(line) < margins.end - line.size * 2.0
            && line.baseline - above.baseline < line.size * 2.5
    })
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
pub(in crate::analysis) fn alignment(lines: &[Line], margins: Margins) -> Alignment {
    let Some(size) = lines.first().map(|line| line.size) else {
        return Alignment::Start;
    };
    let near = |one: f32, other: f32| (one - other).abs() < size * 0.25 + 0.5;
    let starts = || lines.iter().map(|line| margins.start_of(line));
    let ends = || lines.iter().map(|line| margins.end_of(line));
    let pairs = lines.iter().zip(lines.iter().skip(1));
    let are_flush = || {
        pairs
            .clone()
            .any(|(one, other)| !margins.are_centered(one, other))
    };
    if lines.iter().all(|line| margins.is_centered(line)) && !are_flush() {
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
