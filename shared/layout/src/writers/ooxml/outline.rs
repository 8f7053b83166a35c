//! Shapes as custom geometry of DrawingML with fill and line.

use std::fmt::Write as _;

use crate::writers::length;
use crate::writers::page_transform::{EmuRect, PageTransform, units};
use crate::{Figure, PathSegment, Point, Rect, Shape, StrokeStyle};

/// Minimum extent of a shape, points: some programs do not draw flat shapes.
const FLAT: f32 = 0.1;

/// Returns bounds and description of a shape; `None` if its bounds are invalid.
pub(in crate::writers) fn described(
    shape: &Shape,
    frame: PageTransform,
) -> Option<(EmuRect, String)> {
    let bounds = length::around(shape)?;
    let bounds = Rect {
        right: bounds.right.max(bounds.left + FLAT),
        bottom: bounds.bottom.max(bounds.top + FLAT),
        ..bounds
    };
    let place = frame.place(bounds);
    let mut xml = String::from(
        "<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/><a:rect l=\"0\" t=\"0\" r=\"r\" b=\"b\"/><a:pathLst>",
    );
    for part in parts(shape) {
        path(part, &place, frame, &mut xml);
    }
    xml.push_str("</a:pathLst></a:custGeom>");
    xml.push_str(&fill(shape.fill));
    line(shape.stroke.as_ref(), frame.scale, &mut xml);
    Some((place, xml))
}

/// Returns the fill element of a shape.
pub(in crate::writers) fn fill(color: Option<[u8; 3]>) -> String {
    match color {
        Some([red, green, blue]) => format!(
            "<a:solidFill><a:srgbClr val=\"{red:02X}{green:02X}{blue:02X}\"/></a:solidFill>"
        ),
        None => "<a:noFill/>".to_owned(),
    }
}

/// Returns the cropping element of a picture, or an empty string.
pub(in crate::writers) fn cropping(figure: &Figure) -> String {
    let Some(whole) = length::place(figure.whole) else {
        return String::new();
    };
    let Figure { bounds, .. } = figure;
    let share = |length: f32, whole: f32| {
        let share = length / whole.max(FLAT) * 100_000.0;
        #[expect(clippy::cast_possible_truncation, reason = "it is from 0 to 99,000")]
        let share = share.clamp(0.0, 99_000.0).round() as i32;
        share
    };
    let (left, right) = (bounds.left - whole.left, whole.right - bounds.right);
    let (top, bottom) = (bounds.top - whole.top, whole.bottom - bounds.bottom);
    let [left, right] = [left, right].map(|side| share(side, whole.width()));
    let [top, bottom] = [top, bottom].map(|side| share(side, whole.height()));
    format!("<a:srcRect l=\"{left}\" t=\"{top}\" r=\"{right}\" b=\"{bottom}\"/>")
}

/// Splits a shape into separately filled parts: within one path, overlapping subpaths are not filled.
fn parts(shape: &Shape) -> Vec<&[PathSegment]> {
    let begins = |segment: &PathSegment| matches!(segment, PathSegment::Move(_));
    let begun = shape.segments.iter().enumerate();
    let begun = begun
        .filter(|(_, segment)| begins(segment))
        .map(|(index, _)| index);
    let begun: Vec<usize> = begun.collect();
    let ends = begun.iter().skip(1).copied().chain([shape.segments.len()]);
    let outlines = begun.iter().copied().zip(ends);
    let outlines: Vec<&[PathSegment]> = outlines
        .filter_map(|(from, to)| shape.segments.get(from..to))
        .collect();
    let mut turns = outlines.iter().map(|outline| area(outline) > 0.0);
    let first = turns.next();
    let is_united = turns.all(|turn| Some(turn) == first);
    match is_united && !shape.is_even_odd && shape.fill.is_some() {
        true => outlines,
        false => vec![shape.segments.as_slice()],
    }
}

/// Returns twice the signed area of a subpath; the sign is its direction.
fn area(outline: &[PathSegment]) -> f32 {
    let points: Vec<Point> = outline.iter().flat_map(PathSegment::points).collect();
    let next = points.iter().cycle().skip(1);
    let pairs = points.iter().zip(next);
    pairs
        .map(|((x, y), (to_x, to_y))| x * to_y - to_x * y)
        .sum()
}

fn path(segments: &[PathSegment], place: &EmuRect, frame: PageTransform, xml: &mut String) {
    let EmuRect { width, height, .. } = place;
    let point = |(x, y): Point| {
        let point = frame.rect(Rect::between((x, y), (x, y)));
        let within = |value: f32, from: i64, extent: i64| (units(value) - from).clamp(0, extent);
        let (x, y) = (
            within(point.left, place.x, *width),
            within(point.top, place.y, *height),
        );
        format!("<a:pt x=\"{x}\" y=\"{y}\"/>")
    };
    write!(xml, "<a:path w=\"{width}\" h=\"{height}\">").ok();
    for segment in segments {
        match *segment {
            PathSegment::Move(to) => write!(xml, "<a:moveTo>{}</a:moveTo>", point(to)),
            PathSegment::Line(to) => write!(xml, "<a:lnTo>{}</a:lnTo>", point(to)),
            PathSegment::Curve(leaving, coming, to) => {
                let points = [leaving, coming, to].map(point).concat();
                write!(xml, "<a:cubicBezTo>{points}</a:cubicBezTo>")
            }
            PathSegment::Close => write!(xml, "<a:close/>"),
        }
        .ok();
    }
    xml.push_str("</a:path>");
}

fn line(stroke: Option<&StrokeStyle>, scale: f32, xml: &mut String) {
    let Some(stroke) = stroke else {
        xml.push_str("<a:ln><a:noFill/></a:ln>");
        return;
    };
    let (thick, dashes) = length::stroke(stroke);
    let color = fill(Some(stroke.color));
    write!(
        xml,
        "<a:ln w=\"{}\">{color}",
        units(thick * scale).clamp(1, 20_116_800)
    )
    .ok();
    if !dashes.is_empty() {
        xml.push_str("<a:custDash>");
        for (dash, gap) in pairs(dashes) {
            let share = |length: f32| units(length / thick * (100_000.0 / 12_700.0)).max(0);
            let (dash, gap) = (share(dash), share(gap));
            write!(xml, "<a:ds d=\"{dash}\" sp=\"{gap}\"/>").ok();
        }
        xml.push_str("</a:custDash>");
    }
    xml.push_str("<a:miter lim=\"800000\"/></a:ln>");
}

/// Returns dash and gap pairs; an odd pattern is repeated once.
fn pairs(dashes: &[f32]) -> Vec<(f32, f32)> {
    let twice = dashes.len() * (1 + dashes.len() % 2);
    let lengths: Vec<f32> = dashes.iter().copied().cycle().take(twice).collect();
    let pairs = lengths.chunks_exact(2).filter_map(|pair| match *pair {
        [dash, gap] => Some((dash, gap)),
        _ => None,
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: f32, turns: bool) -> Vec<PathSegment> {
        let mut corners = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)];
        if turns {
            corners.reverse();
        }
        let [first, rest @ ..] = corners;
        let lines = rest.map(PathSegment::Line);
        [PathSegment::Move(first)]
            .into_iter()
            .chain(lines)
            .chain([PathSegment::Close])
            .collect()
    }

    #[test]
    fn subpaths_of_opposite_direction_are_holes() {
        let two = |turns, is_even_odd| Shape {
            segments: [square(9.0, false), square(5.0, turns)].concat(),
            fill: Some([0; 3]),
            is_even_odd,
            stroke: None,
        };
        assert_eq!(parts(&two(false, false)).len(), 2);
        assert_eq!(parts(&two(true, false)).len(), 1);
        assert_eq!(parts(&two(false, true)).len(), 1);
    }

    #[test]
    fn odd_dash_patterns_are_repeated() {
        assert_eq!(pairs(&[3.0]), [(3.0, 3.0)]);
        assert_eq!(pairs(&[3.0, 1.0]), [(3.0, 1.0)]);
        assert_eq!(
            pairs(&[1.0, 2.0, 3.0]),
            [(1.0, 2.0), (3.0, 1.0), (2.0, 3.0)]
        );
    }
}
