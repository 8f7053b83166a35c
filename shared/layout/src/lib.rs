//! Document layout: the model of pages, the analysis that finds their structure, and the writers of document formats.
//!
//! | module | content |
//! |---|---|
//! | the model (this level) | [`Page`] and [`Block`]: structure in reading order; [`FixedPage`]: everything at its position; [`PageContent`]: characters, lines and pictures of a page without structure |
//! | [`analysis`] | [`PageContent`] → [`Page`] or [`FixedPage`] |
//! | [`writers`] | [`Page`] or [`FixedPage`] → docx, xlsx, pptx, html, md, txt, csv, json |
//!
//! A document is analyzed in two passes, so that memory does not grow with the number of pages:
//!
//! ```
//! use layout::analysis::{Options, Reader, Survey, rows_across_pages};
//! use layout::{PageContent, writers};
//!
//! let pages = [PageContent::default()];
//! let mut survey = Survey::default();
//! pages.iter().for_each(|page| survey.note(page));
//! let statistics = survey.finish();
//!
//! let mut reader = Reader::new(&statistics, Options::default());
//! let mut output = Vec::new();
//! let mut writer = writers::text(&mut output)?;
//! for reading in rows_across_pages(pages.iter().map(|page| Ok::<_, writers::WriteError>(reader.read(page)))) {
//!     writer.page(reading?.page)?;
//! }
//! writer.finish()?;
//! # Ok::<(), writers::WriteError>(())
//! ```
//!
//! Lengths are points (1/72 inch). The origin is the upper left corner of the page as displayed, x to the right and y down.

pub mod analysis;
mod model;
pub mod writers;

/// The version of analysis and writers, raised whenever the same document may be read or written differently.
pub const VERSION: u32 = 12;

// The structure of a page.
pub use model::block::{Alignment, Block, Borders, Cell, Content, Item, Table};
pub use model::geometry::{Rect, Size};
pub use model::page::{Basis, Page};
pub use model::text::{NOTE, Run, Script, Style, plain};

// Pages of fixed layout.
pub use model::fixed::{
    Area, Figure, FixedPage, Graphic, Line, PathSegment, Point, Shape, StrokeStyle,
};

// The input of analysis.
pub use model::page_content::{
    Character, CheckBox, Drawing, Font, LinkArea, OutlineEntry, PageContent, Picture, Stroke,
};
pub use model::structure::{Element, Role, StructureChild, Tag};
