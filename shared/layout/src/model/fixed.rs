//! A page as it looks: everything where it stands, and nothing of what it means.

use serde::{Deserialize, Serialize};

use super::text::Run;
use crate::model::geometry::{Rect, Size};

/// A page on which everything keeps its place. Its lines are drawn last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FixedPage {
    /// Its place in the document, from 1.
    pub number: u32,
    /// Its extent as it is shown, points.
    pub size: Size,
    /// Its lines of text, in reading order.
    pub lines: Vec<Line>,
    /// What is under them, in the order in which it is drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drawn: Vec<Graphic>,
}

/// Something that is drawn and is no text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Graphic {
    /// A ground, or a rule as the thin area that it is.
    Area(Area),
    /// Whatever else is filled or drawn along.
    Shape(Shape),
    /// A picture.
    Figure(Figure),
}

/// Characters that stand on one line beside each other. What stands apart, as in another column, is a line of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// From the origin of its leftmost character to the end of its rightmost, and from the fonts' ascent to their descent; where
    /// it would be if it were not turned.
    pub bounds: Rect,
    /// The y of the line that its characters stand on, if it were not turned.
    pub baseline: f32,
    /// How far it is turned clockwise about the left end of its baseline, degrees.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub angle: f32,
    /// What it says, in reading order, with a space wherever there is one to see.
    pub runs: Vec<Run>,
}

/// A picture in its place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Where it is shown.
    pub bounds: Rect,
    /// Which of the document's pictures, from 0.
    pub image: usize,
    /// Where all of it would be, if only that part of it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Rect>,
    /// What it shows, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternative: Option<String>,
}

/// An area of one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Where it is.
    pub bounds: Rect,
    /// Red, green and blue.
    pub colour: [u8; 3],
}

/// Outlines that are filled, or drawn along, or both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shape {
    /// The way along them; each begins with a move.
    pub steps: Vec<Step>,
    /// Red, green and blue of what is filled, if anything is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<[u8; 3]>,
    /// Whether what lies within two of them is not filled; else only what outlines of opposite directions enclose is not.
    #[serde(default)]
    pub is_even_odd: bool,
    /// What they are drawn with, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pen: Option<Pen>,
}

/// A point of a page: points from its left edge and from its upper one.
pub type Point = (f32, f32);

/// One step along an outline.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Begins another one here.
    Move(Point),
    /// Straight to here.
    Line(Point),
    /// A cubic Bézier curve: what it leaves towards, where it comes from, and where it ends.
    Curve(Point, Point, Point),
    /// Straight to where it began.
    Close,
}

impl Step {
    /// The points that it names.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let points = match *self {
            Self::Move(point) | Self::Line(point) => [Some(point), None, None],
            Self::Curve(leaving, coming, end) => [Some(leaving), Some(coming), Some(end)],
            Self::Close => [None; 3],
        };
        points.into_iter().flatten()
    }
}

impl Shape {
    /// Around all points of its outlines, those that curves only tend to as well; none where it has none.
    #[must_use]
    pub fn bounds(&self) -> Option<Rect> {
        let points = self.steps.iter().flat_map(Step::points);
        Rect::around(points.map(|point| Rect::between(point, point)))
    }
}

/// What an outline is drawn with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pen {
    /// Red, green and blue.
    pub colour: [u8; 3],
    /// How thick a line is, points; 0 is as thin as can be.
    pub width: f32,
    /// How long it draws and pauses by turns, points; empty for a line without gaps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dashes: Vec<f32>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(angle: &f32) -> bool {
    *angle == 0.0
}
