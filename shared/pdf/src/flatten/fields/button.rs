//! Draws buttons without an appearance: push buttons with their caption, check boxes and radio buttons with their mark if they
//! are on [ISO 32000-1, 12.7.4.2].

use std::fmt::Write as _;

use lopdf::Object;
use task::TaskResult;

use super::layout::{Field, content as lettered};
use super::widget::{Widget, text};
use crate::text_drawing::FontSet;

/// Field flags [ISO 32000-1, 12.7.4.2.1, table 226].
const RADIO: i64 = 1 << 15;
const PUSHED: i64 = 1 << 16;
/// Edges of the mark, relative to the shorter side of the field, which is centered in it.
const MARK: (f32, f32) = (0.25, 0.75);

/// Returns the operators that draw a button; `None` if nothing is visible.
pub(super) fn content(
    widget: &Widget<'_>,
    field: &Field,
    fonts: &mut FontSet,
) -> TaskResult<String> {
    let caption = widget
        .characteristics()
        .and_then(|looks| looks.get(b"CA").ok());
    let caption = caption.and_then(text).unwrap_or_default();
    let mut drawing = field.background.clone();
    if widget.flags() & PUSHED == 0 {
        if is_on(widget) {
            let is_radio = widget.flags() & RADIO != 0;
            drawing += &mark(&caption, is_radio, field);
        }
    } else if !caption.trim().is_empty() {
        let mut field = field.clone();
        field.alignment = 1;
        let written = field.fit(&caption, &mut |line| fonts.line(line))?;
        return Ok(lettered(&field, &written));
    }
    Ok(drawing)
}

/// Whether it is on: by its appearance state, or without one by the value of the field. Radio buttons share that value.
fn is_on(widget: &Widget<'_>) -> bool {
    let state = widget.dict.get_deref(b"AS", widget.document).ok();
    let value = || widget.own(b"V").filter(|_| widget.flags() & RADIO == 0);
    match state.or_else(value) {
        Some(Object::Name(name)) => name != b"Off",
        _ => false,
    }
}

/// Returns the operators of the mark that a ZapfDingbats character represents.
fn mark(letter: &str, is_radio: bool, field: &Field) -> String {
    let side = field.width.min(field.height);
    let at = |x: f32, y: f32| {
        let left = (field.width - side) / 2.0 + x * side;
        let below = (field.height - side) / 2.0 + y * side;
        format!("{left} {below}")
    };
    let path = |points: &[(f32, f32)]| {
        let points = points
            .iter()
            .zip(std::iter::once("m").chain(std::iter::repeat("l")));
        points.fold(String::new(), |mut text, ((x, y), operator)| {
            write!(text, "{} {operator} ", at(*x, *y)).ok();
            text
        })
    };
    let (low, high) = MARK;
    let color = &field.color;
    let lines = |text: String| format!("q {} {} w {text}S Q", stroked(color), side / 10.0);
    match letter {
        "l" => format!("q {color} {}f Q", circle(&at)),
        "" if is_radio => format!("q {color} {}f Q", circle(&at)),
        "8" => lines(path(&[(low, low), (high, high)]) + &path(&[(low, high), (high, low)])),
        "n" => format!(
            "q {color} {}f Q",
            path(&[(low, low), (high, low), (high, high), (low, high)])
        ),
        "u" => format!(
            "q {color} {}f Q",
            path(&[(0.5, low), (high, 0.5), (0.5, high), (low, 0.5)])
        ),
        "H" => format!("q {color} {}f Q", path(&STAR)),
        _ => lines(path(&[(low, 0.5), (0.42, low), (high, high)])),
    }
}

/// The corners of a star.
const STAR: [(f32, f32); 10] = [
    (0.5, 0.8),
    (0.57, 0.59),
    (0.79, 0.59),
    (0.61, 0.46),
    (0.68, 0.26),
    (0.5, 0.38),
    (0.32, 0.26),
    (0.39, 0.46),
    (0.21, 0.59),
    (0.43, 0.59),
];

/// A circle of four Bézier curves.
fn circle(at: &dyn Fn(f32, f32) -> String) -> String {
    let (low, high) = MARK;
    let (near, far) = (0.362, 0.638);
    let curve = |points: [(f32, f32); 3]| {
        let points = points.map(|(x, y)| at(x, y));
        format!("{} c ", points.join(" "))
    };
    let mut text = format!("{} m ", at(high, 0.5));
    text += &curve([(high, far), (far, high), (0.5, high)]);
    text += &curve([(near, high), (low, far), (low, 0.5)]);
    text += &curve([(low, near), (near, low), (0.5, low)]);
    text += &curve([(far, low), (high, near), (high, 0.5)]);
    text
}

/// Converts a fill color to a stroke color.
fn stroked(color: &str) -> String {
    color
        .replace("rg", "RG")
        .replace('g', "G")
        .replace('k', "K")
}
