//! The options of `convert`: how LibreOffice is to write PDF, and what pages of a PDF become.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::number::{PixelsPerInch, Quality};
use super::page_range::PageRanges;
use super::security::Password;
use crate::field;
use crate::format::{Category, Format};

/// Options of `convert`. `password` is for office documents and PDF, `pages` for PDF and what is made PDF of office
/// documents, `resolution` for pictures of the pages of a PDF; all others are for PDF made of office documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ConvertOptions {
    /// The format to convert to.
    pub format: Format,
    /// Opens a document that is under a password.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Password")]
    pub password: Option<Password>,
    /// The pages that are kept, each once and in the document's order; all when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "PageRanges")]
    pub pages: Option<PageRanges>,
    /// Whether the PDF says what is a heading, a list or a table, for readers that speak; true when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "bool")]
    pub tagged: Option<bool>,
    /// Quality of the pictures in a PDF, which are stored as JPEG then; 90 when not given. Also that of the pages of a PDF
    /// as JPEG or WebP; 80 when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Quality")]
    pub image_quality: Option<Quality>,
    /// Most pixels an inch of the pictures; as many as they have when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Resolution")]
    pub image_resolution: Option<Resolution>,
    /// Pixels an inch of the pictures of a PDF's pages; 150 when not given, or as many as the plan allows. A page of more
    /// than 100 megapixels is `input_too_large`; more a side than the plan allows is `output_too_large` when given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "PixelsPerInch")]
    pub resolution: Option<PixelsPerInch>,
    /// Whether each sheet of a spreadsheet becomes one page, as large as it needs.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "bool")]
    pub single_page_sheets: Option<bool>,
    /// Whether the slides of a presentation are followed by pages with their notes.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "bool")]
    pub notes: Option<bool>,
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
            notes: None,
        }
    }

    /// The first option that is given and means nothing on a document of format `from`.
    pub(super) fn misplaced(&self, from: Format) -> Option<&'static str> {
        use Category::{Presentation, Spreadsheet, Text};
        let category = from.facts().category;
        let is_office = matches!(category, Text | Spreadsheet | Presentation);
        let is_printed = is_office && self.format == Format::Pdf;
        let is_plain = matches!(from, Format::Txt | Format::Csv | Format::Rtf);
        let is_pdf = from == Format::Pdf;
        let is_drawn = is_pdf && self.format.facts().category == Category::Image;
        let is_lossy = is_drawn && matches!(self.format, Format::Jpeg | Format::Webp);
        let given = [
            (
                "password",
                self.password.is_some(),
                is_pdf || (is_office && !is_plain),
            ),
            ("pages", self.pages.is_some(), is_pdf || is_printed),
            ("resolution", self.resolution.is_some(), is_drawn),
            ("tagged", self.tagged.is_some(), is_printed),
            (
                "imageQuality",
                self.image_quality.is_some(),
                is_printed || is_lossy,
            ),
            (
                "imageResolution",
                self.image_resolution.is_some(),
                is_printed,
            ),
            (
                "singlePageSheets",
                self.single_page_sheets.is_some(),
                is_printed && category == Spreadsheet,
            ),
            (
                "notes",
                self.notes.is_some(),
                is_printed && category == Presentation,
            ),
        ];
        let misplaced = given.into_iter().find(|(_, given, fits)| *given && !fits);
        misplaced.map(|(name, ..)| name)
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
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::operation::Operation;

    fn on(from: Format, to: &str, option: (&str, Value)) -> Result<Operation, String> {
        let mut item = json!({"operation": "convert", "format": to});
        item[option.0] = option.1;
        let read = Operation::read(&item, "$").unwrap();
        read.on(from, "$").map_err(|fault| fault.path)
    }

    #[test]
    fn options_mean_something_on_some_documents_only() {
        let password = || ("password", json!("secret"));
        for (from, to, option, fits) in [
            (Format::Docx, "pdf", password(), true),
            (Format::Docx, "odt", password(), true),
            (Format::Csv, "pdf", password(), false),
            (Format::Png, "pdf", password(), false),
            (Format::Pdf, "png", ("pages", json!("1")), true),
            (Format::Pdf, "txt", ("pages", json!("1")), true),
            (Format::Pdf, "txt", password(), true),
            (Format::Pdf, "png", ("resolution", json!(72)), true),
            (Format::Pdf, "txt", ("resolution", json!(72)), false),
            (Format::Png, "jpeg", ("resolution", json!(72)), false),
            (Format::Docx, "pdf", ("resolution", json!(72)), false),
            (Format::Pdf, "jpeg", ("imageQuality", json!(50)), true),
            (Format::Pdf, "webp", ("imageQuality", json!(50)), true),
            (Format::Pdf, "png", ("imageQuality", json!(50)), false),
            (Format::Pdf, "png", ("imageResolution", json!(75)), false),
            (Format::Pdf, "png", ("tagged", json!(true)), false),
            (Format::Docx, "pdf", ("pages", json!("1")), true),
            (Format::Docx, "odt", ("tagged", json!(true)), false),
            (Format::Ods, "pdf", ("singlePageSheets", json!(true)), true),
            (Format::Odt, "pdf", ("singlePageSheets", json!(true)), false),
            (Format::Pptx, "pdf", ("notes", json!(true)), true),
            (Format::Csv, "pdf", ("notes", json!(true)), false),
            (Format::Txt, "pdf", ("imageResolution", json!(300)), true),
            (Format::Html, "pdf", ("imageQuality", json!(50)), false),
        ] {
            let path = format!("$.{}", option.0);
            let found = on(from, to, option).map(|_| ());
            let expected = if fits { Ok(()) } else { Err(path) };
            assert_eq!(found, expected, "{from} to {to}");
        }
    }

    #[test]
    fn a_password_does_not_outlive_the_job() {
        let mut asked = ConvertOptions::to(Format::Pdf);
        asked.password = Password::try_from("secret".to_owned()).ok();
        let kept = Operation::Convert(asked.clone()).without_secrets();
        assert_eq!(kept, Operation::Convert(ConvertOptions::to(Format::Pdf)));
        assert!(!format!("{asked:?}").contains("secret"));
    }

    #[test]
    fn only_some_resolutions_are_read() {
        for (value, fits) in [(75, true), (1200, true), (100, false), (-75, false)] {
            assert_eq!(Resolution::try_from(value).is_ok(), fits, "{value}");
        }
    }
}
