//! Characters with the attributes that analysis adds.

use std::sync::Arc;

use crate::model::geometry::Rect;
use crate::model::page_content::Font;
use crate::model::structure::Tag;
use crate::model::text::{Script, Style};

/// A character with its attributes.
#[derive(Clone, Debug)]
pub(super) struct Glyph {
    pub(super) text: char,
    pub(super) bounds: Rect,
    pub(super) baseline: f32,
    pub(super) size: f32,
    pub(super) font: Arc<Font>,
    pub(super) color: [u8; 3],
    /// Clockwise rotation, degrees.
    pub(super) angle: f32,
    /// Table cell that contains it; 0 is none.
    pub(super) zone: usize,
    /// Index of the link area that contains it.
    pub(super) link: Option<usize>,
    pub(super) underlined: bool,
    pub(super) strikethrough: bool,
    pub(super) script: Script,
    pub(super) tag: Tag,
    /// Position among the characters of the page, in drawing order or in the order of the structure tree.
    pub(super) order: usize,
}

impl Glyph {
    /// Whether it has no advance of its own: the later letters of a ligature, and combining marks.
    pub(super) fn is_attached(&self) -> bool {
        self.bounds.width() <= 0.01
    }

    /// Whether both have the same style and link.
    pub(super) fn looks_like(&self, other: &Self) -> bool {
        self.is_like(other)
            && self.underlined == other.underlined
            && self.strikethrough == other.strikethrough
            && self.script == other.script
            && self.link == other.link
    }

    fn is_like(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.font, &other.font) || self.font == other.font)
            && self.color == other.color
            && tenths(self.size) == tenths(other.size)
    }

    /// Returns the style.
    pub(super) fn style(&self) -> Style {
        Style {
            font: self.font.family.clone(),
            size: tenths(self.size) / 10.0,
            bold: self.font.is_bold,
            italic: self.font.is_italic,
            monospaced: self.font.is_monospaced,
            underlined: self.underlined,
            strikethrough: self.strikethrough,
            invisible: false,
            script: self.script,
            color: (self.color != [0; 3]).then_some(self.color),
        }
    }
}

fn tenths(size: f32) -> f32 {
    (size * 10.0).round()
}
