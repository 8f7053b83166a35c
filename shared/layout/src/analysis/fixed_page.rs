//! Page content → pages of fixed layout: each line and graphic at its position.
//!
//! Text is grouped by writing direction; in the rotated coordinates of a direction, lines and reading order are detected as for
//! horizontal text.

mod alternatives;
mod cut;
mod graphics;
mod sorts;

use super::candidates::candidate::Trace;
use super::glyphs::bidi;
use super::glyphs::clean;
use super::glyphs::piece::Piece;
use super::glyphs::slant::Slant;
use super::lines::line::Line;
use super::lines::words::Words;
use super::lines::write::Writer;
use super::regions::atom::Atom;
use super::regions::known_gutters::KnownGutters;
use super::regions::order::Order;
use super::warning::{self, Warning};
use crate::model::fixed::{self, FixedPage};
use crate::model::geometry::Rect;
use crate::model::page_content::PageContent;
use crate::model::text::Run;

/// Maximum gap within a line, as a fraction of the font size; beyond it a new line begins.
const WIDEST: f32 = 1.0;
/// Maximum displacement of a part of a line by different space widths, as a fraction of the font size.
const FARTHEST: f32 = 0.4;

/// A page of fixed layout with warnings about dropped content.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedReading {
    /// The page.
    pub page: FixedPage,
    /// Warnings without order; each at most once.
    pub warnings: Vec<Warning>,
}

/// Converts page content to a page of fixed layout.
///
/// Invisible text is dropped, unless it replaces a picture that is left out because pictures are not shown.
#[must_use]
pub fn fixed_page(sheet: &PageContent, shows_pictures: bool) -> FixedReading {
    let page = clean::page(sheet);
    let (mut sorts, mut backdrop) = sorts::of(sheet, &page);
    // The direction with most characters is read first.
    sorts.sort_by_key(|sort| std::cmp::Reverse(sort.letters));
    let left_out = match shows_pictures {
        true => Vec::new(),
        false => backdrop.take_pictures(),
    };
    let lines = sorts
        .into_iter()
        .flat_map(|sort| lines(sort, sheet, &left_out));
    let lines = lines.collect();
    let mut warnings = warning::of_sheet(sheet);
    let is_truncated = backdrop.is_truncated && !warnings.contains(&Warning::TooMuch);
    warnings.extend(is_truncated.then_some(Warning::TooMuch));
    FixedReading {
        page: FixedPage {
            number: sheet.number,
            size: sheet.size,
            lines,
            graphics: backdrop.seen,
        },
        warnings,
    }
}

/// Returns the lines of one direction in reading order; hidden lines are dropped unless they replace a picture that is left
/// out.
fn lines(sort: sorts::Sort, sheet: &PageContent, left_out: &[Rect]) -> Vec<fixed::Line> {
    let words = Words::default();
    let writer = Writer {
        links: &sheet.links,
        words: &words,
    };
    let slant = sort.slant;
    let parts = sort.lines.into_iter().flat_map(parts).collect();
    let written = in_order(parts).into_iter().map(|line| {
        let mut placed = turned(&line, writer.runs([&line]), &slant);
        let middle = slant.point(line.bounds.center());
        if sort.is_hidden && !left_out.iter().any(|picture| picture.contains(middle)) {
            placed
                .runs
                .iter_mut()
                .for_each(|run| run.style.invisible = true);
        }
        placed
    });
    written.collect()
}

/// Returns a line in page coordinates.
fn turned(line: &Line, runs: Vec<Run>, slant: &Slant) -> fixed::Line {
    let Rect {
        left,
        top,
        right,
        bottom,
    } = line.bounds;
    let (x, y) = slant.point((left, line.baseline));
    fixed::Line {
        bounds: Rect {
            left: x,
            top: y - (line.baseline - top),
            right: x + (right - left),
            bottom: y + (bottom - line.baseline),
        },
        baseline: y,
        angle: slant.angle,
        runs,
    }
}

/// Splits a line at gaps, such as after a marker, and where different space widths would displace the following text too far.
fn parts(mut line: Line) -> Vec<Line> {
    let mut parts: Vec<Vec<Piece>> = Vec::new();
    let (mut end, mut moved) = (f32::NEG_INFINITY, 0.0);
    let has_right = line.glyphs().any(bidi::is_from_right);
    for piece in &line.pieces {
        let gap = piece.bounds.left - end;
        moved += gap - space(piece);
        let is_apart = gap > line.size * WIDEST || !has_right && moved.abs() > line.size * FARTHEST;
        end = end.max(piece.bounds.right);
        match parts.last_mut().filter(|_| !is_apart) {
            Some(part) => part.push(piece.clone()),
            None => {
                moved = 0.0;
                parts.push(vec![piece.clone()]);
            }
        }
    }
    if parts.len() < 2 {
        return vec![line];
    }
    // Frees the pieces: many lines at one position would otherwise hold them repeatedly.
    line.pieces.clear();
    let part = |pieces: Vec<Piece>| {
        let mut part = line.clone();
        part.bounds = Rect::around(pieces.iter().map(|piece| piece.bounds)).unwrap_or(line.bounds);
        part.pieces = pieces;
        part
    };
    parts.into_iter().map(part).collect()
}

/// Returns the width of the space before a piece, points.
fn space(piece: &Piece) -> f32 {
    let is_monospaced = piece.glyphs.iter().any(|glyph| glyph.font.is_monospaced);
    match (piece.is_close, is_monospaced) {
        (true, _) => 0.0,
        (false, true) => piece.size * 0.6,
        (false, false) => piece.size * 0.26,
    }
}

/// Returns lines in reading order, column by column.
fn in_order(mut lines: Vec<Line>) -> Vec<Line> {
    let mut sizes = Vec::new();
    for (place, line) in lines.iter_mut().enumerate() {
        let glyphs = line.pieces.iter_mut().flat_map(|piece| &mut piece.glyphs);
        glyphs.for_each(|glyph| glyph.order = place);
        sizes.push(line.size);
    }
    sizes.sort_by(f32::total_cmp);
    let glyphs = lines.iter().flat_map(Line::glyphs);
    let order = Order {
        size: sizes
            .get(sizes.len() / 2)
            .map_or(10.0, |size| size.clamp(4.0, 40.0)),
        from_right: bidi::is_mostly_from_right(glyphs),
        known: &KnownGutters::default(),
        trace: &Trace::default(),
    };
    let atoms = lines.iter().cloned().map(Atom::Line).collect();
    let regions = order.regions(atoms).into_iter();
    let read = regions
        .flat_map(|region| region.atoms)
        .flat_map(|atom| places(&atom));
    let mut lines: Vec<Option<Line>> = lines.into_iter().map(Some).collect();
    let read: Vec<Line> = read
        .filter_map(|place| lines.get_mut(place)?.take())
        .collect();
    read.into_iter()
        .chain(lines.into_iter().flatten())
        .collect()
}

/// Returns the indices of the lines of an atom, from left to right.
fn places(atom: &Atom) -> Vec<usize> {
    match atom {
        Atom::Line(line) => line.glyphs().map(|glyph| glyph.order).collect(),
        Atom::Block(..) => Vec::new(),
    }
}
