//! The styles of a document, each with what it takes from those it is based on.

use std::collections::HashMap;

use layout::Alignment;

use super::properties;
use crate::look::Look;
use crate::style_name::{is_code, quotation};
use crate::theme::Theme;
use crate::xml::Element;

/// Most styles that one is based on, the one below the other.
const DEPTH: usize = 32;
/// What languages call titles in the names of styles, before their level.
const TITLES: [&str; 18] = [
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

/// The styles of a document by their ids.
#[derive(Clone, Debug, Default)]
pub(super) struct Styles {
    all: HashMap<String, ParagraphStyle>,
    default: Option<String>,
    /// What holds below every style.
    base: Look,
}

/// What a style says.
#[derive(Clone, Debug, Default)]
pub(super) struct ParagraphStyle {
    pub(super) look: Look,
    /// The level of a title; `Some(None)` if it says that it is none.
    pub(super) outline: Option<Option<u8>>,
    pub(super) alignment: Option<Alignment>,
    /// The list that its paragraphs belong to, and their level in it.
    pub(super) list: Option<String>,
    pub(super) level: Option<u8>,
    /// How far its paragraphs are indented, points.
    pub(super) indent: Option<f32>,
    /// How many quotations its paragraphs stand in.
    pub(super) quoted: Option<u8>,
    /// Its paragraphs are lines of code.
    pub(super) is_code: bool,
    /// Of tables: lines are drawn between cells.
    pub(super) ruled: bool,
    /// Of tables: the first row looks different.
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
                .map(|properties| properties::look(properties, theme))
                .unwrap_or_default(),
        }
    }

    /// The style of this id.
    pub(super) fn get(&self, id: &str) -> Option<&ParagraphStyle> {
        self.all.get(id)
    }

    /// The style of paragraphs of this style, or of none.
    pub(super) fn of_paragraph(&self, id: Option<&str>) -> ParagraphStyle {
        let named = id.and_then(|id| self.get(id));
        let found = named.or_else(|| self.get(self.default.as_deref()?));
        let mut style = found.cloned().unwrap_or_default();
        style.look = style.look.over(&self.base);
        style
    }
}

/// A style, and what it leaves open taken from those it is based on.
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

/// What a style says itself.
fn own(style: &Element, theme: &Theme) -> ParagraphStyle {
    let paragraph = style.find("w:pPr");
    let numbering = paragraph.and_then(|paragraph| paragraph.find("w:numPr"));
    let name = properties::value(style, "w:name");
    let by_name = || name.and_then(title_level).map(Some);
    let look = style
        .find("w:rPr")
        .map(|properties| properties::look(properties, theme));
    let parts = style.all("w:tblStylePr");
    ParagraphStyle {
        look: look.unwrap_or_default(),
        outline: paragraph.and_then(properties::outline).or_else(by_name),
        alignment: paragraph.and_then(properties::alignment),
        list: numbering
            .and_then(|list| properties::value(list, "w:numId"))
            .map(str::to_owned),
        level: numbering.and_then(|list| properties::value(list, "w:ilvl")?.parse().ok()),
        indent: paragraph.and_then(properties::indent),
        quoted: name.and_then(quotation),
        is_code: name.is_some_and(is_code),
        ruled: style.at(&["w:tblPr", "w:tblBorders"]).is_some_and(divides),
        has_header: parts
            .into_iter()
            .any(|part| part.get("w:type") == Some("firstRow")),
    }
}

/// The sides that borders are drawn on, within and around.
pub(super) fn lines(borders: &Element) -> impl Iterator<Item = &Element> {
    borders
        .elements()
        .filter(|side| !matches!(side.get("w:val"), None | Some("none" | "nil")))
}

/// Whether borders of a table are drawn between its cells, and not around it alone.
pub(super) fn divides(borders: &Element) -> bool {
    lines(borders).any(|side| side.name().starts_with("w:inside"))
}

/// The level that the name of a style tells.
pub(crate) fn title_level(name: &str) -> Option<u8> {
    let name = name.trim().to_lowercase();
    if name == "title" {
        return Some(1);
    }
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let level: u8 = name.strip_prefix(word)?.parse().ok()?;
    (TITLES.contains(&word.trim()) && (1..=9).contains(&level)).then_some(level)
}

impl ParagraphStyle {
    fn over(self, below: Self) -> Self {
        Self {
            look: self.look.over(&below.look),
            outline: self.outline.or(below.outline),
            alignment: self.alignment.or(below.alignment),
            list: self.list.or(below.list),
            level: self.level.or(below.level),
            indent: self.indent.or(below.indent),
            quoted: self.quoted.or(below.quoted),
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
    fn names_of_styles_tell_levels() {
        assert_eq!(title_level("heading 2"), Some(2));
        assert_eq!(title_level("Überschrift 3"), Some(3));
        assert_eq!(title_level("标题1"), Some(1));
        assert_eq!(title_level("Title"), Some(1));
        assert_eq!(title_level("List 2"), None);
        assert_eq!(title_level("heading"), None);
    }
}
