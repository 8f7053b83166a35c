//! Pages of fixed layout: text lines, shapes and pictures at their positions, without structure.

use serde::{Deserialize, Serialize};

use super::text::Run;
use crate::model::geometry::{Rect, Size};

/// A page of fixed layout. Text lines are drawn after all graphics.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FixedPage {
    /// Page number, from 1.
    pub number: u32,
    /// Size as displayed, points.
    pub size: Size,
    /// Text lines in reading order.
    pub lines: Vec<Line>,
    /// Graphics below the text, in drawing order.
    #[serde(rename = "drawn", default, skip_serializing_if = "Vec::is_empty")]
    pub graphics: Vec<Graphic>,
}

/// A graphic: everything drawn that is not text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Graphic {
    /// A filled rectangle; rules are thin rectangles.
    Area(Area),
    /// Any other path that is filled or stroked.
    Shape(Shape),
    /// A picture.
    Figure(Figure),
}

/// A line of text. Text in another column on the same baseline is a separate line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Bounding box before rotation: from the origin of the leftmost character to the end of the rightmost, and from the ascent
    /// to the descent of the fonts.
    pub bounds: Rect,
    /// The y of the baseline before rotation.
    pub baseline: f32,
    /// Clockwise rotation about the left end of the baseline, degrees.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub angle: f32,
    /// Text in reading order, with visible gaps as spaces.
    pub runs: Vec<Run>,
}

/// A picture at its position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Visible area.
    pub bounds: Rect,
    /// Index of the image among the pictures of the document, from 0.
    pub image: usize,
    /// Bounds of the whole picture, if `bounds` crops it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Rect>,
    /// Alternative text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternative: Option<String>,
}

/// A rectangle filled with one color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Bounds.
    pub bounds: Rect,
    /// Color (RGB).
    #[serde(rename = "colour")]
    pub color: [u8; 3],
}

/// A path that is filled, stroked or both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shape {
    /// Path segments; each subpath begins with a move.
    #[serde(rename = "steps")]
    pub segments: Vec<PathSegment>,
    /// Fill color (RGB); `None` if not filled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<[u8; 3]>,
    /// Whether to fill by the even-odd rule instead of the non-zero winding rule.
    #[serde(default)]
    pub is_even_odd: bool,
    /// Stroke style; `None` if not stroked.
    #[serde(default, rename = "pen", skip_serializing_if = "Option::is_none")]
    pub stroke: Option<StrokeStyle>,
}

/// Coordinates in points from the left and the upper edge of the page.
pub type Point = (f32, f32);

/// A segment of a path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathSegment {
    /// Begins a subpath.
    Move(Point),
    /// A straight line.
    Line(Point),
    /// A cubic Bézier curve: first control point, second control point and end point.
    Curve(Point, Point, Point),
    /// Closes the subpath with a straight line.
    Close,
}

impl PathSegment {
    /// Returns the end point and control points of the segment.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let points = match *self {
            Self::Move(point) | Self::Line(point) => [Some(point), None, None],
            Self::Curve(leaving, coming, end) => [Some(leaving), Some(coming), Some(end)],
            Self::Close => [None; 3],
        };
        points.into_iter().flatten()
    }
}

impl PathSegment {
    /// Returns the end point and control points for changes.
    pub(crate) fn points_mut(&mut self) -> impl Iterator<Item = &mut Point> {
        let points = match self {
            Self::Move(point) | Self::Line(point) => [Some(point), None, None],
            Self::Curve(leaving, coming, end) => [Some(leaving), Some(coming), Some(end)],
            Self::Close => [None, None, None],
        };
        points.into_iter().flatten()
    }
}

impl Shape {
    /// Returns the bounding box of all points, control points included; `None` for an empty path.
    #[must_use]
    pub fn bounds(&self) -> Option<Rect> {
        let points = self.segments.iter().flat_map(PathSegment::points);
        Rect::around(points.map(|point| Rect::between(point, point)))
    }
}

/// Stroke style of a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StrokeStyle {
    /// Color (RGB).
    #[serde(rename = "colour")]
    pub color: [u8; 3],
    /// Line width, points; 0 is the thinnest line that can be drawn.
    pub width: f32,
    /// Dash pattern: alternating lengths of dashes and gaps, points; empty for a solid line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dashes: Vec<f32>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "signature of `skip_serializing_if`"
)]
fn is_zero(angle: &f32) -> bool {
    *angle == 0.0
}
