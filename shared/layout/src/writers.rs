//! Documents made of the model, a page at a time: what a writer holds does not grow with the number of pages, save for a few
//! bytes a page, picture, note and link.
//!
//! | writer | pages | headers and footers | text beside tables |
//! |---|---|---|---|
//! | [`text`] | a form feed between them | as they stand on each page | kept |
//! | [`markdown`] | flow together | the first header | kept |
//! | [`html`] | flow together, marked | those of the first page that has them | kept |
//! | [`json`] | the model itself | as they stand on each page | kept |
//! | [`csv`] | flow together | left out | left out |
//! | [`docx`] | flow together, marked | those of a section's first page and of the others | kept |
//! | [`xlsx`] | a sheet a table, or a page without one | left out | left out |
//! | [`pptx`] | a slide each | as they stand on each page | kept |
//!
//! [`fixed`] has writers of pages of which everything keeps its place.
//!
//! Text whose colour could not be read on white is black, but in [`json`]: grounds are kept by [`fixed`] alone.
//!
//! Where pages flow together, a paragraph or table that goes on with that of the page before becomes one with it, and header
//! rows that such a table repeats are left out. Equal pages give equal bytes. Outputs are written in small pieces, so that
//! files want a buffer.

mod csv;
mod direction;
mod docx;
mod error;
pub mod fixed;
mod flow;
mod font;
mod frame;
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
mod picture;
mod plain;
mod pptx;
mod standing;
mod text;
mod xlsx;
mod xml;

pub use csv::{TableSelection, csv};
pub use docx::docx;
pub use error::WriteError;
pub use html::html;
pub use json::json;
pub use markdown::markdown;
pub use picture::{NoPictures, PictureFormat, PictureInfo, Pictures};
pub use pptx::pptx;
pub use text::text;
pub use xlsx::xlsx;

use crate::Page;

/// Takes the pages of a document in order and makes another one of them.
pub trait Writer<P = Page> {
    /// Takes the next page.
    ///
    /// # Errors
    /// If the output cannot be written or a picture cannot be read; then the document is of no use.
    fn page(&mut self, page: P) -> Result<(), WriteError>;

    /// Ends the document. Without it the document is of no use.
    ///
    /// # Errors
    /// As [`Writer::page`].
    fn finish(self: Box<Self>) -> Result<WriteReport, WriteError>;
}

/// What is known about a whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Its title.
    pub title: Option<String>,
    /// Its language, as BCP 47 names it.
    pub language: Option<String>,
}

impl Metadata {
    /// The language, if it is named as languages are: documents name anything.
    fn tongue(&self) -> Option<&str> {
        let language = self.language.as_deref()?;
        let is_part = |part: &str| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let primary = language.split('-').next().unwrap_or_default();
        let is_named = primary.len() >= 2 && primary.bytes().all(|byte| byte.is_ascii_alphabetic());
        (is_named && language.len() <= 35 && language.split('-').all(is_part)).then_some(language)
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteReport {
    /// How many pages there were.
    pub pages: u32,
    /// How many tables were written; one that goes over several pages is one where pages flow together.
    pub tables: u32,
    /// How many cells hold less than they should, since the format has no room.
    pub cut: u32,
}

/// What writing comes to.
pub type Outcome<T = ()> = Result<T, WriteError>;
