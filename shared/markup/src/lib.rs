//! Reads office, web and text documents into the layout model without an office suite.
//!
//! [`read`] returns a whole document, [`Reader`] one page at a time. A page is a worksheet, a slide, or the text between two
//! page breaks. External resources are never fetched, nothing is written to disk, and entities and formulas are not expanded.
//! Input is untrusted and bounded by [`Limits`].
//!
//! | format | pages | pictures |
//! |---|---|---|
//! | docx, odt, rtf | between explicit page breaks and section breaks | embedded |
//! | xlsx, xlsb, ods | a worksheet, with one table | embedded |
//! | xls | a worksheet, with one table | none |
//! | csv, tsv | one, with one table | none |
//! | pptx, odp | a slide | embedded |
//! | html, md | one | `data:` URLs |
//! | epub | one, of all chapters | embedded |
//! | eml, msg | one | embedded |

mod archive;
mod biff;
mod cell_reference;
mod comment_parts;
mod comments;
mod csv;
mod diagram;
mod docx;
mod epub;
mod error;
mod flow;
mod grid;
mod html;
mod html_fragment;
mod html_page;
mod instruction;
mod limits;
mod line;
mod link;
mod list_nesting;
mod mail;
mod markdown;
mod math;
mod mathml;
mod nesting;
mod number_format;
mod numbering_format;
mod odf;
mod package;
mod paper;
mod partial_style;
mod pictures;
mod pptx;
mod reader;
mod rtf;
mod sheet_cells;
mod sheet_headers;
mod sheet_links;
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

/// Version of the readers, raised whenever the same document may be read differently.
pub const VERSION: u32 = 9;

pub use biff::RecordReader;
pub use comments::comments;
pub use error::MarkupError;
pub use html_page::HtmlPage;
pub use limits::{Limits, Options};
pub use markdown::{markdown_events, to_html as markdown_to_html, without_front_matter};
pub use pictures::Pictures;
pub use reader::{Document, Reader, read, read_as_html};
pub use sheet_cells::{Overflow, PlacedCell, SheetCells};
pub use source::Metadata;
pub use warning::{Loss, Warning};
