//! Writers of fixed layout: everything stays at its position. A page becomes a page, a slide or a page box.
//!
//! | writer | a line of text | graphics |
//! |---|---|---|
//! | [`docx()`] | a text box, anchored to the page | below the text, anchored to the page |
//! | [`pptx()`] | a text box | pictures and shapes |
//! | [`html()`] | an absolutely positioned element in the page box | in the page box, shapes as SVG |
//! | [`text()`] | at its column, with other lines of the same height | dropped |
//!
//! A line keeps its start (right-to-left lines keep their right end) and its baseline; its width depends on the displayed font.
//! A page larger than the format allows is scaled down. A missing picture leaves its area empty.

pub use super::docx::fixed::docx;
pub use super::html::fixed::html;
pub use super::pptx::fixed::pptx;
pub use super::text::fixed::text;
