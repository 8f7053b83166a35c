//! The content of a page without structure: characters, lines and pictures with their positions.

use std::sync::Arc;

use crate::model::fixed::{Area, Shape};
use crate::model::geometry::{Rect, Size};
use crate::model::structure::{Element, Tag};

/// The content of a page.
#[derive(Clone, Debug, Default)]
pub struct PageContent {
    /// Page number, from 1.
    pub number: u32,
    /// Size as displayed, points.
    pub size: Size,
    /// Characters in drawing order.
    pub characters: Vec<Character>,
    /// Vertical and horizontal lines, including the edges of thin filled rectangles.
    pub strokes: Vec<Stroke>,
    /// Filled areas, such as the background of a table header.
    pub fills: Vec<Rect>,
    /// Pictures.
    pub pictures: Vec<Picture>,
    /// Regions of vector drawings that were rendered, labels included; they replace what is within them.
    pub figures: Vec<Picture>,
    /// All graphics in drawing order, with their appearance.
    pub drawings: Vec<Drawing>,
    /// Link areas.
    pub links: Vec<LinkArea>,
    /// Check boxes of forms, and drawn ones; their appearance is also part of the graphics.
    pub check_boxes: Vec<CheckBox>,
    /// Areas of other form fields; their text and appearance are also part of the characters and graphics.
    pub fields: Vec<Rect>,
    /// Structure tree declared by the document; empty if there is none.
    pub structure: Vec<Element>,
    /// Entries of the outline (bookmarks) that lead to the page.
    pub outline: Vec<OutlineEntry>,
    /// Number of words that are outside the page and not among the characters.
    pub words_outside: usize,
    /// Whether content or links beyond a limit were dropped.
    pub is_truncated: bool,
    /// Whether only graphics were dropped, which matters for fixed layout alone.
    pub has_more_drawings: bool,
    /// Whether most characters come from OCR.
    pub is_recognized: bool,
}

/// An entry of the outline of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// Title.
    pub title: String,
    /// Depth, from 1.
    pub depth: u8,
}

/// A character at its position.
#[derive(Clone, Debug)]
pub struct Character {
    /// Unicode character. Each character of a ligature has its own entry; those after the first have no width.
    pub text: char,
    /// From its origin to that of the next character, and from the descent to the ascent of the font; in a font for formulas,
    /// what it shows beyond the line if it is a tall sign.
    pub bounds: Rect,
    /// The y of the baseline.
    pub baseline: f32,
    /// The x of the origin.
    pub start: f32,
    /// Advance width in writing direction, points.
    pub advance: f32,
    /// Font size as displayed, points.
    pub size: f32,
    /// Font.
    pub font: Arc<Font>,
    /// Color (RGB).
    pub color: [u8; 3],
    /// Clockwise rotation, degrees from 0 to 360.
    pub angle: f32,
    /// Whether it is drawn invisibly, as OCR text is.
    pub is_hidden: bool,
    /// Marked-content tag.
    pub tag: Tag,
}

/// A font.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Font {
    /// Family name without subset prefix, weight and slant.
    pub family: String,
    /// Heavier than regular weight.
    pub is_bold: bool,
    /// Italic or oblique.
    pub is_italic: bool,
    /// Fixed width.
    pub is_monospaced: bool,
    /// Made for formulas: letters, signs and stretched brackets.
    pub is_math: bool,
}

/// A vertical or horizontal line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Bounds; the extent across the direction of the line is its thickness.
    pub bounds: Rect,
}

impl Stroke {
    /// Whether it is horizontal.
    #[must_use]
    pub fn is_horizontal(&self) -> bool {
        self.bounds.width() >= self.bounds.height()
    }
}

/// A picture on a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picture {
    /// Visible area.
    pub bounds: Rect,
    /// Index of the image among the pictures of the document, from 0.
    pub image: usize,
    /// Marked-content tag.
    pub tag: Tag,
}

/// A graphic with its appearance.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// A filled rectangle; lines are thin rectangles.
    Area(Area),
    /// A path and its clipping rectangle.
    Shape(Shape, Rect),
    /// Index of the picture on the page, from 0, and its visible area.
    Picture(usize, Rect),
}

/// A check box or radio button.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CheckBox {
    /// Bounds.
    pub bounds: Rect,
    /// Whether it is checked.
    pub is_set: bool,
    /// Marked-content tag of its drawing; without one, it has that of its label.
    pub tag: Tag,
}

/// An area that links elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkArea {
    /// Bounds.
    pub bounds: Rect,
    /// Target, as in [`crate::Run::link`].
    pub target: String,
}
