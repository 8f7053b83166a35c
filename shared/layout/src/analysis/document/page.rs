//! Structure of a page from the positions of its lines.

use std::collections::HashMap;

use crate::analysis::blocks::block::Maker;
use crate::analysis::blocks::footnote;
use crate::analysis::blocks::loose;
use crate::analysis::candidates::candidate::Trace;
use crate::analysis::document::blocks_across_pages;
use crate::analysis::document::header_parts;
use crate::analysis::front::{Backdrop, Zoned};
use crate::analysis::glyphs::bidi;
use crate::analysis::lines::column::Margins;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::text_style::TextStyle;
use crate::analysis::lines::write::Writer;
use crate::analysis::regions::atom::Atom;
use crate::analysis::regions::known_gutters::KnownGutters;
use crate::analysis::regions::order::{Order, Region};
use crate::analysis::survey::headers_footers::{lower, rows, upper};
use crate::analysis::survey::headings::page_lines::PageLines;
use crate::analysis::survey::statistics::DocumentStatistics;
use crate::analysis::tables::head::head;
use crate::analysis::tables::ruled;
use crate::analysis::tables::spans;
use crate::model::block::{Block, Content};
use crate::model::geometry::Rect;
use crate::model::page::Page;

/// Number of pages up to which repetition cannot be detected, height of the edge area in such documents as a fraction of the
/// page height, and minimum number of other rows.
const FEW: u32 = 1;
const EDGE: f32 = 0.075;
const ALONE: usize = 6;
/// Maximum padding of cells, points.
const PADDING: f32 = 8.0;
/// At least one of this number of lines of a table that is read in the direction of its page has that direction.
const LIKE_PAGE: usize = 6;

/// Analyzes one page.
pub(in crate::analysis) struct PageReader<'a> {
    pub(in crate::analysis) statistics: &'a DocumentStatistics,
    pub(in crate::analysis) drawn: &'a Backdrop,
    pub(in crate::analysis) maker: Maker<'a>,
    pub(in crate::analysis) from_right: bool,
    /// Gutters of the columns of the document so far.
    known: &'a KnownGutters,
}

impl<'a> PageReader<'a> {
    pub(in crate::analysis) fn new(
        statistics: &'a DocumentStatistics,
        drawn: &'a Backdrop,
        lines: &[Line],
        places: &'a PageLines,
        known: &'a KnownGutters,
        trace: &'a Trace,
    ) -> Self {
        let writer = Writer {
            links: &drawn.links,
            words: &statistics.words,
        };
        let glyphs = lines.iter().flat_map(Line::glyphs);
        Self {
            statistics,
            drawn,
            maker: Maker {
                statistics,
                writer,
                page: Some(places),
                is_cell: false,
                trace,
            },
            from_right: bidi::is_mostly_from_right(glyphs),
            known,
        }
    }

    /// Analyzes the page from the positions of its lines.
    pub(in crate::analysis) fn read(&self, lines: Vec<Line>, page: &mut Page) {
        let (zoned, mut lines): (Vec<_>, Vec<_>) =
            lines.into_iter().partition(|line| line.zone() > 0);
        page.header = self.rows(self.edge(&mut lines, page.number, true));
        page.footer = self.rows(self.edge(&mut lines, page.number, false));
        let mut strokes = self.drawn.strokes.clone();
        let notes = footnote::take(
            &mut lines,
            &mut strokes,
            &self.drawn.page,
            self.statistics,
            self.maker.writer,
        );
        let mut atoms: Vec<Atom> = lines.into_iter().map(Atom::Line).collect();
        atoms.extend(
            self.tables(zoned)
                .into_iter()
                .map(|(block, bounds)| Atom::Block(block, bounds)),
        );
        let writer = self.maker.writer;
        let figures = self.drawn.figures.iter();
        let figures =
            figures.filter_map(|figure| Some((figure.block(None, writer)?, figure.bounds)));
        atoms.extend(figures.map(|(block, bounds)| Atom::Block(block, bounds)));
        let behind = loose::pictures(&self.drawn.pictures, &mut atoms);
        page.blocks = self.blocks(atoms);
        loose::insert(&mut page.blocks, behind);
        loose::rules(&mut page.blocks, &strokes, &self.drawn.page);
        page.blocks.extend(notes);
    }

    /// Removes the header and footer of a page from lines that the document declares as its text, and returns their lines;
    /// none in documents too short for repetition.
    pub(in crate::analysis) fn edges(&self, mut lines: Vec<Line>, number: u32) -> [Vec<Line>; 2] {
        if self.statistics.pages <= FEW {
            return [Vec::new(), Vec::new()];
        }
        [true, false].map(|is_upper| self.edge(&mut lines, number, is_upper))
    }

    /// Removes the header or footer of the page from the lines and returns its lines.
    fn edge(&self, lines: &mut Vec<Line>, number: u32, is_upper: bool) -> Vec<Line> {
        let rows = rows(lines.iter().filter(|line| !line.is_turned()).cloned());
        let (edges, known) = match is_upper {
            true => (
                upper(&rows, &self.drawn.page, number),
                &self.statistics.upper,
            ),
            false => (
                lower(&rows, &self.drawn.page, number),
                &self.statistics.lower,
            ),
        };
        let ordered: Vec<&Vec<Line>> = if is_upper {
            rows.iter().collect()
        } else {
            rows.iter().rev().collect()
        };
        let is_alone = |row: &[Line]| self.is_apart(row, &rows, is_upper);
        let repeated = edges.iter().zip(&ordered).take_while(|(edge, row)| {
            let is_edge = known.is_said(edge) || is_alone(row);
            known.is_running(edge) || is_edge && !self.is_numbered_title(row)
        });
        let mut repeated: Vec<_> = repeated.collect();
        if is_upper {
            let same = repeated.iter().rev();
            let same = same.take_while(|(edge, _)| known.is_same(edge)).count();
            let head = head(&ordered, repeated.len(), &self.drawn.strokes);
            repeated.truncate(repeated.len() - head.min(same));
        }
        let mut repeated = repeated.into_iter().rev();
        let last = repeated.find(|(edge, row)| known.is_apart(edge) || is_alone(row));
        let Some((last, _)) = last else {
            return Vec::new();
        };
        let is_edge = |line: &Line| match is_upper {
            true => line.baseline <= last.baseline + line.size * 0.35,
            false => line.baseline >= last.baseline - 0.01,
        };
        let (edge, rest) = std::mem::take(lines).into_iter().partition(is_edge);
        *lines = rest;
        edge
    }

    /// Returns header or footer blocks: lines on one baseline are merged, with tabs between their parts, and there are no headings.
    pub(in crate::analysis) fn rows(&self, lines: Vec<Line>) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut lines_before = Vec::new();
        for row in rows(lines).into_iter().filter_map(Line::joined) {
            match self.parts(&row) {
                Some(block) => {
                    blocks.append(&mut self.margin_text(std::mem::take(&mut lines_before)));
                    blocks.push(block);
                }
                None => lines_before.push(row),
            }
        }
        blocks.append(&mut self.margin_text(lines_before));
        blocks
    }

    /// Returns a row of a header or footer with several parts; `None` if it has one.
    fn parts(&self, row: &Line) -> Option<Block> {
        let limits = self.statistics.margins(&self.drawn.page)?;
        let parts = header_parts::parts(row, Margins::new(limits, self.from_right))?;
        let parts = parts.into_iter();
        let parts = parts.map(|(stop, part)| (stop, self.margin_text(vec![part])));
        header_parts::joined(parts.collect())
    }

    fn margin_text(&self, lines: Vec<Line>) -> Vec<Block> {
        let maker = Maker {
            page: None,
            ..self.maker
        };
        let bounds = Rect::around(lines.iter().map(|line| line.bounds)).unwrap_or_default();
        maker.blocks(
            Region {
                atoms: lines.into_iter().map(Atom::Line).collect(),
                bounds,
                is_column: false,
                is_contents: false,
            },
            self.statistics.margins(&self.drawn.page),
        )
    }

    /// Whether a row is isolated at the edge of the page, in a document too short for repetition.
    fn is_apart(&self, row: &[Line], rows: &[Vec<Line>], is_upper: bool) -> bool {
        let Some(line) = row
            .first()
            .filter(|_| self.statistics.pages <= FEW && rows.len() > ALONE)
        else {
            return false;
        };
        let height = self.drawn.page.height();
        let edge = match is_upper {
            true => line.baseline,
            false => height - line.baseline,
        };
        let apart = |other: &Line| (other.baseline - line.baseline).abs();
        let others = rows
            .iter()
            .flatten()
            .map(apart)
            .filter(|apart| *apart > line.size * 0.5);
        let nearest = others.fold(f32::INFINITY, f32::min);
        let is_title = TextStyle::of_all(row).is_some_and(|look| self.statistics.levels.has(&look));
        edge < height * EDGE && nearest > line.size * 2.2 && !is_title
    }

    /// Whether a row looks like a numbered heading: chapter headings are similar on many pages.
    fn is_numbered_title(&self, row: &[Line]) -> bool {
        let has_number = row
            .iter()
            .flat_map(Line::glyphs)
            .any(|glyph| glyph.text.is_numeric());
        has_number && TextStyle::of_all(row).is_some_and(|look| self.statistics.levels.has(&look))
    }

    /// Converts atoms to blocks in reading order.
    pub(in crate::analysis) fn blocks(&self, atoms: Vec<Atom>) -> Vec<Block> {
        let limits = self.statistics.margins(&self.drawn.page);
        let mut blocks = Vec::new();
        for mut region in self.regions(atoms) {
            // The last page of columns may have one column only.
            region.is_column |= self.known.is_beside(&region.bounds);
            match region.is_column {
                true => blocks_across_pages::append(
                    &mut blocks,
                    self.maker.blocks(region, limits),
                    &self.statistics.words,
                ),
                false => blocks.append(&mut self.maker.blocks(region, limits)),
            }
        }
        blocks
    }

    fn regions(&self, atoms: Vec<Atom>) -> Vec<Region> {
        let order = Order {
            size: self.statistics.size().clamp(4.0, 40.0),
            from_right: self.from_right,
            known: self.known,
            trace: self.maker.trace,
        };
        order.regions(atoms)
    }

    /// Returns the tables of the page, with bounds for reading order; nested ones are in their cells.
    fn tables(&self, lines: Vec<Line>) -> Vec<(Block, Rect)> {
        let mut zones: HashMap<usize, Vec<Line>> = HashMap::new();
        lines
            .into_iter()
            .for_each(|line| zones.entry(line.zone()).or_default().push(line));
        let mut inner: HashMap<usize, Vec<(Block, Rect)>> = HashMap::new();
        // Nested tables come first and are finished before the outer ones.
        for zoned in &self.drawn.tables {
            let table = self.table(zoned, &mut zones, &mut inner);
            inner.entry(zoned.within).or_default().push(table);
        }
        inner.remove(&0).unwrap_or_default()
    }

    fn table(
        &self,
        zoned: &Zoned,
        zones: &mut HashMap<usize, Vec<Line>>,
        inner: &mut HashMap<usize, Vec<(Block, Rect)>>,
    ) -> (Block, Rect) {
        let of_table =
            (0..zoned.grid.cells.len()).filter_map(|cell| zones.get(&(zoned.first + cell)));
        let of_table: Vec<&Line> = of_table.flatten().collect();
        let from_right = self.is_from_right(of_table.iter().copied());
        let text = Rect::around(of_table.iter().map(|line| line.bounds));
        let cells = zoned.grid.cells.iter().enumerate();
        let contents = cells.map(|(number, area)| {
            let zone = zoned.first + number;
            let lines = zones.remove(&zone).unwrap_or_default();
            let look = TextStyle::of_all(&lines).filter(|_| !lines.is_empty());
            let is_plain = !lines.is_empty() && look.is_none();
            let blocks = self.cell(
                lines,
                inner.remove(&zone).unwrap_or_default(),
                Some(area.bounds),
            );
            (blocks, look.or_else(|| is_plain.then(TextStyle::default)))
        });
        let bounds = zoned.grid.bounds;
        let mut table = ruled::table(zoned, contents.collect(), &self.drawn.fills);
        if from_right {
            table.mirror_columns();
        }
        if !table.ruled {
            spans::widen(&mut table, bounds, from_right);
        }
        (
            Block {
                // The grid reaches a little beyond its text, at a page edge beyond the page.
                bounds: bounds.within(&self.drawn.page).or(Some(bounds)),
                ..Block::from(Content::Table(table))
            },
            without_padding(bounds, text),
        )
    }

    /// Whether the columns of a table are read from right to left: as the page is, unless nearly all of its text runs the other
    /// way.
    fn is_from_right<'l>(&self, lines: impl Iterator<Item = &'l Line>) -> bool {
        let has_letters = |line: &&Line| line.glyphs().any(|glyph| glyph.text.is_alphabetic());
        let lines: Vec<&Line> = lines.filter(has_letters).collect();
        let is_like_page = |line: &&&Line| line.is_from_right() == self.from_right;
        let like_page = lines.iter().filter(is_like_page).count();
        (like_page * LIKE_PAGE >= lines.len()) == self.from_right
    }

    /// Returns the content of a cell.
    fn cell(
        &self,
        lines: Vec<Line>,
        inner: Vec<(Block, Rect)>,
        bounds: Option<Rect>,
    ) -> Vec<Block> {
        let limits = bounds.zip(Rect::around(lines.iter().map(|line| line.bounds)));
        // Cell padding is assumed to be the same on both sides.
        let limits = limits.map(|(cell, text)| {
            let free = (text.left - cell.left)
                .min(cell.right - text.right)
                .max(0.0);
            (cell.left + free, cell.right - free)
        });
        let atoms = lines.into_iter().map(Atom::Line);
        let atoms: Vec<Atom> = atoms
            .chain(
                inner
                    .into_iter()
                    .map(|(block, bounds)| Atom::Block(block, bounds)),
            )
            .collect();
        let order = Order {
            size: self.statistics.size().clamp(4.0, 40.0),
            from_right: self.from_right,
            known: &KnownGutters::default(),
            trace: self.maker.trace,
        };
        let maker = Maker {
            page: None,
            is_cell: true,
            ..self.maker
        };
        order
            .regions(atoms)
            .into_iter()
            .flat_map(|region| maker.blocks(region, limits))
            .collect()
    }
}

/// Returns the bounds of a table without the padding of its first and last column: it reaches into the gutter if the text of the
/// cells is aligned with the column of the page.
fn without_padding(bounds: Rect, text: Option<Rect>) -> Rect {
    let padding = |space: f32| space.clamp(0.0, PADDING);
    match text {
        Some(text) => Rect {
            left: bounds.left + padding(text.left - bounds.left),
            right: bounds.right - padding(bounds.right - text.right),
            ..bounds
        },
        None => bounds,
    }
}
