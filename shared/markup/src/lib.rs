//! Documents that say their structure (of offices and of the web), read into the layout model without an office suite.
//!
//! [`read`] gives a whole document, [`Reader`] one page at a time. A page is a sheet of a workbook, a slide, or what stands
//! between two page breaks of a text. Nothing that a document refers to is fetched, nothing is written, and no entity or
//! formula is expanded: what a document holds is taken as it is, within [`Limits`].
//!
//! | format | pages | pictures |
//! |---|---|---|
//! | docx, odt, rtf | at page breaks and sections that the document asks for | of its own |
//! | xlsx, xlsb, ods | a sheet, with one table | of its own |
//! | xls | a sheet, with one table | none |
//! | csv, tsv | one, with one table | none |
//! | pptx, odp | a slide | of its own |
//! | html, md | one | `data:` URLs |

mod archive;
mod biff;
mod counting;
mod csv;
mod diagram;
mod docx;
mod error;
mod flow;
mod grid;
mod html;
mod instruction;
mod ladder;
mod limits;
mod line;
mod link;
mod look;
mod markdown;
mod math;
mod nesting;
mod number_format;
mod odf;
mod package;
mod paper;
mod pictures;
mod pptx;
mod reader;
mod rtf;
mod slide;
mod source;
mod style_name;
mod symbols;
mod text;
mod theme;
mod units;
mod warning;
mod worksheet;
mod xlsx;
mod xml;

/// Raised whenever the same document may be read otherwise than before.
pub const VERSION: u32 = 5;

pub use biff::RecordReader;
pub use error::MarkupError;
pub use limits::{Limits, Options};
pub use markdown::without_front_matter;
pub use pictures::Pictures;
pub use reader::{Document, Reader, read};
pub use source::Metadata;
pub use warning::{Loss, Warning};
