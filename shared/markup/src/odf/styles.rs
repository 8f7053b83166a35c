//! Styles with inherited properties.

use std::collections::HashMap;

use layout::{Alignment, Script};

use crate::partial_style::{self, PartialStyle};
use crate::style_name::{is_code, quotation};
use crate::units;
use crate::xml::Element;

/// Maximum length of an inheritance chain.
const DEPTH: usize = 32;

/// Named and automatic styles, by family and name.
#[derive(Clone, Debug, Default)]
pub(super) struct Styles {
    families: HashMap<String, Family>,
    /// Font families by font face name.
    fonts: HashMap<String, String>,
}

/// The styles of a family, such as paragraph or table cell.
#[derive(Clone, Debug, Default)]
struct Family {
    all: HashMap<String, Style>,
    /// Default style of the family.
    default: Style,
}

/// A style; unset properties are inherited.
#[derive(Clone, Debug, Default)]
pub(super) struct Style {
    parent: Option<String>,
    pub(super) text_style: PartialStyle,
    pub(super) alignment: Option<Alignment>,
    /// Whether a page break precedes it.
    pub(super) breaks_before: bool,
    /// Whether a page break follows it.
    pub(super) breaks_after: bool,
    /// Master page that begins before it.
    pub(super) master: Option<String>,
    pub(super) list: Option<String>,
    /// Points.
    pub(super) width: Option<f32>,
    /// Name of the number style of a cell.
    pub(super) number_style: Option<String>,
    /// Whether the table or slide is hidden.
    pub(super) hidden: bool,
    /// Whether text that is wider than its cell is wrapped, or shrunk.
    pub(super) is_wrapped: Option<bool>,
    pub(super) is_shrunk: Option<bool>,
    /// Number of sides with a border.
    pub(super) lines: Option<usize>,
    /// Heading level, from 1.
    pub(super) outline: Option<u8>,
    /// Quotation depth.
    pub(super) quote_depth: Option<u8>,
    /// Whether its paragraphs are lines of code.
    pub(super) is_code: bool,
    /// Whether its paragraphs show their list marker.
    pub(super) numbered: Option<bool>,
}

impl Styles {
    /// Reads the styles in these elements; a later style replaces an earlier one with the same name.
    pub(super) fn read<'a>(groups: impl Iterator<Item = &'a Element>) -> Self {
        let mut styles = Self::default();
        for group in groups {
            for element in group.elements() {
                styles.take(element);
            }
        }
        for family in styles.families.values_mut() {
            family.all = family
                .all
                .keys()
                .map(|name| (name.clone(), family.resolved(name)))
                .collect();
        }
        styles
    }

    /// Returns a style with inherited properties.
    pub(super) fn get(&self, family: &str, name: Option<&str>) -> Style {
        let family = self.families.get(family);
        let found = family.and_then(|family| family.all.get(name?).or(Some(&family.default)));
        found.cloned().unwrap_or_default()
    }

    /// Returns the text style of a span.
    pub(super) fn text_style(&self, name: Option<&str>) -> PartialStyle {
        let found = self
            .families
            .get("text")
            .and_then(|family| family.all.get(name?));
        found
            .map(|style| style.text_style.clone())
            .unwrap_or_default()
    }

    fn take(&mut self, element: &Element) {
        match element.name() {
            "style:font-face" => {
                let family = element.get("svg:font-family").unwrap_or_default();
                let name = element.get("style:name").unwrap_or_default();
                self.fonts
                    .insert(name.to_owned(), partial_style::family(family));
            }
            "style:style" => {
                if let (Some(family), Some(name)) =
                    (element.get("style:family"), element.get("style:name"))
                {
                    let style = self.own(element);
                    self.families
                        .entry(family.to_owned())
                        .or_default()
                        .all
                        .insert(name.to_owned(), style);
                }
            }
            "style:default-style" => {
                if let Some(family) = element.get("style:family") {
                    self.families.entry(family.to_owned()).or_default().default = self.own(element);
                }
            }
            _ => {}
        }
    }

    fn own(&self, element: &Element) -> Style {
        let find = |name| element.find(name);
        let paragraph = find("style:paragraph-properties");
        let declared = |name: &str| paragraph.and_then(|properties| properties.get(name));
        let table = find("style:table-properties");
        let cell = find("style:table-cell-properties");
        let cell_property = |name: &str| cell.and_then(|properties| properties.get(name));
        let drawing = find("style:drawing-page-properties");
        let breaks = |name: &str| {
            declared(name) == Some("page")
                || table.and_then(|table| table.get(name)) == Some("page")
        };
        let width = find("style:table-column-properties")
            .and_then(|column| column.get("style:column-width"));
        let name = element
            .get("style:name")
            .map(|name| name.replace("_20_", " "));
        Style {
            parent: element.get("style:parent-style-name").map(str::to_owned),
            text_style: find("style:text-properties")
                .map(|text| self.own_text_style(text))
                .unwrap_or_default(),
            alignment: declared("fo:text-align").map(alignment),
            breaks_before: breaks("fo:break-before"),
            breaks_after: breaks("fo:break-after"),
            master: element
                .get("style:master-page-name")
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
            list: element
                .get("style:list-style-name")
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
            width: width.and_then(units::length),
            number_style: element.get("style:data-style-name").map(str::to_owned),
            hidden: table.and_then(|table| table.get("table:display")) == Some("false")
                || drawing.and_then(|page| page.get("presentation:visibility")) == Some("hidden"),
            is_wrapped: cell_property("fo:wrap-option")
                .map(|wrap| wrap == "wrap")
                .or((declared("fo:text-align") == Some("justify")).then_some(true)),
            is_shrunk: cell_property("style:shrink-to-fit").map(|shrink| shrink == "true"),
            lines: cell.and_then(lines),
            outline: outline(element),
            quote_depth: name.as_deref().and_then(quotation),
            is_code: name.as_deref().is_some_and(is_code),
            numbered: declared("text:enable-numbering").map(|numbered| numbered == "true"),
        }
    }

    fn own_text_style(&self, text: &Element) -> PartialStyle {
        let font = text
            .get("style:font-name")
            .and_then(|name| self.fonts.get(name))
            .cloned();
        let lined = |name| text.get(name).map(|line| line != "none");
        PartialStyle {
            font: font.or_else(|| text.get("fo:font-family").map(partial_style::family)),
            size: text
                .get("fo:font-size")
                .and_then(units::length)
                .filter(|size| (0.5..=2_000.0).contains(size)),
            bold: text.get("fo:font-weight").map(is_bold),
            italic: text.get("fo:font-style").map(|style| style != "normal"),
            underlined: lined("style:text-underline-style"),
            strikethrough: lined("style:text-line-through-style")
                .or_else(|| lined("style:text-line-through-type")),
            capitals: text
                .get("fo:text-transform")
                .map(|transform| transform == "uppercase"),
            hidden: text.get("text:display").map(|display| display == "none"),
            script: text.get("style:text-position").map(script),
            color: text.get("fo:color").map(units::color),
            monospaced: None,
        }
    }
}

impl Family {
    fn resolved(&self, name: &str) -> Style {
        let (mut style, mut next) = (Style::default(), Some(name));
        for _ in 0..DEPTH {
            let Some(found) = next.and_then(|name| self.all.get(name)) else {
                break;
            };
            style = style.over(found);
            next = found.parent.as_deref();
        }
        style.over(&self.default)
    }
}

impl Style {
    fn over(self, below: &Self) -> Self {
        Self {
            parent: None,
            text_style: self.text_style.over(&below.text_style),
            alignment: self.alignment.or(below.alignment),
            breaks_before: self.breaks_before || below.breaks_before,
            breaks_after: self.breaks_after || below.breaks_after,
            master: self.master.or_else(|| below.master.clone()),
            list: self.list.or_else(|| below.list.clone()),
            width: self.width.or(below.width),
            number_style: self.number_style.or_else(|| below.number_style.clone()),
            hidden: self.hidden || below.hidden,
            is_wrapped: self.is_wrapped.or(below.is_wrapped),
            is_shrunk: self.is_shrunk.or(below.is_shrunk),
            lines: self.lines.or(below.lines),
            outline: self.outline.or(below.outline),
            quote_depth: self.quote_depth.or(below.quote_depth),
            is_code: self.is_code || below.is_code,
            numbered: self.numbered.or(below.numbered),
        }
    }
}

/// Returns the heading level of a paragraph style.
fn outline(element: &Element) -> Option<u8> {
    let level = element
        .number::<u8>("style:default-outline-level")
        .filter(|level| *level > 0);
    let is_title = element.get("style:name") == Some("Title")
        && element.get("style:family") == Some("paragraph");
    level.or(is_title.then_some(1))
}

fn is_bold(weight: &str) -> bool {
    weight == "bold" || weight.parse::<u32>().is_ok_and(|weight| weight >= 600)
}

fn script(position: &str) -> Script {
    match position.split_whitespace().next() {
        Some("super") => Script::Super,
        Some("sub") => Script::Sub,
        Some(raised) => match raised.trim_end_matches('%').parse::<f32>() {
            Ok(raised) if raised > 0.0 => Script::Super,
            Ok(raised) if raised < 0.0 => Script::Sub,
            _ => Script::None,
        },
        None => Script::None,
    }
}

fn alignment(align: &str) -> Alignment {
    match align {
        "center" => Alignment::Center,
        "end" | "right" => Alignment::End,
        "justify" => Alignment::Justified,
        _ => Alignment::Start,
    }
}

/// Returns the number of sides with a border, if declared.
fn lines(cell: &Element) -> Option<usize> {
    const SIDES: [&str; 4] = [
        "fo:border-top",
        "fo:border-bottom",
        "fo:border-left",
        "fo:border-right",
    ];
    let all = cell.get("fo:border");
    let declared = SIDES.map(|side| cell.get(side).or(all));
    let drawn = declared.iter().flatten().filter(|line| **line != "none");
    declared.iter().any(Option::is_some).then(|| drawn.count())
}
