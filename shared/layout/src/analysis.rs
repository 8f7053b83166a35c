//! Page content → pages: structure from the tags of the document, or from the positions of characters and lines.
//!
//! A document is read in two passes. [`Survey`] collects [`DocumentStatistics`], such as the text styles of headings and the
//! lines repeated as headers and footers; [`Reader`] reads page after page with these. [`rows_across_pages`] then joins table
//! rows that continue on the next page. [`fixed_page`] needs no statistics. None of them grows with the number of pages.

mod apart;
mod atom;
mod band;
mod banded;
mod bidi;
mod block;
mod bullet;
mod clauses;
mod clean;
mod column;
mod connect;
mod continued;
mod early;
mod edges;
mod fixed_page;
mod flow;
mod footnote;
mod front;
mod glyph;
mod grid;
mod group;
mod head;
mod initial;
mod inset;
mod justified;
mod kind;
mod line;
mod list;
mod look;
mod loose;
mod margins;
mod marker;
mod marks;
mod order;
mod pace;
mod page;
mod piece;
mod reader;
mod resumed;
mod rows_across_pages;
mod ruled;
mod slant;
mod spans;
mod sparse;
mod statistics;
mod stretch;
mod strokes;
mod survey;
mod tagged;
mod ticked;
mod turn;
mod typed;
mod uneven;
mod unruled;
mod untable;
mod warning;
mod words;
mod write;
mod zone;

pub use fixed_page::{FixedReading, fixed_page};
pub use reader::Reader;
pub use rows_across_pages::{RowsAcrossPages, rows_across_pages};
pub use statistics::DocumentStatistics;
pub use survey::Survey;
pub use warning::{Reading, Warning};

/// Options of analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which tables are detected.
    pub tables: Tables,
    /// Whether to use the structure tree of the document where it covers the page.
    pub tags: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tables: Tables::default(),
            tags: true,
        }
    }
}

/// Which tables are detected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tables {
    /// Ruled and borderless tables.
    #[default]
    Auto,
    /// Ruled tables only.
    Ruled,
    /// None: the content of tables is read as text.
    Off,
}
