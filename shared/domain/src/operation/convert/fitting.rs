//! Which options of a conversion mean something on a document of a format.

use super::{ConvertOptions, structure};
use crate::format::{Category, Format};
use crate::operation::{CONVERSIONS, holds_metadata, is_read};

impl ConvertOptions {
    /// The first option that is given and means nothing for a document of format `from`, and what it is for.
    pub(in super::super) fn misplaced(&self, from: Format) -> Option<(&'static str, String)> {
        let mut options = self.judged(from);
        let (name, ..) = options.find(|(_, given, fits)| *given && !fits)?;
        let message = format!("means nothing for {from} to {}", self.format);
        Some(match self.fitting(name, from).as_slice() {
            [] => (name, message),
            formats => (
                name,
                format!("{message}; it is for {from} to {}", formats.join(", ")),
            ),
        })
    }

    /// What a document of format `from` can become with an option of this name.
    fn fitting(&self, name: &str, from: Format) -> Vec<&'static str> {
        let rows = CONVERSIONS.iter().filter(|row| row.from.contains(&from));
        let fits = |to: &Format| {
            let asked = Self {
                format: *to,
                ..self.clone()
            };
            let mut options = asked.judged(from);
            options.any(|(option, _, fits)| option == name && fits)
        };
        rows.map(|row| row.to)
            .filter(fits)
            .map(Format::id)
            .collect()
    }

    /// Each option's name, whether it is given, and whether it means anything for a document of format `from`.
    fn judged(&self, from: Format) -> impl Iterator<Item = (&'static str, bool, bool)> {
        let options = self.of_documents(from).into_iter();
        let options = options.chain(self.of_web_pages(from));
        options.chain(structure::placed(self, from))
    }

    /// Name, whether it is given, and whether it means anything on a document of format `from`.
    fn of_documents(&self, from: Format) -> [(&'static str, bool, bool); 10] {
        use Category::{Presentation, Spreadsheet, Text, Web};
        let category = from.facts().category;
        let is_office = matches!(category, Text | Spreadsheet | Presentation);
        let is_printed = is_office && self.format == Format::Pdf;
        let is_read = is_read(from, self.format);
        let is_plain = from.is_table_in_text() || matches!(from, Format::Txt | Format::Rtf);
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
                "fitToWidth",
                self.fit_to_width.is_some(),
                is_printed && category == Spreadsheet,
            ),
            (
                "notes",
                self.notes.is_some(),
                (is_printed || is_read) && category == Presentation,
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
