//! Characters with the attributes that analysis adds.

use std::sync::Arc;

use crate::model::geometry::Rect;
use crate::model::page_content::Font;
use crate::model::structure::Tag;
use crate::model::text::{Script, Style};

/// Height of the middle of small letters, as a fraction of the font size.
const MIDDLE: f32 = 0.3;

/// A character with its attributes.
#[derive(Clone, Debug)]
pub(in crate::analysis) struct Glyph {
    pub(in crate::analysis) text: char,
    pub(in crate::analysis) bounds: Rect,
    /// Horizontal position from which it is drawn.
    pub(in crate::analysis) origin: f32,
    pub(in crate::analysis) baseline: f32,
    pub(in crate::analysis) size: f32,
    pub(in crate::analysis) font: Arc<Font>,
    pub(in crate::analysis) color: [u8; 3],
    /// Clockwise rotation, degrees.
    pub(in crate::analysis) angle: f32,
    /// Whether its page is mirrored: right-to-left text then runs from left to right.
    pub(in crate::analysis) is_mirrored: bool,
    /// Table cell that contains it; 0 is none.
    pub(in crate::analysis) zone: usize,
    /// Index of the link area that contains it.
    pub(in crate::analysis) link: Option<usize>,
    pub(in crate::analysis) underlined: bool,
    pub(in crate::analysis) strikethrough: bool,
    pub(in crate::analysis) script: Script,
    /// Color of a marker or bar behind it.
    pub(in crate::analysis) highlight: Option<[u8; 3]>,
    pub(in crate::analysis) tag: Tag,
    /// Position among the characters of the page, in drawing order or in the order of the structure tree.
    pub(in crate::analysis) order: usize,
}

impl Glyph {
    /// Whether it has no advance of its own: the later letters of a ligature, and combining marks.
    pub(in crate::analysis) fn is_attached(&self) -> bool {
        self.bounds.width() <= 0.01
    }

    /// Returns the point between the baseline and the height of small letters. Those on one line are level if they are not
    /// rotated, although the bounds of letters drawn with their marks are not.
    pub(in crate::analysis) fn middle(&self) -> (f32, f32) {
        (self.bounds.center().0, self.baseline - self.size * MIDDLE)
    }

    /// Whether both have the same style and link.
    pub(in crate::analysis) fn looks_like(&self, other: &Self) -> bool {
        self.is_like(other)
            && self.underlined == other.underlined
            && self.strikethrough == other.strikethrough
            && self.script == other.script
            && self.highlight == other.highlight
            && self.link == other.link
    }

    fn is_like(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.font, &other.font) || self.font == other.font)
            && self.color == other.color
            && tenths(self.size) == tenths(other.size)
    }

    /// Returns the style.
    pub(in crate::analysis) fn style(&self) -> Style {
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
            highlight: self.highlight,
        }
    }
}

fn tenths(size: f32) -> f32 {
    (size * 10.0).round()
}
