//! The first stage of both passes: lines, grids and other graphics of a page.

use super::banded;
use super::bullet;
use super::clean;
use super::glyph::Glyph;
use super::grid::{self, Grid};
use super::initial;
use super::line::Line;
use super::marks;
use super::zone;
use crate::model::geometry::Rect;
use crate::model::page_content::{LinkArea, PageContent, Picture, Stroke};

/// A page after line detection.
pub(super) struct Front {
    /// Lines; those in tables have the number of their zone.
    pub(super) lines: Vec<Line>,
    pub(super) drawn: Backdrop,
}

/// The graphics of a page.
pub(super) struct Backdrop {
    pub(super) page: Rect,
    pub(super) tables: Vec<Zoned>,
    /// Horizontal and vertical lines that belong neither to tables nor to underlines and strikethroughs.
    pub(super) strokes: Vec<Stroke>,
    pub(super) fills: Vec<Rect>,
    pub(super) pictures: Vec<Picture>,
    pub(super) links: Vec<LinkArea>,
}

/// A grid whose cells are numbered as zones.
#[derive(Clone, Debug)]
pub(super) struct Zoned {
    pub(super) grid: Grid,
    /// Zone of the first cell; the other cells follow.
    pub(super) first: usize,
    /// Zone that contains the grid; 0 is the page.
    pub(super) within: usize,
}

impl Front {
    pub(super) fn of(sheet: &PageContent) -> Self {
        let (mut glyphs, drawn) = marked(sheet);
        bullet::add(&mut glyphs, &drawn.fills);
        Self {
            lines: initial::lines_of(glyphs),
            drawn,
        }
    }
}

/// Returns the characters with zone, link, underline and strikethrough, and the remaining graphics.
pub(super) fn marked(sheet: &PageContent) -> (Vec<Glyph>, Backdrop) {
    let page = clean::page(sheet);
    let mut glyphs = clean::glyphs(sheet);
    let strokes = sheet
        .strokes
        .iter()
        .filter_map(|stroke| clean::on(&page, &stroke.bounds));
    let strokes: Vec<Stroke> = strokes.map(|bounds| Stroke { bounds }).collect();
    let fills: Vec<Rect> = sheet
        .fills
        .iter()
        .filter_map(|fill| clean::on(&page, fill))
        .collect();
    let grids = grids(&strokes, &fills, &glyphs);
    let is_filled = |grid: &Grid| is_table(grid, glyphs.iter().map(|glyph| glyph.bounds.center()));
    let tables = zoned(
        grids
            .into_iter()
            .take(grid::GRIDS)
            .filter(is_filled)
            .collect(),
    );
    for glyph in &mut glyphs {
        glyph.zone = zone_at(&tables, glyph.bounds.center());
    }
    zone::keep_words_whole(&mut glyphs);
    let loose = strokes
        .into_iter()
        .filter(|stroke| !is_drawn_by(&tables, stroke))
        .collect();
    let strokes = marks::underline(&mut glyphs, loose, !is_scan(sheet));
    marks::link(&mut glyphs, &sheet.links, sheet.number);
    let drawn = Backdrop {
        page,
        tables,
        strokes,
        fills,
        pictures: pictures(sheet, &page),
        links: sheet.links.clone(),
    };
    (glyphs, drawn)
}

/// Whether the page is a scan. Strokes through its words are then misdetected underlines.
fn is_scan(sheet: &PageContent) -> bool {
    sheet.is_recognized || sheet.characters.iter().all(|character| character.is_hidden)
}

/// Returns the grids that are tables. A grid with a single column is dropped if horizontal rules show other columns.
fn grids(strokes: &[Stroke], fills: &[Rect], glyphs: &[Glyph]) -> Vec<Grid> {
    let (single, mut grids): (Vec<Grid>, Vec<Grid>) = grid::grids(strokes)
        .into_iter()
        .partition(|grid| grid.xs.len() == 2);
    grids.append(&mut banded::grids(strokes, fills, glyphs, &grids));
    let is_other = |frame: &Grid| {
        !grids
            .iter()
            .any(|grid| frame.bounds.grown(4.0).contains(grid.bounds.center()))
    };
    let single: Vec<Grid> = single.into_iter().filter(is_other).collect();
    grids.extend(single);
    grids
}

fn pictures(sheet: &PageContent, page: &Rect) -> Vec<Picture> {
    let pictures = sheet.pictures.iter().filter_map(|picture| {
        let bounds = clean::on(page, &picture.bounds)?;
        Some(Picture { bounds, ..*picture })
    });
    pictures.collect()
}

/// Whether enough cells of a grid contain text: drawings also consist of lines.
fn is_table(grid: &Grid, text: impl Iterator<Item = (f32, f32)>) -> bool {
    let mut filled = vec![false; grid.cells.len()];
    for cell in text.filter_map(|point| grid.cell_at(point)) {
        filled
            .get_mut(cell)
            .into_iter()
            .for_each(|filled| *filled = true);
    }
    let count = filled.iter().filter(|filled| **filled).count();
    count >= 2 && count * 8 >= filled.len()
}

/// Numbers the cells of grids, smaller grids first, because they may be nested in larger ones.
fn zoned(mut grids: Vec<Grid>) -> Vec<Zoned> {
    let area = |grid: &Grid| grid.bounds.width() * grid.bounds.height();
    grids.sort_by(|one, other| area(one).total_cmp(&area(other)));
    let mut first = 1;
    let mut tables: Vec<Zoned> = Vec::new();
    for grid in grids {
        let cells = grid.cells.len();
        tables.push(Zoned {
            grid,
            first,
            within: 0,
        });
        first += cells;
    }
    let within: Vec<usize> = (1..=tables.len())
        .map(|next| {
            let center = tables.get(next - 1).map(|table| table.grid.bounds.center());
            let larger = tables.get(next..).unwrap_or_default();
            center.map_or(0, |center| zone_at(larger, center))
        })
        .collect();
    tables
        .iter_mut()
        .zip(within)
        .for_each(|(table, within)| table.within = within);
    tables
}

fn zone_at(tables: &[Zoned], point: (f32, f32)) -> usize {
    let mut found = tables
        .iter()
        .filter_map(|table| Some(table.first + table.grid.cell_at(point)?));
    found.next().unwrap_or(0)
}

fn is_drawn_by(tables: &[Zoned], stroke: &Stroke) -> bool {
    let near = |all: &[f32], value: f32| all.iter().any(|edge| (edge - value).abs() < 3.0);
    let center = stroke.bounds.center();
    tables.iter().any(|Zoned { grid, .. }| {
        grid.bounds.grown(3.0).contains(center)
            && match stroke.is_horizontal() {
                true => near(&grid.ys, center.1),
                false => near(&grid.xs, center.0),
            }
    })
}
