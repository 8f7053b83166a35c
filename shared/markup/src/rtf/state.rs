//! Group state: character style, paragraph properties and the purpose of text.

use layout::Alignment;

use crate::partial_style::PartialStyle;

/// The state of a group, which ends with it.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) text_style: PartialStyle,
    pub(super) font: i32,
    pub(super) paragraph: Paragraph,
    pub(super) purpose: Purpose,
    /// Number of fallback characters after a `\u` character (`\uc`).
    pub(super) fallback_length: usize,
    /// Whether the text is a tracked deletion.
    pub(super) deleted: bool,
}

/// Paragraph properties.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Paragraph {
    pub(super) alignment: Alignment,
    pub(super) style: Option<i32>,
    /// From 0.
    pub(super) outline: Option<u8>,
    pub(super) level: u8,
    /// Quotation depth.
    pub(super) quote_depth: u8,
    pub(super) breaks_before: bool,
    /// Table nesting depth.
    pub(super) tables: usize,
}

/// The purpose of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Document text.
    Body,
    /// Ignored.
    Nothing,
    Fonts,
    Colors,
    Styles,
    /// Title of the document.
    Title,
    /// List marker.
    Marker,
    /// Field instruction.
    Instruction,
    Picture,
    /// Bookmark name.
    Bookmark,
}

impl Default for State {
    fn default() -> Self {
        Self {
            text_style: PartialStyle::default(),
            font: -1,
            paragraph: Paragraph::default(),
            purpose: Purpose::Body,
            fallback_length: 1,
            deleted: false,
        }
    }
}
