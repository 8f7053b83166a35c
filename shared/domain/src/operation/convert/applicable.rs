//! Which options of a conversion apply to which pair of formats.

use super::{ConvertOptions, structure};
use crate::format::{Category, Format};
use crate::operation::{CONVERSIONS, converts_by_structure, holds_metadata};

impl ConvertOptions {
    /// Returns the first option that is given and does not apply to a document of format `from`, with an error message.
    pub(in super::super) fn inapplicable_option(
        &self,
        from: Format,
    ) -> Option<(&'static str, String)> {
        let mut options = self.applicability(from);
        let (name, ..) = options.find(|(_, given, applies)| *given && !applies)?;
        let message = format!("is not supported for {from} to {}", self.format);
        Some(match self.applicable_formats(name, from).as_slice() {
            [] => (name, message),
            formats => (
                name,
                format!("{message}; supported for {from} to {}", formats.join(", ")),
            ),
        })
    }

    /// Returns the target formats to which the option `name` applies, for a document of format `from`.
    fn applicable_formats(&self, name: &str, from: Format) -> Vec<&'static str> {
        let rows = CONVERSIONS.iter().filter(|row| row.from.contains(&from));
        let fits = |to: &Format| {
            let options = Self {
                format: *to,
                ..self.clone()
            };
            let mut applicability = options.applicability(from);
            applicability.any(|(option, _, applies)| option == name && applies)
        };
        rows.map(|row| row.to)
            .filter(fits)
            .map(Format::id)
            .collect()
    }

    /// For each option: its name, whether it is given, and whether it applies to a document of format `from`.
    fn applicability(&self, from: Format) -> impl Iterator<Item = (&'static str, bool, bool)> {
        let options = self.document_options(from).into_iter();
        let options = options.chain(self.web_page_options(from));
        options.chain(structure::options(self, from))
    }

    /// As [`Self::applicability`], for options of PDF, office documents and images.
    fn document_options(&self, from: Format) -> [(&'static str, bool, bool); 11] {
        use Category::{Presentation, Spreadsheet, Text, Web};
        let category = from.spec().category;
        let is_office = matches!(category, Text | Spreadsheet | Presentation);
        let is_printed = is_office && self.format == Format::Pdf;
        let converts_by_structure = converts_by_structure(from, self.format);
        let is_plain = from.is_delimited_text() || matches!(from, Format::Txt | Format::Rtf);
        let is_pdf = from == Format::Pdf;
        let is_rendered = is_pdf && self.format.spec().category == Category::Image;
        let is_lossy = is_rendered && matches!(self.format, Format::Jpeg | Format::Webp);
        let has_pages = is_pdf || is_printed || (category == Web && self.format == Format::Pdf);
        [
            (
                "password",
                self.password.is_some(),
                is_pdf || (is_office && !is_plain),
            ),
            ("pages", self.pages.is_some(), has_pages),
            ("locale", self.locale.is_some(), self.has_locale(from)),
            ("resolution", self.resolution.is_some(), is_rendered),
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
                "fitToWidth",
                self.fit_to_width.is_some(),
                is_printed && category == Spreadsheet,
            ),
            (
                "notes",
                self.notes.is_some(),
                (is_printed || converts_by_structure) && category == Presentation,
            ),
            (
                "keepMetadata",
                self.keep_metadata.is_some(),
                holds_metadata(from) && holds_metadata(self.format),
            ),
        ]
    }

    /// Whether a locale applies to a document of format `from`.
    pub(super) fn has_locale(&self, from: Format) -> bool {
        use Category::{Presentation, Spreadsheet, Text, Web};
        match from.spec().category {
            Text | Spreadsheet | Presentation => true,
            Web => self.format == Format::Pdf,
            _ => false,
        }
    }

    /// As [`Self::applicability`], for options of the browser.
    fn web_page_options(&self, from: Format) -> [(&'static str, bool, bool); 16] {
        let is_web = from.spec().category == Category::Web;
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
