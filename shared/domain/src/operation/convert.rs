//! Options of `convert`: LibreOffice and browser output to PDF, and PDF to other formats.

mod applicable;
mod capture;
mod page_setup;
mod structure;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::decimal::{DeviceScaleFactor, Margin, PaperSide, PrintScale};
use super::language::Languages;
use super::locale::Locale;
use super::margin_text::MarginText;
use super::number::{PixelsPerInch, Quality, TableNumber, ViewportSide};
use super::page_range::PageRanges;
use super::security::Password;
use super::{converts_by_structure, needs_office_suite};
use crate::field::{self, FieldError};
use crate::format::Format;

pub use capture::{Viewport, is_renderable_size};
pub use page_setup::{PageSetup, PaperSize, margins};
pub use structure::{
    Chunking, FIXED_LAYOUT, ImageHandling, LayoutMode, OcrPolicy, STRUCTURED, TableDetection,
    WITH_IMAGES,
};

/// Options of `convert`. Each option applies to certain conversions only. From PDF and office documents: `password`. From
/// PDF, and from office documents and web pages to PDF: `pages`. From PDF to images: `resolution`, and with JPEG and WebP
/// `imageQuality`. From office documents to PDF: `tagged`, `imageQuality` and `imageResolution`; from spreadsheets also
/// `singlePageSheets` and `fitToWidth`; from presentations, to other formats too, `notes`. Between images: `keepMetadata`.
/// From web pages to PDF: paper, margins, `scale`, `background`, `header` and `footer`. Screenshots of web pages: viewport,
/// `fullPage` and `deviceScaleFactor`. From office documents, and from web pages to PDF: `locale`. From PDF and images to
/// documents: `mode`, `tables`, `table`, `images`, `ocr`, `language`, `chunk`, `pageMarkers` and `explain`; `table`, `images` and `chunk` also from other
/// documents that are converted by structure.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct ConvertOptions {
    /// Target format. Required.
    pub format: Format,
    /// Password that opens the source document. Default: none.
    pub password: Option<Password>,
    /// Pages to keep, each once and in document order. Default: all pages.
    pub pages: Option<PageRanges>,
    /// Whether the PDF is tagged with its structure (headings, lists, tables) for assistive technology. Default: `true`.
    pub tagged: Option<bool>,
    /// Quality of JPEG images in a PDF, or of PDF pages rendered as JPEG or WebP. Default: 90 in a PDF, 80 for rendered pages.
    pub image_quality: Option<Quality>,
    /// Resolution in pixels per inch to which images in the PDF are reduced. Default: images keep their resolution.
    pub image_resolution: Option<Resolution>,
    /// Resolution in pixels per inch at which PDF pages are rendered. Default: 150. An image of more than 100 megapixels, or
    /// with a side longer than the plan or the format allows, is scaled down, with the warning `limited_by_size`.
    pub resolution: Option<PixelsPerInch>,
    /// Whether each worksheet is scaled to fit on one page, to 10 % at least. Default: `false`.
    pub single_page_sheets: Option<bool>,
    /// Whether each worksheet is scaled so that all columns fit the page width, to 10 % at least. Cannot be combined with
    /// `singlePageSheets`. Default: `false`.
    pub fit_to_width: Option<bool>,
    /// Whether speaker notes are included: on pages after the slides in PDF, after each slide in other formats. Default:
    /// `false`.
    pub notes: Option<bool>,
    /// Paper size for a web page. Default: the page size of the CSS (`@page`) if none of `paper`, `paperWidth`, `paperHeight`
    /// and `landscape` is given, else that of `locale`.
    pub paper: Option<PaperSize>,
    /// Paper width in millimeters, together with `paperHeight`; replaces `paper`. Default: the width of `paper`.
    pub paper_width: Option<PaperSide>,
    /// Paper height in millimeters, together with `paperWidth`. Default: the height of `paper`.
    pub paper_height: Option<PaperSide>,
    /// Whether the paper is in landscape orientation: width and height are swapped. Default: `false`.
    pub landscape: Option<bool>,
    /// Top margin in millimeters. Default: the margin of the CSS (`@page`), else 10.
    pub margin_top: Option<Margin>,
    /// Right margin in millimeters. Default: the margin of the CSS (`@page`), else 10.
    pub margin_right: Option<Margin>,
    /// Bottom margin in millimeters. Default: the margin of the CSS (`@page`), else 10.
    pub margin_bottom: Option<Margin>,
    /// Left margin in millimeters. Default: the margin of the CSS (`@page`), else 10.
    pub margin_left: Option<Margin>,
    /// Print scale, where 1 is the original size. Default: 1.
    pub scale: Option<PrintScale>,
    /// Whether background colors and background images are printed. Default: `true`.
    pub background: Option<bool>,
    /// Text line printed in the top margin of each page. Default: none.
    pub header: Option<MarginText>,
    /// Text line printed in the bottom margin of each page. Default: none.
    pub footer: Option<MarginText>,
    /// Width of the browser viewport for a screenshot, in CSS pixels. Default: 1280.
    pub viewport_width: Option<ViewportSide>,
    /// Height of the browser viewport for a screenshot, in CSS pixels. Default: 1024.
    pub viewport_height: Option<ViewportSide>,
    /// Whether the screenshot covers the full page instead of the viewport. Default: `true`.
    pub full_page: Option<bool>,
    /// Image pixels per CSS pixel. Default: 1.
    pub device_scale_factor: Option<DeviceScaleFactor>,
    /// Whether EXIF and XMP metadata are kept, including the GPS position of a photograph. Only from and to JPEG, PNG and
    /// WebP. Default: `false`.
    pub keep_metadata: Option<bool>,
    /// Whether the result has flowing text, or every line at its position on the page. Default: `flow`; for plain text, the
    /// order in which the file draws its text.
    pub mode: Option<LayoutMode>,
    /// How tables are detected in a PDF. Default: `auto`.
    pub tables: Option<TableDetection>,
    /// Number of the table that the CSV contains, from 1. Default: all tables, separated by empty lines.
    pub table: Option<TableNumber>,
    /// Whether the images of the document are included, and how. Default: `embed`; for Markdown `drop`.
    pub images: Option<ImageHandling>,
    /// What happens to text of a PDF that has no characters: scanned pages, outlined text and pictures of text. Default: `auto`.
    pub ocr: Option<OcrPolicy>,
    /// Languages for OCR: one to five, joined by `+`. Default: detected on some of the recognized pages.
    pub language: Option<Languages>,
    /// Adds the text to JSON in chunks for retrieval and language models, each of one section, with its headings and pages.
    /// Default: no chunks.
    pub chunk: Option<Chunking>,
    /// Whether Markdown has comments where pages begin, such as `<!-- page 3 -->`. Default: `false`.
    pub page_markers: Option<bool>,
    /// Whether JSON contains the evidence for what was detected: for each page `candidates`, each with its kind, bounds,
    /// features and score. For debugging; names and values may change. Default: `false`.
    pub explain: Option<bool>,
    /// BCP 47 tag of the locale in which dates, numbers and amounts are shown that the document does not fix, and whose paper
    /// size a document without one has: Letter in the United States, A4 in most of the world. Default: that of the account,
    /// else `en-US`.
    pub locale: Option<Locale>,
}

impl ConvertOptions {
    /// Creates a conversion to `format` with default options.
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
            chunk: None,
            page_markers: None,
            explain: None,
            locale: None,
        }
    }

    /// Returns the locale.
    #[must_use]
    pub fn locale(&self) -> Locale {
        self.locale.unwrap_or_default()
    }

    /// Sets the locale of a document of format `from` if it applies and none is given.
    pub(crate) fn localize(&mut self, from: Format, locale: Locale) {
        if self.locale.is_none() && self.has_locale(from) {
            self.locale = Some(locale);
        }
    }

    /// Checks the rules that the types of the options do not enforce.
    pub(super) fn check(&self, path: &str) -> Result<(), FieldError> {
        let error = self.worksheet_scaling_error();
        let error = error.or_else(|| page_setup::check(self));
        let error = error.or_else(|| structure::check(self));
        match error.or_else(|| capture::check(self)) {
            None => Ok(()),
            Some((name, message)) => Err(FieldError::invalid(field::member(path, name), message)),
        }
    }

    /// `singlePageSheets` already makes the page as wide as the worksheet.
    fn worksheet_scaling_error(&self) -> Option<(&'static str, String)> {
        let both = self.fit_to_width == Some(true) && self.single_page_sheets == Some(true);
        both.then_some((
            "fitToWidth",
            "cannot be combined with `singlePageSheets`".to_owned(),
        ))
    }

    /// Whether the result is an archive of a document and its images.
    #[must_use]
    pub fn bundles_images(&self) -> bool {
        self.format == Format::Markdown && self.images == Some(ImageHandling::Files)
    }

    /// Whether the document, of format `from`, is converted by its structure ([`converts_by_structure`]) without the office suite,
    /// which is needed to open documents with a password and those of some formats.
    #[must_use]
    pub fn converts_without_office_suite(&self, from: Format) -> bool {
        converts_by_structure(from, self.format)
            && self.password.is_none()
            && !needs_office_suite(from)
    }
}

/// Resolution in pixels per inch to which images are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "i64", into = "i64")]
#[schemars(with = "i64", extend("enum" = [75, 150, 300, 600, 1200]))]
pub struct Resolution(u16);

impl Resolution {
    /// Returns the pixels per inch.
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
