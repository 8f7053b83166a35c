//! Outlines as shapes of DrawingML have them: geometry of their own, what fills it, and its line.

use std::fmt::Write as _;

use crate::writers::frame::{Frame, Place, units};
use crate::writers::length;
use crate::{Figure, Pen, Point, Rect, Shape, Step};

/// The least extent of a shape, points: some programs draw nothing of those that are flat.
const FLAT: f32 = 0.1;

/// Where a shape stands, and what describes it behind its place; none for one that is nowhere.
pub(in crate::writers) fn described(shape: &Shape, frame: Frame) -> Option<(Place, String)> {
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
    line(shape.pen.as_ref(), frame.scale, &mut xml);
    Some((place, xml))
}

/// What fills a shape, as an element.
pub(in crate::writers) fn fill(colour: Option<[u8; 3]>) -> String {
    match colour {
        Some([red, green, blue]) => format!(
            "<a:solidFill><a:srgbClr val=\"{red:02X}{green:02X}{blue:02X}\"/></a:solidFill>"
        ),
        None => "<a:noFill/>".to_owned(),
    }
}

/// What is cut off a picture, as an element; nothing of one that is whole.
pub(in crate::writers) fn cut(figure: &Figure) -> String {
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

/// What is filled by itself: of outlines within one path what two enclose is not filled.
fn parts(shape: &Shape) -> Vec<&[Step]> {
    let begins = |step: &Step| matches!(step, Step::Move(_));
    let begun = shape.steps.iter().enumerate();
    let begun = begun
        .filter(|(_, step)| begins(step))
        .map(|(index, _)| index);
    let begun: Vec<usize> = begun.collect();
    let ends = begun.iter().skip(1).copied().chain([shape.steps.len()]);
    let outlines = begun.iter().copied().zip(ends);
    let outlines: Vec<&[Step]> = outlines
        .filter_map(|(from, to)| shape.steps.get(from..to))
        .collect();
    let mut turns = outlines.iter().map(|outline| area(outline) > 0.0);
    let first = turns.next();
    let is_united = turns.all(|turn| Some(turn) == first);
    match is_united && !shape.is_even_odd && shape.fill.is_some() {
        true => outlines,
        false => vec![shape.steps.as_slice()],
    }
}

/// Twice the area that an outline encloses, which is less than 0 where it leads around that the other way.
fn area(outline: &[Step]) -> f32 {
    let points: Vec<Point> = outline.iter().flat_map(Step::points).collect();
    let next = points.iter().cycle().skip(1);
    let pairs = points.iter().zip(next);
    pairs
        .map(|((x, y), (to_x, to_y))| x * to_y - to_x * y)
        .sum()
}

fn path(steps: &[Step], place: &Place, frame: Frame, xml: &mut String) {
    let Place { width, height, .. } = place;
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
    for step in steps {
        match *step {
            Step::Move(to) => write!(xml, "<a:moveTo>{}</a:moveTo>", point(to)),
            Step::Line(to) => write!(xml, "<a:lnTo>{}</a:lnTo>", point(to)),
            Step::Curve(leaving, coming, to) => {
                let points = [leaving, coming, to].map(point).concat();
                write!(xml, "<a:cubicBezTo>{points}</a:cubicBezTo>")
            }
            Step::Close => write!(xml, "<a:close/>"),
        }
        .ok();
    }
    xml.push_str("</a:path>");
}

fn line(pen: Option<&Pen>, scale: f32, xml: &mut String) {
    let Some(pen) = pen else {
        xml.push_str("<a:ln><a:noFill/></a:ln>");
        return;
    };
    let (thick, dashes) = length::pen(pen);
    let colour = fill(Some(pen.colour));
    write!(
        xml,
        "<a:ln w=\"{}\">{colour}",
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

/// Dashes with the gaps behind them; what is odd in number is gone through twice.
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

    fn square(side: f32, turns: bool) -> Vec<Step> {
        let mut corners = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)];
        if turns {
            corners.reverse();
        }
        let [first, rest @ ..] = corners;
        let lines = rest.map(Step::Line);
        [Step::Move(first)]
            .into_iter()
            .chain(lines)
            .chain([Step::Close])
            .collect()
    }

    #[test]
    fn outlines_of_one_direction_are_filled_each_and_others_are_holes() {
        let two = |turns, is_even_odd| Shape {
            steps: [square(9.0, false), square(5.0, turns)].concat(),
            fill: Some([0; 3]),
            is_even_odd,
            pen: None,
        };
        assert_eq!(parts(&two(false, false)).len(), 2);
        assert_eq!(parts(&two(true, false)).len(), 1);
        assert_eq!(parts(&two(false, true)).len(), 1);
    }

    #[test]
    fn an_odd_number_of_dashes_is_gone_through_twice() {
        assert_eq!(pairs(&[3.0]), [(3.0, 3.0)]);
        assert_eq!(pairs(&[3.0, 1.0]), [(3.0, 1.0)]);
        assert_eq!(
            pairs(&[1.0, 2.0, 3.0]),
            [(1.0, 2.0), (3.0, 1.0), (2.0, 3.0)]
        );
    }
}
