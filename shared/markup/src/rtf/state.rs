//! What holds within a group: how characters look, what their paragraph is, and what their text is for.

use layout::Alignment;

use crate::look::Look;

/// What holds within a group.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) look: Look,
    pub(super) font: i32,
    pub(super) paragraph: Paragraph,
    pub(super) purpose: Purpose,
    /// How many characters stand in for one of Unicode.
    pub(super) stand_ins: usize,
    /// It was deleted.
    pub(super) deleted: bool,
}

/// What a paragraph is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Paragraph {
    pub(super) alignment: Alignment,
    pub(super) style: Option<i32>,
    /// From 0.
    pub(super) outline: Option<u8>,
    pub(super) level: u8,
    /// How many quotations it stands in.
    pub(super) quoted: u8,
    pub(super) breaks_before: bool,
    /// How many tables it is in.
    pub(super) tables: usize,
}

/// What text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be read.
    Body,
    /// Nothing.
    Nothing,
    Fonts,
    Colours,
    Styles,
    /// The title of the document.
    Title,
    /// What stands before an item.
    Marker,
    /// What a field does.
    Instruction,
    Picture,
    /// The name of a bookmark.
    Bookmark,
}

impl Default for State {
    fn default() -> Self {
        Self {
            look: Look::default(),
            font: -1,
            paragraph: Paragraph::default(),
            purpose: Purpose::Body,
            stand_ins: 1,
            deleted: false,
        }
    }
}
