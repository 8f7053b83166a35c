//! The options of `convert`: how LibreOffice or a browser is to write PDF, and what pages of a PDF become.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::capture;
use super::decimal::{DeviceScaleFactor, Margin, PaperSide, PrintScale};
use super::holds_metadata;
use super::margin_text::MarginText;
use super::number::{PixelsPerInch, Quality, ViewportSide};
use super::page_range::PageRanges;
use super::security::Password;
use super::sheet::{self, Paper};
use crate::field::{self, FieldError};
use crate::format::{Category, Format};

/// Options of `convert`. `password` is for office documents and PDF, `pages` for PDF and what is made PDF of others,
/// `resolution` for pictures of the pages of a PDF, `tagged` to `notes` for PDF made of office documents, `keepMetadata` for
/// images, `paper` to `footer` for PDF made of web pages, and `viewportWidth` to `deviceScaleFactor` for pictures of these.
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
    /// The paper that a web page is printed on. What its own style sheet says counts when neither this nor `paperWidth`,
    /// `paperHeight` and `landscape` are given, and A4 when it says nothing.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Paper")]
    pub paper: Option<Paper>,
    /// The paper's width in millimetres, together with `paperHeight`, instead of `paper`.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "PaperSide")]
    pub paper_width: Option<PaperSide>,
    /// The paper's height in millimetres.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "PaperSide")]
    pub paper_height: Option<PaperSide>,
    /// Whether the paper lies on its longer side: width and height change places.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "bool")]
    pub landscape: Option<bool>,
    /// What stays free at the top of each sheet, in millimetres. For each side, what the page's own style sheet says counts
    /// when this is not given, and 10 when it says nothing.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Margin")]
    pub margin_top: Option<Margin>,
    /// What stays free at the right, in millimetres.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Margin")]
    pub margin_right: Option<Margin>,
    /// What stays free at the bottom, in millimetres.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Margin")]
    pub margin_bottom: Option<Margin>,
    /// What stays free at the left, in millimetres.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Margin")]
    pub margin_left: Option<Margin>,
    /// How large the page is printed on the paper; 1 when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "PrintScale")]
    pub scale: Option<PrintScale>,
    /// Whether colours and pictures behind the text are printed; true when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "bool")]
    pub background: Option<bool>,
    /// A line above the text of each page.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "MarginText")]
    pub header: Option<MarginText>,
    /// A line below the text of each page.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "MarginText")]
    pub footer: Option<MarginText>,
    /// The width of the window in which a picture of a web page is taken, in pixels of its style sheet; 1,280 when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "ViewportSide")]
    pub viewport_width: Option<ViewportSide>,
    /// The window's height; 1,024 when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "ViewportSide")]
    pub viewport_height: Option<ViewportSide>,
    /// Whether the picture shows the whole page, however long, and not what the window shows; true when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "bool")]
    pub full_page: Option<bool>,
    /// Pixels of the picture for each pixel of the style sheet; 1 when not given.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "DeviceScaleFactor")]
    pub device_scale_factor: Option<DeviceScaleFactor>,
    /// Whether EXIF and XMP stay, the place where a photograph was taken included; false when not given. From and to
    /// JPEG, PNG and WebP only.
    #[serde(
        default,
        deserialize_with = "field::present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "bool")]
    pub keep_metadata: Option<bool>,
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
        }
    }

    /// What the types of the options cannot say.
    pub(super) fn check(&self, path: &str) -> Result<(), FieldError> {
        match sheet::fault(self).or_else(|| capture::fault(self)) {
            None => Ok(()),
            Some((name, message)) => Err(FieldError::invalid(field::member(path, name), message)),
        }
    }

    /// The first option that is given and means nothing on a document of format `from`.
    pub(super) fn misplaced(&self, from: Format) -> Option<&'static str> {
        let misplaced = self
            .of_documents(from)
            .into_iter()
            .chain(self.of_web_pages(from))
            .find(|(_, given, fits)| *given && !fits);
        misplaced.map(|(name, ..)| name)
    }

    /// Name, whether it is given, and whether it means anything on a document of format `from`.
    fn of_documents(&self, from: Format) -> [(&'static str, bool, bool); 9] {
        use Category::{Presentation, Spreadsheet, Text, Web};
        let category = from.facts().category;
        let is_office = matches!(category, Text | Spreadsheet | Presentation);
        let is_printed = is_office && self.format == Format::Pdf;
        let is_plain = matches!(from, Format::Txt | Format::Csv | Format::Rtf);
        let is_pdf = from == Format::Pdf;
        let is_drawn = is_pdf && self.format.facts().category == Category::Image;
        let is_lossy = is_drawn && matches!(self.format, Format::Jpeg | Format::Webp);
        let has_pages = is_pdf || is_printed || (category == Web && self.format == Format::Pdf);
        [
            (
                "password",
                self.password.is_some(),
                is_pdf || (is_office && !is_plain),
            ),
            ("pages", self.pages.is_some(), has_pages),
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
            (
                "keepMetadata",
                self.keep_metadata.is_some(),
                holds_metadata(from) && holds_metadata(self.format),
            ),
        ]
    }

    /// The same for what a browser does.
    fn of_web_pages(&self, from: Format) -> [(&'static str, bool, bool); 16] {
        let is_web = from.facts().category == Category::Web;
        let is_printed = is_web && self.format == Format::Pdf;
        let is_picture = is_web && self.format == Format::Png;
        [
            ("paper", self.paper.is_some(), is_printed),
            ("paperWidth", self.paper_width.is_some(), is_printed),
            ("paperHeight", self.paper_height.is_some(), is_printed),
            ("landscape", self.landscape.is_some(), is_printed),
            ("marginTop", self.margin_top.is_some(), is_printed),
            ("marginRight", self.margin_right.is_some(), is_printed),
            ("marginBottom", self.margin_bottom.is_some(), is_printed),
            ("marginLeft", self.margin_left.is_some(), is_printed),
            ("scale", self.scale.is_some(), is_printed),
            ("background", self.background.is_some(), is_printed),
            ("header", self.header.is_some(), is_printed),
            ("footer", self.footer.is_some(), is_printed),
            ("viewportWidth", self.viewport_width.is_some(), is_picture),
            ("viewportHeight", self.viewport_height.is_some(), is_picture),
            ("fullPage", self.full_page.is_some(), is_picture),
            (
                "deviceScaleFactor",
                self.device_scale_factor.is_some(),
                is_picture,
            ),
        ]
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
    use crate::operation::{InvalidOperation, Operation, Sheet};

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
            (Format::Html, "pdf", ("pages", json!("1")), true),
            (Format::Html, "png", ("pages", json!("1")), false),
            (Format::Markdown, "pdf", ("paper", json!("a5")), true),
            (Format::Html, "png", ("paper", json!("a5")), false),
            (Format::Docx, "pdf", ("paper", json!("a5")), false),
            (Format::Html, "pdf", ("header", json!("x")), true),
            (Format::Html, "png", ("viewportWidth", json!(400)), true),
            (Format::Markdown, "png", ("fullPage", json!(false)), true),
            (Format::Html, "pdf", ("deviceScaleFactor", json!(2)), false),
            (Format::Pdf, "png", ("viewportWidth", json!(400)), false),
            (Format::Jpeg, "webp", ("keepMetadata", json!(true)), true),
            (Format::Jpeg, "bmp", ("keepMetadata", json!(true)), false),
            (Format::Svg, "png", ("keepMetadata", json!(true)), false),
        ] {
            let path = format!("$.{}", option.0);
            let found = on(from, to, option).map(|_| ());
            let expected = if fits { Ok(()) } else { Err(path) };
            assert_eq!(found, expected, "{from} to {to}");
        }
    }

    #[test]
    fn what_cannot_be_printed_or_drawn_is_named_by_its_path() {
        for (options, name) in [
            (json!({"paper": "a6"}), "paper"),
            (json!({"paper": "A4"}), "paper"),
            (
                json!({"paper": "a4", "paperWidth": 100, "paperHeight": 100}),
                "paper",
            ),
            (json!({"paperWidth": 100}), "paperWidth"),
            (json!({"paperHeight": 100}), "paperHeight"),
            (json!({"paperWidth": 9.9, "paperHeight": 100}), "paperWidth"),
            (
                json!({"paperWidth": 100, "paperHeight": 5081}),
                "paperHeight",
            ),
            (json!({"paperWidth": 25, "paperHeight": 100}), "marginLeft"),
            (json!({"marginTop": -1}), "marginTop"),
            (json!({"marginRight": "1cm"}), "marginRight"),
            (json!({"marginRight": 190.5}), "marginRight"),
            (
                json!({"paper": "a5", "landscape": true, "marginBottom": 130}),
                "marginBottom",
            ),
            (json!({"scale": 0.05}), "scale"),
            (json!({"scale": 2.1}), "scale"),
            (json!({"background": 1}), "background"),
            (json!({"header": "{author}"}), "header"),
            (json!({"header": "x", "marginTop": 5}), "header"),
            (json!({"footer": "x", "marginBottom": 0}), "footer"),
            (json!({"footer": ""}), "footer"),
            (json!({"viewportWidth": 0}), "viewportWidth"),
            (json!({"viewportHeight": 10_001}), "viewportHeight"),
            (json!({"deviceScaleFactor": 4.5}), "deviceScaleFactor"),
            (
                json!({"viewportWidth": 10_000, "viewportHeight": 10_000, "deviceScaleFactor": 1.01}),
                "viewportWidth",
            ),
            (json!({"fullPage": null}), "fullPage"),
        ] {
            let mut item = json!({"operation": "convert", "format": "pdf"});
            item.as_object_mut()
                .unwrap()
                .extend(options.as_object().unwrap().clone());
            let refused = Operation::read(&item, "$.steps[0]").unwrap_err();
            let InvalidOperation::Options(faults) = refused else {
                panic!("{item}: {refused:?}");
            };
            let fault = (faults[0].path.as_str(), faults[0].code.as_str());
            assert_eq!(
                fault,
                (&*format!("$.steps[0].{name}"), "invalid_value"),
                "{item}"
            );
        }
    }

    #[test]
    fn what_is_asked_of_a_browser_writes_back_the_same() {
        let item = json!({
            "operation": "convert", "format": "pdf", "pages": "1-2", "paperWidth": 100.5, "paperHeight": 200.0,
            "landscape": true, "marginTop": 12.7, "marginRight": 0.0, "marginBottom": 20.0, "marginLeft": 1.25,
            "scale": 0.5, "background": false, "header": "{title}", "footer": "{page}/{pages}", "viewportWidth": 400,
            "viewportHeight": 300, "fullPage": false, "deviceScaleFactor": 1.5
        });
        let read = Operation::read(&item, "$").unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), item);
        let Operation::Convert(options) = read else {
            panic!()
        };
        let sheet = Sheet::of(&options);
        assert_eq!((sheet.width, sheet.height), (200.0, 100.5));
        assert_eq!(sheet.margins, [12.7, 0.0, 20.0, 1.25]);
        let plain = Sheet::of(&ConvertOptions::to(Format::Pdf));
        assert_eq!(
            (plain.width, plain.height, plain.margins),
            (210.0, 297.0, [10.0; 4])
        );
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
