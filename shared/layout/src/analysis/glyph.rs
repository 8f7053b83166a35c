//! Characters as the reader goes on with them.

use std::sync::Arc;

use crate::model::geometry::Rect;
use crate::model::page_content::Font;
use crate::model::structure::Tag;
use crate::model::text::{Script, Style};

/// A character with what is known of it beside its place.
#[derive(Clone, Debug)]
pub(super) struct Glyph {
    pub(super) text: char,
    pub(super) bounds: Rect,
    pub(super) baseline: f32,
    pub(super) size: f32,
    pub(super) font: Arc<Font>,
    pub(super) colour: [u8; 3],
    /// How far it is turned clockwise, degrees.
    pub(super) angle: f32,
    /// Which cell of a ruled table it stands in; 0 is none.
    pub(super) zone: usize,
    /// Which of the sheet's links it lies on.
    pub(super) link: Option<usize>,
    pub(super) underlined: bool,
    pub(super) struck: bool,
    pub(super) script: Script,
    pub(super) tag: Tag,
    /// Its place among the characters of the page, in the order in which they are drawn or the document says they are read.
    pub(super) order: usize,
}

impl Glyph {
    /// Whether it takes no room of its own: the later letters of a ligature, and marks over letters.
    pub(super) fn is_attached(&self) -> bool {
        self.bounds.width() <= 0.01
    }

    /// Whether both look the same and lead to the same place.
    pub(super) fn looks_like(&self, other: &Self) -> bool {
        self.is_like(other)
            && self.underlined == other.underlined
            && self.struck == other.struck
            && self.script == other.script
            && self.link == other.link
    }

    fn is_like(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.font, &other.font) || self.font == other.font)
            && self.colour == other.colour
            && tenths(self.size) == tenths(other.size)
    }

    /// How it looks.
    pub(super) fn style(&self) -> Style {
        Style {
            font: self.font.family.clone(),
            size: tenths(self.size) / 10.0,
            bold: self.font.is_bold,
            italic: self.font.is_italic,
            monospaced: self.font.is_monospaced,
            underlined: self.underlined,
            struck: self.struck,
            unseen: false,
            script: self.script,
            colour: (self.colour != [0; 3]).then_some(self.colour),
        }
    }
}

fn tenths(size: f32) -> f32 {
    (size * 10.0).round()
}
