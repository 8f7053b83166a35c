//! The content of a page as it is drawn: characters, lines and pictures with their positions, without structure.

use std::sync::Arc;

use crate::model::fixed::{Area, Shape};
use crate::model::geometry::{Rect, Size};
use crate::model::structure::{Element, Tag};

/// A page as it is drawn.
#[derive(Clone, Debug, Default)]
pub struct PageContent {
    /// Its place in the document, from 1.
    pub number: u32,
    /// Its extent as it is shown.
    pub size: Size,
    /// In the order in which they are drawn.
    pub characters: Vec<Character>,
    /// Upright and level lines, and the edges of filled rectangles that are as thin as lines.
    pub strokes: Vec<Stroke>,
    /// Areas filled with a colour, as behind the header of a table.
    pub fills: Vec<Rect>,
    /// Pictures.
    pub pictures: Vec<Picture>,
    /// Lines, areas, pictures and whatever else is drawn as it looks, in the order in which it is drawn.
    pub drawings: Vec<Drawing>,
    /// Areas that lead elsewhere.
    pub links: Vec<LinkArea>,
    /// Boxes of forms that are ticked or not, which are drawn, too.
    pub ticks: Vec<CheckBox>,
    /// What the document says of the page's structure; empty where it says nothing.
    pub structure: Vec<Element>,
    /// Whether more is drawn on the page, or more links are on it, than is told here.
    pub is_cut: bool,
    /// Whether more is drawn on it than its drawings tell, which matters where they are wanted only.
    pub draws_more: bool,
    /// Whether its characters, or most of them, were recognised in its picture.
    pub is_recognised: bool,
}

/// A character as it is drawn.
#[derive(Clone, Debug)]
pub struct Character {
    /// What it stands for; a ligature is as many characters, the later ones without width.
    pub text: char,
    /// From its origin to that of the next, and from the font's descent to its ascent.
    pub bounds: Rect,
    /// The y of the line that it stands on.
    pub baseline: f32,
    /// The x of its origin.
    pub start: f32,
    /// How far it is from its origin to that of the next, in the direction of writing, points.
    pub advance: f32,
    /// The size of its font as it is shown, points.
    pub size: f32,
    /// Its font.
    pub font: Arc<Font>,
    /// Red, green and blue.
    pub colour: [u8; 3],
    /// How far it is turned clockwise, in degrees from 0 to 360.
    pub angle: f32,
    /// Whether it is drawn invisibly, as recognised text is.
    pub is_hidden: bool,
    /// What the document says that it is.
    pub tag: Tag,
}

/// A font of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Font {
    /// Its family, without a subset's prefix and without the words for weight and slant.
    pub family: String,
    /// Heavier than the regular weight.
    pub is_bold: bool,
    /// Slanted.
    pub is_italic: bool,
    /// Of one width.
    pub is_monospaced: bool,
}

/// An upright or level line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Where it is; its extent across its direction is its thickness.
    pub bounds: Rect,
}

impl Stroke {
    /// Whether it runs from left to right.
    #[must_use]
    pub fn is_level(&self) -> bool {
        self.bounds.width() >= self.bounds.height()
    }
}

/// A picture on a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picture {
    /// Where it is shown.
    pub bounds: Rect,
    /// Which of the document's pictures, from 0.
    pub image: usize,
    /// What the document says that it is.
    pub tag: Tag,
}

/// Something that is drawn and is no text, as it looks.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// An area of one colour; a thin one for a line.
    Area(Area),
    /// Outlines, of which this part of the page shows what lies in it.
    Shape(Shape, Rect),
    /// Which of the sheet's pictures, from 0, and what of its place shows it.
    Picture(usize, Rect),
}

/// A box of a form that can be ticked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckBox {
    /// Where it is.
    pub bounds: Rect,
    /// Whether it is ticked.
    pub is_set: bool,
}

/// An area that leads elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkArea {
    /// Where it is.
    pub bounds: Rect,
    /// As [`crate::Run::link`].
    pub target: String,
}
