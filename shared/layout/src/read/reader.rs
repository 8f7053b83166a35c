//! The second pass: a page as people read it.

use std::collections::HashMap;

use super::atom::Atom;
use super::band::Span;
use super::block::Maker;
use super::continued::{self, Tail};
use super::edges::{lower, rows, upper};
use super::facts::Facts;
use super::footnote;
use super::front::{Front, Zoned};
use super::line::Line;
use super::look::Look;
use super::order::{Order, Region};
use super::ruled;
use super::turn::Turn;
use super::unruled::Found;
use super::write::Writer;
use super::{Options, Tables, bidi, loose};
use crate::geometry::Rect;
use crate::model::block::{Block, Content};
use crate::model::page::{Basis, Page};
use crate::sheet::Sheet;

/// Reads the pages of a document, one after the other.
pub struct Reader<'a> {
    facts: &'a Facts,
    options: Options,
    tail: Tail,
}

impl<'a> Reader<'a> {
    /// With what is known of the document.
    #[must_use]
    pub fn new(facts: &'a Facts, options: Options) -> Self {
        Self {
            facts,
            options,
            tail: Tail::default(),
        }
    }

    /// Reads the page after the last one.
    pub fn read(&mut self, sheet: &Sheet) -> Page {
        let turn = Turn::of(sheet);
        let turned = turn.sheet(sheet);
        let front = Front::of(
            turned.as_ref().unwrap_or(sheet),
            self.options.tables != Tables::Off,
        );
        let mut page = Page {
            number: sheet.number,
            size: sheet.size,
            basis: Basis::Geometry,
            header: Vec::new(),
            blocks: Vec::new(),
            footer: Vec::new(),
        };
        PageReader::new(self.facts, self.options, &front).read(front.lines.clone(), &mut page);
        self.tail.join(&mut page.blocks);
        for blocks in [&mut page.header, &mut page.blocks, &mut page.footer] {
            turn.back(blocks, sheet.size);
        }
        page
    }
}

/// Reads one page.
struct PageReader<'a> {
    facts: &'a Facts,
    options: Options,
    front: &'a Front,
    maker: Maker<'a>,
    from_right: bool,
}

impl<'a> PageReader<'a> {
    fn new(facts: &'a Facts, options: Options, front: &'a Front) -> Self {
        let writer = Writer {
            links: &front.links,
            words: &facts.words,
        };
        let texts = front
            .lines
            .iter()
            .flat_map(Line::glyphs)
            .map(|glyph| glyph.text);
        Self {
            facts,
            options,
            front,
            maker: Maker {
                facts,
                writer,
                has_headings: true,
            },
            from_right: bidi::is_mostly_from_right(texts),
        }
    }

    fn read(&self, lines: Vec<Line>, page: &mut Page) {
        let (zoned, mut lines): (Vec<_>, Vec<_>) =
            lines.into_iter().partition(|line| line.zone() > 0);
        page.header = self.edge(&mut lines, true);
        page.footer = self.edge(&mut lines, false);
        let mut strokes = self.front.strokes.clone();
        let notes = footnote::take(
            &mut lines,
            &mut strokes,
            &self.front.page,
            self.facts,
            self.maker.writer,
        );
        let mut atoms: Vec<Atom> = lines.into_iter().map(Atom::Line).collect();
        atoms.extend(
            self.tables(zoned)
                .into_iter()
                .map(|(block, bounds)| Atom::Block(block, bounds)),
        );
        let behind = loose::pictures(&self.front.pictures, &mut atoms);
        page.blocks = self.blocks(atoms);
        loose::insert(&mut page.blocks, behind);
        loose::rules(&mut page.blocks, &strokes, &self.front.page);
        page.blocks.extend(notes);
    }

    /// The header or the footer, taken out of the lines.
    fn edge(&self, lines: &mut Vec<Line>, is_upper: bool) -> Vec<Block> {
        let rows = rows(lines.iter().filter(|line| !line.is_turned()).cloned());
        let (keys, known) = match is_upper {
            true => (upper(&rows, &self.front.page), &self.facts.upper),
            false => (lower(&rows, &self.front.page), &self.facts.lower),
        };
        let ordered: Vec<&Vec<Line>> = if is_upper {
            rows.iter().collect()
        } else {
            rows.iter().rev().collect()
        };
        let repeated = keys
            .iter()
            .zip(ordered)
            .take_while(|((key, _), row)| known.contains(key) && !self.is_numbered_title(row));
        let Some(((_, last), _)) = repeated.last() else {
            return Vec::new();
        };
        let is_edge = |line: &Line| match is_upper {
            true => line.baseline <= *last + line.size * 0.35,
            false => line.baseline >= *last - 0.01,
        };
        let (edge, rest) = std::mem::take(lines).into_iter().partition(is_edge);
        *lines = rest;
        let maker = Maker {
            has_headings: false,
            ..self.maker
        };
        let region: Vec<Atom> = super::edges::rows(edge)
            .into_iter()
            .filter_map(|row| row.into_iter().reduce(Line::joined))
            .map(Atom::Line)
            .collect();
        let bounds = Rect::around(region.iter().map(Atom::bounds)).unwrap_or_default();
        maker.blocks(
            Region {
                atoms: region,
                bounds,
                is_column: false,
            },
            self.facts.margins(&self.front.page),
        )
    }

    /// Whether a row looks like a heading and has numbers: chapters begin alike on many pages.
    fn is_numbered_title(&self, row: &[Line]) -> bool {
        let has_number = row
            .iter()
            .flat_map(Line::glyphs)
            .any(|glyph| glyph.text.is_numeric());
        has_number && Look::of_all(row).is_some_and(|look| self.facts.level(&look).is_some())
    }

    fn blocks(&self, atoms: Vec<Atom>) -> Vec<Block> {
        let limits = self.facts.margins(&self.front.page);
        let mut blocks = Vec::new();
        for region in self.regions(atoms) {
            match region.is_column {
                true => continued::append(
                    &mut blocks,
                    self.maker.blocks(region, limits),
                    &self.facts.words,
                ),
                false => blocks.append(&mut self.maker.blocks(region, limits)),
            }
        }
        blocks
    }

    fn regions(&self, atoms: Vec<Atom>) -> Vec<Region> {
        let table = |found: Found| self.unruled(found);
        let order = Order {
            size: self.facts.size().clamp(4.0, 40.0),
            from_right: self.from_right,
            table: (self.options.tables == Tables::Auto)
                .then_some(&table as &dyn Fn(Found) -> Atom),
        };
        order.regions(atoms)
    }

    fn unruled(&self, found: Found) -> Atom {
        let bounds = Rect::around(
            found
                .bands
                .iter()
                .flat_map(|band| &band.atoms)
                .map(Atom::bounds),
        )
        .unwrap_or_default();
        let lefts: Vec<Span> = found.gaps.clone();
        let cells = found.cells(self.facts.size());
        let table = cells
            .map(|cells| ruled::unruled(cells, |lines| self.cell(lines, Vec::new(), None, &lefts)));
        match table {
            Some(table) => Atom::Block(
                Block {
                    bounds: Some(bounds),
                    content: Content::Table(table),
                },
                bounds,
            ),
            None => Atom::Block(
                Block {
                    bounds: Some(bounds),
                    content: Content::Rule,
                },
                bounds,
            ),
        }
    }

    /// The tables that stand on the page itself; those in their cells are within them.
    fn tables(&self, lines: Vec<Line>) -> Vec<(Block, Rect)> {
        let mut zones: HashMap<usize, Vec<Line>> = HashMap::new();
        lines
            .into_iter()
            .for_each(|line| zones.entry(line.zone()).or_default().push(line));
        let mut inner: HashMap<usize, Vec<(Block, Rect)>> = HashMap::new();
        // Smaller tables are first: what lies within another is done before it.
        for zoned in &self.front.tables {
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
        let cells = zoned.grid.cells.iter().enumerate();
        let contents = cells.map(|(number, area)| {
            let zone = zoned.first + number;
            let lines = zones.remove(&zone).unwrap_or_default();
            let look = Look::of_all(&lines).filter(|_| !lines.is_empty());
            let is_plain = !lines.is_empty() && look.is_none();
            let blocks = self.cell(
                lines,
                inner.remove(&zone).unwrap_or_default(),
                Some(area.bounds),
                &[],
            );
            (blocks, look.or_else(|| is_plain.then(Look::default)))
        });
        let bounds = zoned.grid.bounds;
        let table = ruled::table(zoned, contents.collect(), &self.front.fills);
        (
            Block {
                bounds: Some(bounds),
                content: Content::Table(table),
            },
            bounds,
        )
    }

    /// What stands in a cell.
    fn cell(
        &self,
        lines: Vec<Line>,
        inner: Vec<(Block, Rect)>,
        bounds: Option<Rect>,
        _gaps: &[Span],
    ) -> Vec<Block> {
        let limits = bounds.zip(Rect::around(lines.iter().map(|line| line.bounds)));
        // What a cell leaves free on one side it leaves free on the other, too.
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
            size: self.facts.size().clamp(4.0, 40.0),
            from_right: self.from_right,
            table: None,
        };
        let maker = Maker {
            has_headings: false,
            ..self.maker
        };
        order
            .regions(atoms)
            .into_iter()
            .flat_map(|region| maker.blocks(region, limits))
            .collect()
    }
}
