//! The styles of a document, each with what it takes from its parents.

use std::collections::HashMap;

use layout::{Alignment, Script};

use crate::look::{self, Look};
use crate::style_name::{is_code, quotation};
use crate::units;
use crate::xml::Element;

/// Most styles that one is based on, the one below the other.
const DEPTH: usize = 32;

/// Styles by family and name: those that people named, and those that one part names for itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Styles {
    families: HashMap<String, Family>,
    /// Font families by the names that styles call them.
    fonts: HashMap<String, String>,
}

/// The styles of paragraphs, of cells, and so on.
#[derive(Clone, Debug, Default)]
struct Family {
    all: HashMap<String, Style>,
    /// What styles take that none of their parents say.
    default: Style,
}

/// What a style says.
#[derive(Clone, Debug, Default)]
pub(super) struct Style {
    parent: Option<String>,
    pub(super) look: Look,
    pub(super) alignment: Option<Alignment>,
    /// A page begins before it.
    pub(super) breaks_before: bool,
    /// A page ends behind it.
    pub(super) breaks_after: bool,
    /// A page of this kind begins before it.
    pub(super) master: Option<String>,
    pub(super) list: Option<String>,
    /// Points.
    pub(super) width: Option<f32>,
    /// It is not shown.
    pub(super) hidden: bool,
    /// How many sides of it have lines.
    pub(super) lines: Option<usize>,
    /// The level of a title, from 1.
    pub(super) outline: Option<u8>,
    /// How many quotations its paragraphs stand in.
    pub(super) quoted: Option<u8>,
    /// Its paragraphs are lines of code.
    pub(super) is_code: bool,
    /// Whether its paragraphs show the marker of their list.
    pub(super) numbered: Option<bool>,
}

impl Styles {
    /// The styles in these elements of parts; a later one of the same name holds.
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

    /// A style with what it takes from its parents.
    pub(super) fn get(&self, family: &str, name: Option<&str>) -> Style {
        let family = self.families.get(family);
        let found = family.and_then(|family| family.all.get(name?).or(Some(&family.default)));
        found.cloned().unwrap_or_default()
    }

    /// What a style says of text within a paragraph.
    pub(super) fn look(&self, name: Option<&str>) -> Look {
        let found = self
            .families
            .get("text")
            .and_then(|family| family.all.get(name?));
        found.map(|style| style.look.clone()).unwrap_or_default()
    }

    fn take(&mut self, element: &Element) {
        match element.name() {
            "style:font-face" => {
                let family = element.get("svg:font-family").unwrap_or_default();
                let name = element.get("style:name").unwrap_or_default();
                self.fonts.insert(name.to_owned(), look::family(family));
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
        let said = |name: &str| paragraph.and_then(|properties| properties.get(name));
        let table = find("style:table-properties");
        let cell = find("style:table-cell-properties");
        let drawing = find("style:drawing-page-properties");
        let breaks = |name: &str| {
            said(name) == Some("page") || table.and_then(|table| table.get(name)) == Some("page")
        };
        let width = find("style:table-column-properties")
            .and_then(|column| column.get("style:column-width"));
        let name = element
            .get("style:name")
            .map(|name| name.replace("_20_", " "));
        Style {
            parent: element.get("style:parent-style-name").map(str::to_owned),
            look: find("style:text-properties")
                .map(|text| self.own_look(text))
                .unwrap_or_default(),
            alignment: said("fo:text-align").map(alignment),
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
            hidden: table.and_then(|table| table.get("table:display")) == Some("false")
                || drawing.and_then(|page| page.get("presentation:visibility")) == Some("hidden"),
            lines: cell.and_then(lines),
            outline: outline(element),
            quoted: name.as_deref().and_then(quotation),
            is_code: name.as_deref().is_some_and(is_code),
            numbered: said("text:enable-numbering").map(|numbered| numbered == "true"),
        }
    }

    fn own_look(&self, text: &Element) -> Look {
        let font = text
            .get("style:font-name")
            .and_then(|name| self.fonts.get(name))
            .cloned();
        let lined = |name| text.get(name).map(|line| line != "none");
        Look {
            font: font.or_else(|| text.get("fo:font-family").map(look::family)),
            size: text
                .get("fo:font-size")
                .and_then(units::length)
                .filter(|size| (0.5..=2_000.0).contains(size)),
            bold: text.get("fo:font-weight").map(is_bold),
            italic: text.get("fo:font-style").map(|style| style != "normal"),
            underlined: lined("style:text-underline-style"),
            struck: lined("style:text-line-through-style")
                .or_else(|| lined("style:text-line-through-type")),
            capitals: text
                .get("fo:text-transform")
                .map(|transform| transform == "uppercase"),
            hidden: text.get("text:display").map(|display| display == "none"),
            script: text.get("style:text-position").map(script),
            colour: text.get("fo:color").map(units::colour),
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
            look: self.look.over(&below.look),
            alignment: self.alignment.or(below.alignment),
            breaks_before: self.breaks_before || below.breaks_before,
            breaks_after: self.breaks_after || below.breaks_after,
            master: self.master.or_else(|| below.master.clone()),
            list: self.list.or_else(|| below.list.clone()),
            width: self.width.or(below.width),
            hidden: self.hidden || below.hidden,
            lines: self.lines.or(below.lines),
            outline: self.outline.or(below.outline),
            quoted: self.quoted.or(below.quoted),
            is_code: self.is_code || below.is_code,
            numbered: self.numbered.or(below.numbered),
        }
    }
}

/// The level of a title that a style of paragraphs stands for.
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
        "center" => Alignment::Centre,
        "end" | "right" => Alignment::End,
        "justify" => Alignment::Justified,
        _ => Alignment::Start,
    }
}

/// How many sides of a cell have lines, where that is said.
fn lines(cell: &Element) -> Option<usize> {
    const SIDES: [&str; 4] = [
        "fo:border-top",
        "fo:border-bottom",
        "fo:border-left",
        "fo:border-right",
    ];
    let all = cell.get("fo:border");
    let said = SIDES.map(|side| cell.get(side).or(all));
    let drawn = said.iter().flatten().filter(|line| **line != "none");
    said.iter().any(Option::is_some).then(|| drawn.count())
}
