//! Documents in which everything stands exactly where it stood, for forms and flyers: a page a page, a slide or a page box each.
//!
//! | writer | a line of text | what is drawn under it |
//! |---|---|---|
//! | [`docx()`] | a text box of its own, fixed to the page | under the text, fixed to the page |
//! | [`pptx()`] | a text box of its own | as pictures and shapes |
//! | [`html()`] | an element of its own in a box of the page's size | in the same box, shapes as SVG |
//! | [`text()`] | at its column, others of the same height beside it | left out |
//!
//! A line begins where it began (one that is read from the right ends there) and stands on the same baseline; how far it
//! reaches is up to the font that shows it. A page that is larger than the format allows is made smaller as a whole.
//! A picture that is not there leaves its place empty.

pub use super::docx::fixed::docx;
pub use super::html::fixed::html;
pub use super::pptx::fixed::pptx;
pub use super::text::fixed::text;
