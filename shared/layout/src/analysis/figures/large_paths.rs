//! Stroked paths that are too large for marks, such as the line of a chart that fills a slide.

use crate::analysis::glyphs::clean;
use crate::model::fixed::PathSegment;
use crate::model::geometry::Rect;
use crate::model::page_content::{Drawing, PageContent};

/// Minimum part of the page that the bounds of a large path cover, maximum part of its width and height that they span (what
/// is larger is a frame of the page), and minimum number of segments: no rule, box or wave has so many.
const LARGE: f32 = 0.4;
const SPANNED: f32 = 0.9;
const SEGMENTS: usize = 16;

/// Returns the bounds of these paths.
pub(super) fn large_paths(sheet: &PageContent, page: &Rect) -> Vec<Rect> {
    let paths = sheet.drawings.iter().filter_map(|drawing| match drawing {
        Drawing::Shape(shape, clip) if shape.fill.is_none() => Some((shape, clip)),
        _ => None,
    });
    let is_start = |segment: &PathSegment| matches!(segment, PathSegment::Move(_));
    let large = paths.flat_map(|(shape, clip)| {
        let subpaths = shape.segments.chunk_by(move |_, next| !is_start(next));
        let subpaths = subpaths.filter(|subpath| subpath.len() > SEGMENTS);
        subpaths.filter_map(move |subpath| {
            let points = subpath.iter().flat_map(PathSegment::points);
            let bounds = Rect::around(points.map(|point| Rect::between(point, point)))?;
            let bounds = clean::on(page, &bounds.within(clip)?)?;
            let (across, down) = (
                bounds.width() / page.width(),
                bounds.height() / page.height(),
            );
            let is_large = across * down > LARGE && across.min(down) <= SPANNED;
            is_large.then_some(bounds)
        })
    });
    large.collect()
}
