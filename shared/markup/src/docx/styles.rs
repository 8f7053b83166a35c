//! Styles with inherited properties.

use std::collections::HashMap;

use layout::Alignment;

use super::properties;
use crate::partial_style::PartialStyle;
use crate::style_name::{is_code, quotation};
use crate::theme::Theme;
use crate::xml::Element;

/// Maximum length of an inheritance chain.
const DEPTH: usize = 32;
/// Localized names of heading styles, without the level.
const HEADING_NAMES: [&str; 18] = [
    "heading",
    "überschrift",
    "titre",
    "título",
    "titolo",
    "kop",
    "rubrik",
    "overskrift",
    "otsikko",
    "nagłówek",
    "nadpis",
    "címsor",
    "titlu",
    "заголовок",
    "επικεφαλίδα",
    "başlık",
    "見出し",
    "标题",
];

/// The styles of a document by id.
#[derive(Clone, Debug, Default)]
pub(super) struct Styles {
    all: HashMap<String, ParagraphStyle>,
    default: Option<String>,
    /// Document defaults (`w:docDefaults`).
    base: PartialStyle,
}

/// A style; unset properties are inherited.
#[derive(Clone, Debug, Default)]
pub(super) struct ParagraphStyle {
    pub(super) text_style: PartialStyle,
    /// Heading level; `Some(None)` means body text.
    pub(super) outline: Option<Option<u8>>,
    pub(super) alignment: Option<Alignment>,
    /// List and level of its paragraphs.
    pub(super) list: Option<String>,
    pub(super) level: Option<u8>,
    /// Left indent, points.
    pub(super) indent: Option<f32>,
    /// Quotation depth.
    pub(super) quote_depth: Option<u8>,
    /// Whether its paragraphs are lines of code.
    pub(super) is_code: bool,
    /// Table styles: whether lines are drawn between cells.
    pub(super) ruled: bool,
    /// Table styles: whether the first row has a style of its own.
    pub(super) has_header: bool,
}

impl Styles {
    pub(super) fn read(root: &Element, theme: &Theme) -> Self {
        let base = root.at(&["w:docDefaults", "w:rPrDefault", "w:rPr"]);
        let raw: HashMap<&str, &Element> = root
            .all("w:style")
            .filter_map(|style| Some((style.get("w:styleId")?, style)))
            .collect();
        let is_default = |style: &&Element| {
            style.get("w:type") == Some("paragraph")
                && matches!(style.get("w:default"), Some("1" | "true"))
        };
        let default = root.all("w:style").find(is_default);
        Self {
            all: raw
                .keys()
                .map(|id| ((*id).to_owned(), resolved(id, &raw, theme)))
                .collect(),
            default: default
                .and_then(|style| style.get("w:styleId"))
                .map(str::to_owned),
            base: base
                .map(|properties| properties::run_style(properties, theme))
                .unwrap_or_default(),
        }
    }

    /// Returns the style with this id.
    pub(super) fn get(&self, id: &str) -> Option<&ParagraphStyle> {
        self.all.get(id)
    }

    /// Returns the paragraph style with this id, or the default style, on top of the document defaults.
    pub(super) fn of_paragraph(&self, id: Option<&str>) -> ParagraphStyle {
        let named = id.and_then(|id| self.get(id));
        let found = named.or_else(|| self.get(self.default.as_deref()?));
        let mut style = found.cloned().unwrap_or_default();
        style.text_style = style.text_style.over(&self.base);
        style
    }
}

/// Resolves a style and its ancestors (`basedOn`).
fn resolved(id: &str, raw: &HashMap<&str, &Element>, theme: &Theme) -> ParagraphStyle {
    let (mut style, mut next) = (ParagraphStyle::default(), Some(id));
    for _ in 0..DEPTH {
        let Some(element) = next.and_then(|id| raw.get(id)) else {
            break;
        };
        style = style.over(own(element, theme));
        next = properties::value(element, "w:basedOn");
    }
    style
}

/// Reads the properties of a style without inheritance.
fn own(style: &Element, theme: &Theme) -> ParagraphStyle {
    let paragraph = style.find("w:pPr");
    let numbering = paragraph.and_then(|paragraph| paragraph.find("w:numPr"));
    let name = properties::value(style, "w:name");
    let by_name = || name.and_then(heading_level).map(Some);
    let text_style = style
        .find("w:rPr")
        .map(|properties| properties::run_style(properties, theme));
    let parts = style.all("w:tblStylePr");
    ParagraphStyle {
        text_style: text_style.unwrap_or_default(),
        outline: paragraph.and_then(properties::outline).or_else(by_name),
        alignment: paragraph.and_then(properties::alignment),
        list: numbering
            .and_then(|list| properties::value(list, "w:numId"))
            .map(str::to_owned),
        level: numbering.and_then(|list| properties::value(list, "w:ilvl")?.parse().ok()),
        indent: paragraph.and_then(properties::indent),
        quote_depth: name.and_then(quotation),
        is_code: name.is_some_and(is_code),
        ruled: style.at(&["w:tblPr", "w:tblBorders"]).is_some_and(divides),
        has_header: parts
            .into_iter()
            .any(|part| part.get("w:type") == Some("firstRow")),
    }
}

/// Returns the sides that have a border.
pub(super) fn bordered_sides(borders: &Element) -> impl Iterator<Item = &Element> {
    borders
        .elements()
        .filter(|side| !matches!(side.get("w:val"), None | Some("none" | "nil")))
}

/// Whether there are borders between cells, not only around the table.
pub(super) fn divides(borders: &Element) -> bool {
    bordered_sides(borders).any(|side| side.name().starts_with("w:inside"))
}

/// Returns the heading level that a style name implies.
pub(crate) fn heading_level(name: &str) -> Option<u8> {
    let name = name.trim().to_lowercase();
    if name == "title" {
        return Some(1);
    }
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let level: u8 = name.strip_prefix(word)?.parse().ok()?;
    (HEADING_NAMES.contains(&word.trim()) && (1..=9).contains(&level)).then_some(level)
}

impl ParagraphStyle {
    fn over(self, below: Self) -> Self {
        Self {
            text_style: self.text_style.over(&below.text_style),
            outline: self.outline.or(below.outline),
            alignment: self.alignment.or(below.alignment),
            list: self.list.or(below.list),
            level: self.level.or(below.level),
            indent: self.indent.or(below.indent),
            quote_depth: self.quote_depth.or(below.quote_depth),
            is_code: self.is_code || below.is_code,
            ruled: self.ruled || below.ruled,
            has_header: self.has_header || below.has_header,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_names_imply_heading_levels() {
        assert_eq!(heading_level("heading 2"), Some(2));
        assert_eq!(heading_level("Überschrift 3"), Some(3));
        assert_eq!(heading_level("标题1"), Some(1));
        assert_eq!(heading_level("Title"), Some(1));
        assert_eq!(heading_level("List 2"), None);
        assert_eq!(heading_level("heading"), None);
    }
}
