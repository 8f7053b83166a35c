//! A page as it looks: everything where it stands, and nothing of what it means.

use serde::{Deserialize, Serialize};

use super::text::Run;
use crate::geometry::{Rect, Size};

/// A page on which everything keeps its place. Areas are drawn first, then pictures, then lines, each in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Placed {
    /// Its place in the document, from 1.
    pub number: u32,
    /// Its extent as it is shown, points.
    pub size: Size,
    /// Its lines of text, in reading order.
    pub lines: Vec<Line>,
    /// Its pictures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
    /// What is filled with one colour: grounds, and rules as the thin areas that they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<Area>,
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(angle: &f32) -> bool {
    *angle == 0.0
}
