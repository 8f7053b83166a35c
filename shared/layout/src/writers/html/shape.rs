//! Outlines as pictures of lines within HTML.

use std::fmt::Write as _;

use crate::writers::length::{self, hundredths};
use crate::{Point, Shape, Size, Step};

/// The beginning of a picture of a whole page.
pub(super) fn begin(page: Size) -> String {
    let [width, height] = [page.width, page.height].map(hundredths);
    format!(
        "<svg aria-hidden=\"true\" style=\"left:0;top:0;width:{width}pt;height:{height}pt\" viewBox=\"0 0 {width} {height}\">"
    )
}

/// A shape; nothing of one that is nowhere.
pub(super) fn path(shape: &Shape) -> Option<String> {
    length::around(shape)?;
    let colour = |[red, green, blue]: [u8; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
    let mut svg = format!("<path d=\"{}\"", way(&shape.steps));
    match shape.fill {
        Some(fill) => write!(svg, " fill=\"{}\"", colour(fill)),
        None => write!(svg, " fill=\"none\""),
    }
    .ok();
    if shape.is_even_odd {
        svg.push_str(" fill-rule=\"evenodd\"");
    }
    if let Some(pen) = &shape.pen {
        let (width, dashes) = length::pen(pen);
        let (stroke, width) = (colour(pen.colour), hundredths(width));
        write!(svg, " stroke=\"{stroke}\" stroke-width=\"{width}\"").ok();
        if !dashes.is_empty() {
            let dashes = dashes.iter().map(|dash| hundredths(*dash).to_string());
            let dashes: Vec<String> = dashes.collect();
            write!(svg, " stroke-dasharray=\"{}\"", dashes.join(" ")).ok();
        }
    }
    Some(svg + "/>")
}

fn way(steps: &[Step]) -> String {
    let point = |(x, y): Point| format!("{} {}", hundredths(x), hundredths(y));
    let mut way = String::new();
    for step in steps {
        match *step {
            Step::Move(to) => write!(way, "M{}", point(to)),
            Step::Line(to) => write!(way, "L{}", point(to)),
            Step::Curve(leaving, coming, to) => {
                write!(way, "C{}", [leaving, coming, to].map(point).join(" "))
            }
            Step::Close => write!(way, "Z"),
        }
        .ok();
    }
    way
}
