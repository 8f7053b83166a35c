//! Styles: default font and size, headings, quotations, code, lists and notes.

use std::collections::HashMap;

use super::WORD;
use super::font_name::font_name;
use crate::Run;
use crate::writers::xml::Escaped;

/// Number of characters by font and size.
#[derive(Default)]
pub(super) struct FontUsage(HashMap<(String, i32), usize>);

/// Maximum number of counted combinations; one that first occurs later is not the most frequent.
const MOST: usize = 256;

impl FontUsage {
    pub(super) fn record(&mut self, run: &Run) {
        let Some(halves) = half_points(run.style.size) else {
            return;
        };
        let name = font_name(&run.style, &run.text);
        let is_font = run.style.font.is_empty() || name.is_some();
        let font = (name.unwrap_or_default().to_owned(), halves);
        if is_font && (self.0.len() < MOST || self.0.contains_key(&font)) {
            *self.0.entry(font).or_default() += run.text.len();
        }
    }

    /// Returns the most frequent font and size, in half-points.
    pub(super) fn most_frequent(&self) -> (String, i32) {
        let most = self
            .0
            .iter()
            .max_by(|one, other| (one.1, one.0).cmp(&(other.1, other.0)));
        let (font, halves) = most.map_or_else(|| (String::new(), 22), |(font, _)| font.clone());
        (
            if font.is_empty() {
                "Calibri".to_owned()
            } else {
                font
            },
            halves,
        )
    }
}

/// Returns the styles part, with this default font and its size in half-points.
pub(super) fn xml((font, halves): (&str, i32), language: Option<&str>) -> String {
    let font = Escaped(font);
    let headings: String = (1..=6).map(|level| heading(level, halves)).collect();
    let quotations: String = (1..=QUOTATIONS).map(quotation).collect();
    let language = language.map(language_element).unwrap_or_default();
    format!(
        "<w:styles xmlns:w=\"{WORD}\"><w:docDefaults><w:rPrDefault><w:rPr>\
<w:rFonts w:ascii=\"{font}\" w:hAnsi=\"{font}\" w:eastAsia=\"{font}\" w:cs=\"{font}\"/><w:sz w:val=\"{halves}\"/><w:szCs w:val=\"{halves}\"/>{language}\
</w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>\
<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/><w:qFormat/></w:style>\
<w:style w:type=\"character\" w:default=\"1\" w:styleId=\"DefaultParagraphFont\"><w:name w:val=\"Default Paragraph Font\"/></w:style>\
<w:style w:type=\"table\" w:default=\"1\" w:styleId=\"TableNormal\"><w:name w:val=\"Normal Table\"/><w:tblPr><w:tblInd w:w=\"0\" w:type=\"dxa\"/>\
<w:tblCellMar><w:top w:w=\"0\" w:type=\"dxa\"/><w:left w:w=\"60\" w:type=\"dxa\"/><w:bottom w:w=\"0\" w:type=\"dxa\"/><w:right w:w=\"60\" w:type=\"dxa\"/></w:tblCellMar></w:tblPr></w:style>\
{headings}\
{quotations}\
<w:style w:type=\"paragraph\" w:styleId=\"HTMLPreformatted\"><w:name w:val=\"HTML Preformatted\"/><w:basedOn w:val=\"Normal\"/></w:style>\
<w:style w:type=\"paragraph\" w:styleId=\"ListParagraph\"><w:name w:val=\"List Paragraph\"/><w:basedOn w:val=\"Normal\"/><w:qFormat/></w:style>\
<w:style w:type=\"paragraph\" w:styleId=\"Header\"><w:name w:val=\"header\"/><w:basedOn w:val=\"Normal\"/></w:style>\
<w:style w:type=\"paragraph\" w:styleId=\"Footer\"><w:name w:val=\"footer\"/><w:basedOn w:val=\"Normal\"/></w:style>\
<w:style w:type=\"paragraph\" w:styleId=\"FootnoteText\"><w:name w:val=\"footnote text\"/><w:basedOn w:val=\"Normal\"/><w:rPr><w:sz w:val=\"18\"/><w:szCs w:val=\"18\"/></w:rPr></w:style>\
<w:style w:type=\"character\" w:styleId=\"FootnoteReference\"><w:name w:val=\"footnote reference\"/><w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr></w:style>\
</w:styles>"
    )
}

/// Maximum quotation depth with a style.
pub(super) const QUOTATIONS: u8 = 3;
/// Indent of a quotation per level, twips.
pub(super) const QUOTATION: u32 = 567;

fn quotation(depth: u8) -> String {
    let (id, name) = match depth {
        1 => (String::new(), String::new()),
        depth => (depth.to_string(), format!(" {depth}")),
    };
    let indent = QUOTATION * u32::from(depth);
    format!(
        "<w:style w:type=\"paragraph\" w:styleId=\"Quote{id}\"><w:name w:val=\"Quote{name}\"/><w:basedOn w:val=\"Normal\"/><w:qFormat/>\
<w:pPr><w:ind w:left=\"{indent}\" w:right=\"{QUOTATION}\"/></w:pPr></w:style>"
    )
}

fn heading(level: i32, halves: i32) -> String {
    let size = (halves * (16 - 2 * level).max(10) / 10).min(3_276);
    format!(
        "<w:style w:type=\"paragraph\" w:styleId=\"Heading{level}\"><w:name w:val=\"heading {level}\"/><w:basedOn w:val=\"Normal\"/>\
<w:next w:val=\"Normal\"/><w:qFormat/><w:pPr><w:keepNext/><w:keepLines/><w:outlineLvl w:val=\"{}\"/></w:pPr>\
<w:rPr><w:sz w:val=\"{size}\"/><w:szCs w:val=\"{size}\"/></w:rPr></w:style>",
        level - 1
    )
}

/// Returns the language element, by the script of the language.
fn language_element(language: &str) -> String {
    let primary = language
        .split(['-', '_'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let place = match primary.as_str() {
        "zh" | "ja" | "ko" => "eastAsia",
        "ar" | "he" | "fa" | "ur" | "yi" | "ps" => "bidi",
        _ => "val",
    };
    format!("<w:lang w:{place}=\"{}\"/>", Escaped(language))
}

/// Returns a font size in half-points, at most 1,638 points; `None` if unknown.
pub(super) fn half_points(size: f32) -> Option<i32> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float that is too large becomes the largest number"
    )]
    let halves = (size * 2.0).round() as i32;
    (halves > 0).then(|| halves.min(3_276))
}

#[cfg(test)]
mod tests {
    use super::{FontUsage, MOST};
    use crate::{Run, Style};

    #[test]
    fn known_fonts_are_counted_after_the_limit() {
        let mut fonts = FontUsage::default();
        let mut record = |font: String, text: &str| {
            let style = Style {
                font,
                size: 9.0,
                ..Style::default()
            };
            fonts.record(&Run {
                text: text.to_owned(),
                style,
                link: None,
            });
        };
        record("Usual".to_owned(), "a");
        for number in 0..MOST {
            record(format!("Font {number}"), "ab");
        }
        record("Usual".to_owned(), "abc");
        assert_eq!(fonts.most_frequent(), ("Usual".to_owned(), 18));
    }
}
