//! The options of `convert`: how LibreOffice or a browser is to write PDF, and what pages of a PDF become.

mod capture;
mod fitting;
mod sheet;
mod structure;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::decimal::{DeviceScaleFactor, Margin, PaperSide, PrintScale};
use super::is_read;
use super::language::Languages;
use super::margin_text::MarginText;
use super::number::{PixelsPerInch, Quality, TableNumber, ViewportSide};
use super::page_range::PageRanges;
use super::security::Password;
use crate::field::{self, FieldError};
use crate::format::Format;

pub use capture::{Viewport, is_drawable};
pub use sheet::{Paper, Sheet, margins};
pub use structure::{
    ILLUSTRATED, PLACED, PictureTreatment, Recognition, STRUCTURED, TableDetection, TextPlacement,
};

/// Options of `convert`. `password` is for PDF and for office documents, `pages` for PDF and what is made PDF of
/// others, `resolution` for pictures of the pages of a PDF, `tagged` to `notes` for PDF made of office documents, `notes` also for what else is made of presentations, `keepMetadata` for images, `paper` to `footer` for
/// PDF made of web pages, `viewportWidth` to `deviceScaleFactor` for pictures of these, `mode` to `language` for documents made
/// of PDF and of pictures of pages, and `table` and `images` also for documents made of others by what these say.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct ConvertOptions {
    /// The format to convert to.
    pub format: Format,
    /// Opens a document that is under a password.
    pub password: Option<Password>,
    /// The pages that are kept, each once and in the document's order; all when not given.
    pub pages: Option<PageRanges>,
    /// Whether the PDF says what is a heading, a list or a table, for readers that speak; true when not given.
    pub tagged: Option<bool>,
    /// Quality of the pictures in a PDF, which are stored as JPEG then; 90 when not given. Also that of the pages of a PDF
    /// as JPEG or WebP; 80 when not given.
    pub image_quality: Option<Quality>,
    /// Most pixels an inch of the pictures; as many as they have when not given.
    pub image_resolution: Option<Resolution>,
    /// Pixels an inch of the pictures of a PDF's pages; 150 when not given, or as many as the plan allows. A page of more
    /// than 100 megapixels is `input_too_large`; more a side than the plan allows is `output_too_large` when given.
    pub resolution: Option<PixelsPerInch>,
    /// Whether each sheet of a spreadsheet is scaled, to no less than a tenth, so that it is one page.
    pub single_page_sheets: Option<bool>,
    /// Whether each sheet of a spreadsheet is scaled, to no less than a tenth, so that all its columns are side by side on one
    /// page; not together with `singlePageSheets`.
    pub fit_to_width: Option<bool>,
    /// Whether the notes of a presentation are in the result: in PDF on pages behind all slides, else behind what each slide says.
    pub notes: Option<bool>,
    /// The paper that a web page is printed on. What its own style sheet says counts when neither this nor `paperWidth`,
    /// `paperHeight` and `landscape` are given, and A4 when it says nothing.
    pub paper: Option<Paper>,
    /// The paper's width in millimetres, together with `paperHeight`, instead of `paper`.
    pub paper_width: Option<PaperSide>,
    /// The paper's height in millimetres.
    pub paper_height: Option<PaperSide>,
    /// Whether the paper lies on its longer side: width and height change places.
    pub landscape: Option<bool>,
    /// What stays free at the top of each sheet, in millimetres. For each side, what the page's own style sheet says counts
    /// when this is not given, and 10 when it says nothing.
    pub margin_top: Option<Margin>,
    /// What stays free at the right, in millimetres.
    pub margin_right: Option<Margin>,
    /// What stays free at the bottom, in millimetres.
    pub margin_bottom: Option<Margin>,
    /// What stays free at the left, in millimetres.
    pub margin_left: Option<Margin>,
    /// How large the page is printed on the paper; 1 when not given.
    pub scale: Option<PrintScale>,
    /// Whether colours and pictures behind the text are printed; true when not given.
    pub background: Option<bool>,
    /// A line above the text of each page.
    pub header: Option<MarginText>,
    /// A line below the text of each page.
    pub footer: Option<MarginText>,
    /// The width of the window in which a picture of a web page is taken, in pixels of its style sheet; 1,280 when not given.
    pub viewport_width: Option<ViewportSide>,
    /// The window's height; 1,024 when not given.
    pub viewport_height: Option<ViewportSide>,
    /// Whether the picture shows the whole page, however long, and not what the window shows; true when not given.
    pub full_page: Option<bool>,
    /// Pixels of the picture for each pixel of the style sheet; 1 when not given.
    pub device_scale_factor: Option<DeviceScaleFactor>,
    /// Whether EXIF and XMP stay, the place where a photograph was taken included; false when not given. From and to
    /// JPEG, PNG and WebP only.
    pub keep_metadata: Option<bool>,
    /// Whether text flows anew or every line stays where it stands; `flow` when not given, but text in the order in
    /// which the file draws it.
    pub mode: Option<TextPlacement>,
    /// What of a PDF is taken for a table; `auto` when not given.
    pub tables: Option<TableDetection>,
    /// Which of the tables of a PDF or a text the CSV holds, from 1; all of them, each after an empty line, when not given.
    pub table: Option<TableNumber>,
    /// Whether the pictures of the document are in the result; `keep` when not given.
    pub images: Option<PictureTreatment>,
    /// What becomes of the pages of a PDF that have no text; `auto` when not given.
    pub ocr: Option<Recognition>,
    /// The languages of the text that is read by OCR; English when not given.
    pub language: Option<Languages>,
}

impl ConvertOptions {
    /// A conversion without further options.
    #[must_use]
    pub fn to(format: Format) -> Self {
        Self {
            format,
            password: None,
            pages: None,
            tagged: None,
            image_quality: None,
            image_resolution: None,
            resolution: None,
            single_page_sheets: None,
            fit_to_width: None,
            notes: None,
            keep_metadata: None,
            paper: None,
            paper_width: None,
            paper_height: None,
            landscape: None,
            margin_top: None,
            margin_right: None,
            margin_bottom: None,
            margin_left: None,
            scale: None,
            background: None,
            header: None,
            footer: None,
            viewport_width: None,
            viewport_height: None,
            full_page: None,
            device_scale_factor: None,
            mode: None,
            tables: None,
            table: None,
            images: None,
            ocr: None,
            language: None,
        }
    }

    /// What the types of the options cannot say.
    pub(super) fn check(&self, path: &str) -> Result<(), FieldError> {
        let fault = self.sheets_fault();
        let fault = fault.or_else(|| sheet::fault(self));
        let fault = fault.or_else(|| structure::fault(self));
        match fault.or_else(|| capture::fault(self)) {
            None => Ok(()),
            Some((name, message)) => Err(FieldError::invalid(field::member(path, name), message)),
        }
    }

    /// A sheet that is one page is as wide as it needs.
    fn sheets_fault(&self) -> Option<(&'static str, String)> {
        let both = self.fit_to_width == Some(true) && self.single_page_sheets == Some(true);
        both.then_some((
            "fitToWidth",
            "does not go together with `singlePageSheets`: give one of them".to_owned(),
        ))
    }

    /// Whether the document, of format `from`, is read by what it says, as [`is_read`] tells; an office suite is needed to open
    /// one that is under a password.
    #[must_use]
    pub fn reads(&self, from: Format) -> bool {
        is_read(from, self.format) && self.password.is_none()
    }
}

/// Pixels an inch that pictures are scaled down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "i64", into = "i64")]
#[schemars(with = "i64", extend("enum" = [75, 150, 300, 600, 1200]))]
pub struct Resolution(u16);

impl Resolution {
    /// Pixels an inch.
    #[must_use]
    pub fn value(self) -> u16 {
        self.0
    }
}

impl TryFrom<i64> for Resolution {
    type Error = String;

    fn try_from(value: i64) -> Result<Self, String> {
        match u16::try_from(value) {
            Ok(value @ (75 | 150 | 300 | 600 | 1200)) => Ok(Self(value)),
            _ => Err("must be 75, 150, 300, 600 or 1200".to_owned()),
        }
    }
}

impl From<Resolution> for i64 {
    fn from(resolution: Resolution) -> Self {
        resolution.0.into()
    }
}

#[cfg(test)]
mod tests;
