//! Writers of document formats. They take one page at a time; memory does not grow with the number of pages, except for a few
//! bytes per page, picture, note and link.
//!
//! | writer | pages | headers and footers | text around tables |
//! |---|---|---|---|
//! | [`text`] | separated by form feeds | on each page | kept |
//! | [`markdown`] | one continuous flow | the first header | kept |
//! | [`html`] | one continuous flow with page marks | those of the first page that has them | kept |
//! | [`json`] | the model itself | on each page | kept |
//! | [`csv`] | one continuous flow | dropped | dropped |
//! | [`docx`] | one continuous flow with page marks | those of each section's first page and of its other pages | kept |
//! | [`xlsx`] | a worksheet per table, or per page without tables | dropped | dropped |
//! | [`pptx`] | a slide per page | on each page | kept |
//!
//! [`fixed`] has the writers for pages of fixed layout.
//!
//! Except in [`json`], and in [`docx`] on pages with a picture behind their text, text without enough contrast to its cell, its
//! highlight or white paper becomes black or white.
//!
//! Where pages form one flow, a paragraph or table that continues on the next page is merged, and the repeated header rows of
//! such a table are dropped. Output is deterministic. It is written in small chunks, so wrap files in a buffer.

mod chunks;
mod csv;
mod direction;
mod docx;
mod error;
pub mod fixed;
mod flow;
mod font;
mod grid;
mod html;
mod json;
mod legible;
mod length;
mod link;
mod markdown;
mod marker;
mod notes;
mod ooxml;
mod outside_tables;
mod page_transform;
mod picture;
mod plain;
mod positioned_line;
mod pptx;
mod running_text;
mod text;
mod xlsx;
mod xml;

pub use csv::{TableSelection, csv};
pub use docx::docx;
pub use error::WriteError;
pub use html::html;
pub use json::{json, json_with_chunks};
pub use link::keeps_link;
pub use markdown::{markdown, markdown_with_page_markers};
pub use outside_tables::{is_sheet_of_text, text_outside_tables};
pub use picture::{NoPictures, PictureFormat, PictureInfo, Pictures};
pub use pptx::pptx;
pub use text::text;
pub use xlsx::xlsx;

use crate::Page;
use crate::model::candidate::Candidate;

/// Writes a document from its pages, in order.
pub trait Writer<P = Page> {
    /// Writes the next page.
    ///
    /// # Errors
    /// [`WriteError`] if the output cannot be written or a picture cannot be read; the output is then incomplete.
    fn page(&mut self, page: P) -> Result<(), WriteError>;

    /// Adds the candidates of the next page; only [`json`] writes them.
    fn candidates(&mut self, _candidates: Vec<Candidate>) {}

    /// Finishes the document. Without this call the output is incomplete.
    ///
    /// # Errors
    /// As [`Writer::page`].
    fn finish(self: Box<Self>) -> Result<WriteReport, WriteError>;
}

/// Metadata of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Title.
    pub title: Option<String>,
    /// Language, a BCP 47 tag.
    pub language: Option<String>,
}

impl Metadata {
    /// Returns the language if it is a well-formed language tag; documents contain arbitrary text here.
    fn language_tag(&self) -> Option<&str> {
        let language = self.language.as_deref()?;
        let is_part = |part: &str| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let primary = language.split('-').next().unwrap_or_default();
        let is_named = primary.len() >= 2 && primary.bytes().all(|byte| byte.is_ascii_alphabetic());
        (is_named && language.len() <= 35 && language.split('-').all(is_part)).then_some(language)
    }
}

/// Statistics of a written document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteReport {
    /// Number of pages.
    pub pages: u32,
    /// Number of tables; a table merged across pages counts once.
    pub tables: u32,
    /// Number of cells truncated or dropped because of the format's limits.
    pub truncated_cells: u32,
}

/// The result of writing.
pub type Result<T = (), E = WriteError> = std::result::Result<T, E>;
