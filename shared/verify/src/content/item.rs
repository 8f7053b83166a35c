//! What a document consists of, as far as verification compares it.

use super::decimal::Decimal;

/// A part of a document, in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item<'t> {
    /// Text. A word may continue in the next text.
    Text(&'t str),
    /// Words of a result that the source may have: others for those of the cell, such as `Sept` for `Sep`, and those of images.
    Alternative(&'t str),
    /// Text beyond the edges of a slide, where the source may have it, too.
    Beyond(&'t str),
    /// The text and the number of images of a shape that is hidden or beyond the edges of its slide, which no printed page has.
    Hidden { text: &'t str, images: u32 },
    /// A header or footer that the source had before, at its first repetition. A result need not have it again.
    Repetition(&'t str),
    /// The beginning of a visible slide or sheet.
    Part,
    /// Whether what follows has to be in the result only once, wherever: headers and footers.
    Once(bool),
    /// The end of a paragraph, line or cell, which also ends a word.
    Break,
    /// A table cell with a number or date, which each format displays differently: its value, if other formats keep it.
    Number(Option<Decimal>),
    /// An image.
    Image,
    /// A chart.
    Chart,
    /// A table. Readers of sources take it only if several of its cells have text.
    Table,
    /// Whether what follows may be elsewhere in the result: notes, headers, charts.
    Aside(bool),
    /// A list item or a reference to a note, whose number or letter the application draws.
    Marker,
}

/// Where an item is in a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// Number of the page, slide or sheet, from 1.
    pub(super) number: u32,
    /// Row and column, from 0, if it is a cell.
    pub(super) cell: Option<(u32, u32)>,
}

/// Receives the items of a document.
pub(super) type Take<'a> = &'a mut dyn FnMut(Item<'_>, Place);

/// The document cannot be read by this reader. Its content is not compared then: other code decides whether it is damaged.
#[derive(Debug)]
pub(crate) struct Unreadable;

impl<E: std::error::Error> From<E> for Unreadable {
    fn from(_: E) -> Self {
        Self
    }
}
