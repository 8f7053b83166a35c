//! Regions → blocks: headings, paragraphs, list items, footnotes.

pub(super) mod block;
pub(super) mod footnote;
pub(super) mod group;
pub(super) mod headings;
pub(super) mod inset;
pub(super) mod list;
pub(super) mod loose;
pub(super) mod stretch;
