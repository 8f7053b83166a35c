//! Page content → pages: structure from the tags of the document, or from the positions of characters and lines.
//!
//! A document is read in two passes. [`Survey`] collects [`DocumentStatistics`], such as the text styles of headings and the
//! lines repeated as headers and footers; [`Reader`] reads page after page with these. [`rows_across_pages`] then joins table
//! rows that continue on the next page. [`fixed_page`] needs no statistics. None of them grows with the number of pages.
//!
//! | stage | from → to | method |
//! |---|---|---|
//! | [`figures`] | drawings and labels → figures | regions of near drawings (run-length smoothing, Wong 1982) |
//! | [`glyphs`] | page content → glyph runs | characters that touch, in one writing direction |
//! | [`lines`] | glyph runs → lines | nearest neighbors on a baseline (docstrum, O'Gorman 1993) |
//! | [`survey`] | lines of all pages → statistics | body style, headers and footers repeated at one place |
//! | [`regions`] | lines → regions in reading order | recursive XY-cut with masks (XY-cut++, arXiv 2504.10258) |
//! | [`tables`] | rules and lines → tables | grids of rules, row bands and text edges (Nurminen 2013) |
//! | [`blocks`] | regions → blocks | paragraphs, list items, footnotes, scored headings |
//! | [`formatting`] | blocks and graphics → colors, borders and alignment of cells | |
//! | [`document`] | blocks → pages that continue one another | |
//! | [`candidates`] | | scores of interpretations and their weights |

mod blocks;
mod candidates;
mod document;
mod figures;
mod fixed_page;
mod formatting;
mod front;
mod glyphs;
mod lines;
mod regions;
mod survey;
mod tables;
mod tagged;
mod warning;

pub use crate::model::candidate::{Candidate, Feature, Kind};
pub use document::reader::Reader;
pub use document::rows_across_pages::{RowsAcrossPages, rows_across_pages};
pub use figures::{FigureRegions, figures};
pub use fixed_page::{FixedReading, fixed_page};
pub use lines::drawn_boxes::drawn_check_boxes;
pub use survey::Survey;
pub use survey::statistics::DocumentStatistics;
pub use warning::{Reading, Warning};

/// Options of analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which tables are detected.
    pub tables: Tables,
    /// Whether to use the structure tree of the document where it covers the page.
    pub tags: bool,
    /// Whether to return the scored candidates of each page.
    pub explain: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tables: Tables::default(),
            tags: true,
            explain: false,
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
