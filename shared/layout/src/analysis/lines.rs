//! Glyph runs → lines: words on one baseline, with their text and its style.

pub(super) mod bullet;
pub(super) mod caption_words;
pub(super) mod code;
pub(super) mod column;
pub(super) mod drawn_boxes;
pub(super) mod entry;
pub(super) mod initial;
pub(super) mod line;
pub(super) mod marker;
pub(super) mod text_style;
pub(super) mod ticked;
pub(super) mod typed;
pub(super) mod words;
pub(super) mod write;
