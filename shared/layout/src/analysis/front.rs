//! The first stage of both passes: lines, grids and other graphics of a page.

use super::candidates::candidate::Trace;
use super::figures::{self, Figure};
use super::formatting::highlight;
use super::glyphs::clean;
use super::glyphs::declared;
use super::glyphs::glyph::Glyph;
use super::glyphs::kashida;
use super::glyphs::marks;
use super::glyphs::mirror;
use super::glyphs::piece::is_turned;
use super::glyphs::zone;
use super::lines::bullet;
use super::lines::initial;
use super::lines::line::Line;
use super::tables::content::Content;
use super::tables::detect;
use super::tables::grid::Grid;
use crate::model::geometry::Rect;
use crate::model::page::Page;
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
    /// Whether all its positions are mirrored, because most of the text is right-to-left.
    pub(super) is_mirrored: bool,
    pub(super) figures: Vec<Figure>,
    pub(super) tables: Vec<Zoned>,
    /// Horizontal and vertical lines that belong neither to tables nor to underlines and strikethroughs.
    pub(super) strokes: Vec<Stroke>,
    pub(super) fills: Vec<Rect>,
    /// Circles that are drawn as outlines.
    pub(super) circles: Vec<Rect>,
    pub(super) pictures: Vec<Picture>,
    pub(super) links: Vec<LinkArea>,
    /// Areas of form fields.
    pub(super) fields: Vec<Rect>,
}

impl Backdrop {
    /// Mirrors the blocks of a page back if the page is mirrored.
    pub(super) fn back(&self, page: &mut Page) {
        if self.is_mirrored {
            for blocks in [&mut page.header, &mut page.blocks, &mut page.footer] {
                mirror::back(blocks, self.page.width());
            }
        }
    }
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
    pub(super) fn of(sheet: &PageContent, trace: &Trace) -> Self {
        let (mut glyphs, drawn) = marked(sheet, trace);
        bullet::add(
            &mut glyphs,
            drawn.fills.iter().chain(&drawn.circles).copied(),
        );
        Self {
            lines: initial::lines_of(glyphs),
            drawn,
        }
    }
}

/// Returns the characters with zone, link, underline and strikethrough, and the graphics that are not marks of text.
/// What is in figures is part of them alone.
pub(super) fn marked(sheet: &PageContent, trace: &Trace) -> (Vec<Glyph>, Backdrop) {
    let mirrored = mirror::mirrored(sheet);
    let is_mirrored = mirrored.is_some();
    let sheet = mirrored.as_ref().unwrap_or(sheet);
    let page = clean::page(sheet);
    let mut glyphs = clean::glyphs(sheet);
    glyphs
        .iter_mut()
        .for_each(|glyph| glyph.is_mirrored = is_mirrored);
    declared::join(&mut glyphs);
    kashida::remove(&mut glyphs);
    let figures = figures::take(sheet, &mut glyphs, trace);
    let is_free = |bounds: &Rect| {
        let mut figures = figures.iter();
        !figures.any(|figure| figure.bounds.contains(bounds.center()))
    };
    let strokes = sheet
        .strokes
        .iter()
        .filter_map(|stroke| clean::on(&page, &stroke.bounds))
        .filter(is_free);
    let strokes: Vec<Stroke> = strokes.map(|bounds| Stroke { bounds }).collect();
    let fills: Vec<Rect> = sheet
        .fills
        .iter()
        .filter_map(|fill| clean::on(&page, fill))
        .filter(is_free)
        .collect();
    let content = Content::new(page, &strokes, &fills, &glyphs);
    let tables = zoned(detect::tables(&content, &glyphs, trace));
    for glyph in &mut glyphs {
        glyph.zone = match is_turned(glyph) {
            true => zone_at(&tables, glyph.bounds.center()),
            false => zone_at(&tables, glyph.middle()),
        };
    }
    zone::keep_words_whole(&mut glyphs);
    let loose = strokes
        .into_iter()
        .filter(|stroke| !is_drawn_by(&tables, stroke))
        .collect();
    let strokes = marks::underline(&mut glyphs, loose, !is_scan(sheet));
    marks::link(&mut glyphs, &sheet.links, sheet.number);
    // The image of a figure shows the pictures in it; a figure that is only text does not.
    let is_shown = |bounds: &Rect| {
        let mut rendered = figures.iter().filter(|figure| figure.is_rendered());
        rendered.any(|figure| figure.bounds.contains(bounds.center()))
    };
    let mut pictures = pictures(sheet, &page);
    pictures.retain(|picture| !is_shown(&picture.bounds));
    highlight::mark(&mut glyphs, &sheet.drawings);
    let drawn = Backdrop {
        page,
        is_mirrored,
        figures,
        tables,
        strokes,
        fills,
        circles: bullet::circles(&sheet.drawings).collect(),
        pictures,
        links: sheet.links.clone(),
        fields: sheet.fields.clone(),
    };
    (glyphs, drawn)
}

/// Whether the page is a scan. Strokes through its words are then misdetected underlines.
fn is_scan(sheet: &PageContent) -> bool {
    sheet.is_recognized || sheet.characters.iter().all(|character| character.is_hidden)
}

fn pictures(sheet: &PageContent, page: &Rect) -> Vec<Picture> {
    let pictures = sheet.pictures.iter().filter_map(|picture| {
        let bounds = clean::on(page, &picture.bounds)?;
        Some(Picture { bounds, ..*picture })
    });
    pictures.collect()
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
