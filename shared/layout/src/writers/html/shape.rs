//! Shapes as SVG.

use std::fmt::Write as _;

use crate::writers::length::{self, hundredths};
use crate::{PathSegment, Point, Shape, Size};

/// Returns the start of an SVG of the size of a page.
pub(super) fn begin(page: Size) -> String {
    let [width, height] = [page.width, page.height].map(hundredths);
    format!(
        "<svg aria-hidden=\"true\" style=\"left:0;top:0;width:{width}pt;height:{height}pt\" viewBox=\"0 0 {width} {height}\">"
    )
}

/// Returns the path of a shape; `None` if its bounds are invalid.
pub(super) fn path(shape: &Shape) -> Option<String> {
    length::around(shape)?;
    let color = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
    let mut svg = format!("<path d=\"{}\"", path_data(&shape.segments));
    match shape.fill {
        Some(fill) => write!(svg, " fill=\"{}\"", color(fill)),
        None => write!(svg, " fill=\"none\""),
    }
    .ok();
    if shape.is_even_odd {
        svg.push_str(" fill-rule=\"evenodd\"");
    }
    if let Some(stroke) = &shape.stroke {
        let (width, dashes) = length::stroke(stroke);
        let (stroke, width) = (color(stroke.color), hundredths(width));
        write!(svg, " stroke=\"{stroke}\" stroke-width=\"{width}\"").ok();
        if !dashes.is_empty() {
            let dashes = dashes.iter().map(|dash| hundredths(*dash).to_string());
            let dashes: Vec<String> = dashes.collect();
            write!(svg, " stroke-dasharray=\"{}\"", dashes.join(" ")).ok();
        }
    }
    Some(svg + "/>")
}

fn path_data(segments: &[PathSegment]) -> String {
    let point = |(x, y): Point| format!("{} {}", hundredths(x), hundredths(y));
    let mut path_data = String::new();
    for segment in segments {
        match *segment {
            PathSegment::Move(to) => write!(path_data, "M{}", point(to)),
            PathSegment::Line(to) => write!(path_data, "L{}", point(to)),
            PathSegment::Curve(leaving, coming, to) => {
                write!(path_data, "C{}", [leaving, coming, to].map(point).join(" "))
            }
            PathSegment::Close => write!(path_data, "Z"),
        }
        .ok();
    }
    path_data
}
