//! What is told about a document, as it stands in the result of `info`.

use domain::format::Format;
use domain::operation::Permission;
use serde::{Deserialize, Serialize};

/// What is told about an image.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImageFacts {
    /// The format.
    pub format: Format,
    /// Pages of a TIFF, else 1.
    pub pages: u32,
    /// Pixels across, of the first page, turned upright.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Pixels an inch, across and down, where the file says so.
    pub density: Option<(f32, f32)>,
}

/// What is told about a PDF.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PdfFacts {
    /// The format.
    pub format: Format,
    /// How many pages there are.
    pub pages: u32,
    /// Whether it is encrypted, be it with a password that nobody needs.
    pub encrypted: bool,
    /// What it allows whoever can open it.
    pub permissions: Vec<Permission>,
    /// The version in its header, such as `1.7`.
    pub pdf_version: Option<String>,
    /// The title; likewise what follows.
    pub title: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// What it is about.
    pub subject: Option<String>,
    /// Words to find it by.
    pub keywords: Option<String>,
    /// The program that made the PDF.
    pub producer: Option<String>,
    /// The program that the document was written with.
    pub creator: Option<String>,
    /// When it was made, as RFC 3339 says as far as it is known.
    pub created: Option<String>,
    /// When it was last changed.
    pub modified: Option<String>,
    /// Whether it tells the structure of its text.
    pub tagged: bool,
    /// Whether it has a form.
    pub forms: bool,
    /// How large each page is.
    pub page_sizes: Vec<PageSize>,
}

/// How large a page is, as it is shown.
#[derive(Serialize, Deserialize)]
pub struct PageSize {
    /// Its number, from 1.
    pub number: u32,
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
}
