//! Underlines, strikethroughs and link areas.

use std::collections::HashMap;

use crate::analysis::glyphs::glyph::Glyph;
use crate::model::geometry::Rect;
use crate::model::page_content::{LinkArea, Stroke};

/// Maximum thickness of an underline or strikethrough, points.
const THICKEST: f32 = 4.0;
/// Maximum number of comparisons per page.
const COMPARED: usize = 4_000_000;
/// Height of the strips of the link lookup, points, and maximum number of strips of a link.
const STRIP: f32 = 16.0;
const STRIPS: usize = 500;
/// Maximum number of links of a strip that are examined.
const LINKS: usize = 64;

/// Marks characters as underlined and, if `strikes`, as struck through, and returns the other strokes.
pub(in crate::analysis) fn underline(
    glyphs: &mut [Glyph],
    strokes: Vec<Stroke>,
    strikes: bool,
) -> Vec<Stroke> {
    let mut order: Vec<usize> = (0..glyphs.len())
        .filter(|index| glyphs.get(*index).is_some_and(|glyph| glyph.size < 200.0))
        .collect();
    let baseline =
        |glyphs: &[Glyph], index: usize| glyphs.get(index).map_or(0.0, |glyph| glyph.baseline);
    order.sort_by(|one, other| baseline(glyphs, *one).total_cmp(&baseline(glyphs, *other)));
    let largest = order
        .iter()
        .filter_map(|index| glyphs.get(*index))
        .map(|glyph| glyph.size)
        .fold(0.0, f32::max);
    let mut left = COMPARED;
    let mut rest = strokes;
    rest.retain(|stroke| {
        let (_, y) = stroke.bounds.center();
        if !stroke.is_horizontal() || stroke.bounds.height() > THICKEST {
            return true;
        }
        let from = order.partition_point(|index| baseline(glyphs, *index) < y - largest * 0.35);
        let to = order.partition_point(|index| baseline(glyphs, *index) <= y + largest * 0.5);
        let near = order.get(from..to).unwrap_or_default();
        left = left.saturating_sub(near.len());
        left == 0 || !mark(glyphs, near, &stroke.bounds, strikes)
    });
    rest
}

/// Marks the characters above or through which a line is drawn, if it is no longer than they are.
fn mark(glyphs: &mut [Glyph], near: &[usize], line: &Rect, strikes: bool) -> bool {
    let (_, y) = line.center();
    let place = |glyph: &Glyph| (y - glyph.baseline) / glyph.size;
    let met = near.iter().copied().filter(|index| {
        glyphs.get(*index).is_some_and(|glyph| {
            let (x, _) = glyph.bounds.center();
            (line.left - 0.5..=line.right + 0.5).contains(&x)
                && (-0.45..0.3).contains(&place(glyph))
        })
    });
    let met: Vec<usize> = met.collect();
    let text = Rect::around(
        met.iter()
            .filter_map(|index| glyphs.get(*index))
            .map(|glyph| glyph.bounds),
    );
    let slack = met
        .iter()
        .filter_map(|index| glyphs.get(*index))
        .map(|glyph| glyph.size * 0.3)
        .fold(0.5, f32::max);
    let is_short =
        text.is_some_and(|text| text.left - slack <= line.left && line.right <= text.right + slack);
    if !is_short {
        return false;
    }
    for index in met {
        let Some(glyph) = glyphs.get_mut(index) else {
            continue;
        };
        match place(glyph) {
            under if under > -0.05 => glyph.underlined = true,
            through if through < -0.12 => glyph.strikethrough |= strikes,
            _ => {}
        }
    }
    true
}

/// Assigns links to characters. Links to the page itself are dropped.
pub(in crate::analysis) fn link(glyphs: &mut [Glyph], links: &[LinkArea], page: u32) {
    let here = format!("#page={page}");
    let mut strips: HashMap<i32, Vec<usize>> = HashMap::new();
    for (index, link) in links
        .iter()
        .enumerate()
        .filter(|(_, link)| is_sane(&link.bounds) && link.target != here)
    {
        for strip in (strip(link.bounds.top)..=strip(link.bounds.bottom)).take(STRIPS) {
            strips.entry(strip).or_default().push(index);
        }
    }
    if strips.is_empty() {
        return;
    }
    for glyph in glyphs {
        let center = glyph.bounds.center();
        let near = strips
            .get(&strip(center.1))
            .into_iter()
            .flatten()
            .take(LINKS);
        let mut near = near.filter(|index| {
            links
                .get(**index)
                .is_some_and(|link| link.bounds.contains(center))
        });
        glyph.link = near.next().copied();
    }
}

fn is_sane(bounds: &Rect) -> bool {
    [bounds.left, bounds.top, bounds.right, bounds.bottom]
        .iter()
        .all(|edge| edge.is_finite())
}

fn strip(y: f32) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only to compare; the cast saturates"
    )]
    let strip = (y / STRIP).floor() as i32;
    strip
}
