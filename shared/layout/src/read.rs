//! Sheets → pages: the structure of a page from what the document says of it, or from where its characters and lines stand.
//!
//! A document is gone through twice. [`Survey`] collects what it has as a whole, such as the looks of its headings and what is
//! repeated at the edges of its pages; [`Reader`] reads page after page with that. Neither grows with the number of pages.

mod apart;
mod atom;
mod band;
mod banded;
mod bidi;
mod block;
mod bullet;
mod clauses;
mod clean;
mod connect;
mod continued;
mod early;
mod edges;
mod facts;
mod flow;
mod footnote;
mod front;
mod glyph;
mod grid;
mod group;
mod head;
mod initial;
mod inset;
mod joined;
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
mod placed;
mod reader;
mod resumed;
mod ruled;
mod slant;
mod spans;
mod sparse;
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

pub use facts::Facts;
pub use joined::{Joined, joined};
pub use placed::{Sighting, placed};
pub use reader::Reader;
pub use survey::Survey;
pub use warning::{Reading, Warning};

/// How pages are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which tables are looked for.
    pub tables: Tables,
    /// Whether what the document says of its structure is used where it is whole.
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

/// Which tables are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tables {
    /// Those with lines between their cells, and those without.
    #[default]
    Auto,
    /// Those with lines between their cells.
    Ruled,
    /// None: what they hold is read as text.
    Off,
}
