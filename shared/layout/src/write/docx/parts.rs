//! The parts that every document has, and what they say of how text looks.

use std::collections::HashMap;
use std::io::{Seek, Write};

use super::drawing;
use super::run::{half_points, is_font};
use super::story::Story;
use crate::Run;
use crate::write::package::{Package, Relations};
use crate::write::xml::Escaped;
use crate::write::{Facts, Outcome};

/// The namespace of WordprocessingML.
pub(super) const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

pub(super) const NAMESPACES: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\" \
xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\"";

pub(super) const SEPARATORS: &str = "<w:footnote w:type=\"separator\" w:id=\"-1\"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>\
<w:footnote w:type=\"continuationSeparator\" w:id=\"0\"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>";

pub(super) const SETTINGS: &str = "<w:settings xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
<w:footnotePr><w:footnote w:id=\"-1\"/><w:footnote w:id=\"0\"/></w:footnotePr>\
<w:compat><w:compatSetting w:name=\"compatibilityMode\" w:uri=\"http://schemas.microsoft.com/office/word\" w:val=\"15\"/></w:compat>\
</w:settings>";

/// The settings of a document without footnotes.
pub(super) const PLACED_SETTINGS: &str = "<w:settings xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
<w:compat><w:compatSetting w:name=\"compatibilityMode\" w:uri=\"http://schemas.microsoft.com/office/word\" w:val=\"15\"/></w:compat>\
</w:settings>";

/// What kind a part is.
pub(super) fn kind(part: &str) -> String {
    format!("application/vnd.openxmlformats-officedocument.wordprocessingml.{part}+xml")
}

/// Relates the document to parts of these kinds.
pub(super) fn relate(relations: &mut Relations, parts: &[&str]) {
    for part in parts {
        relations.part(part, &format!("{part}.xml"));
    }
}

/// Writes what every document ends with: its styles, its settings, what its story relates to, and the pictures.
pub(super) fn last<W: Write + Seek>(
    package: &mut Package<W>,
    story: &mut Story<'_>,
    facts: &Facts,
    settings: &str,
) -> Outcome {
    let styles = styles(&story.looks, facts.tongue());
    package.whole("word/styles.xml", &kind("styles"), &styles)?;
    package.whole("word/settings.xml", &kind("settings"), settings)?;
    package.relations("word/document.xml", &story.relations)?;
    for (image, facts) in std::mem::take(&mut story.used) {
        let name = format!("word/{}", drawing::part(image, facts.format));
        package.picture(&name, story.pictures, image)?;
    }
    Ok(())
}

/// How much of the text has which font and size.
#[derive(Default)]
pub(super) struct Looks(HashMap<(String, i32), usize>);

/// Most looks that are counted: one that is first met behind so many is not the usual one.
const MOST: usize = 256;

impl Looks {
    pub(super) fn see(&mut self, run: &Run) {
        let Some(halves) = half_points(run.style.size) else {
            return;
        };
        let is_font = run.style.font.is_empty() || is_font(&run.style.font);
        let look = (run.style.font.clone(), halves);
        if is_font && (self.0.len() < MOST || self.0.contains_key(&look)) {
            *self.0.entry(look).or_default() += run.text.len();
        }
    }

    /// The font and the size, in half points, of most of the text.
    fn usual(&self) -> (String, i32) {
        let most = self
            .0
            .iter()
            .max_by(|one, other| (one.1, one.0).cmp(&(other.1, other.0)));
        let (font, halves) = most.map_or_else(|| (String::new(), 22), |(look, _)| look.clone());
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

/// The styles: the usual text, headings and their levels, quotations, code, lists, notes, headers and footers.
pub(super) fn styles(looks: &Looks, language: Option<&str>) -> String {
    let (font, halves) = looks.usual();
    let font = Escaped(&font);
    let headings: String = (1..=6).map(|level| heading(level, halves)).collect();
    let quotations: String = (1..=QUOTATIONS).map(quotation).collect();
    let language = language.map(tongue).unwrap_or_default();
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

/// Most quotations within one another that have a style.
pub(super) const QUOTATIONS: u8 = 3;
/// How far a quotation is indented in the one around it, twentieths of a point.
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

/// The language of the text, by the kind of script that it is written in.
fn tongue(language: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::{Looks, MOST};
    use crate::{Run, Style};

    #[test]
    fn what_is_known_is_counted_behind_any_number_of_looks() {
        let mut looks = Looks::default();
        let mut see = |font: String, text: &str| {
            let style = Style {
                font,
                size: 9.0,
                ..Style::default()
            };
            looks.see(&Run {
                text: text.to_owned(),
                style,
                link: None,
            });
        };
        see("Usual".to_owned(), "a");
        for number in 0..MOST {
            see(format!("Font {number}"), "ab");
        }
        see("Usual".to_owned(), "abc");
        assert_eq!(looks.usual(), ("Usual".to_owned(), 18));
    }
}
