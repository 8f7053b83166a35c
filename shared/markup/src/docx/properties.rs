//! Run and paragraph properties.

use layout::{Alignment, Script};

use crate::partial_style::{self, PartialStyle};
use crate::theme::Theme;
use crate::units;
use crate::xml::Element;

/// Indent of a block quotation per level, and its tolerance, points.
const QUOTATION: f32 = 28.35;
const TOLERANCE: f32 = 0.5;

/// Whether a toggle property is present and on.
pub(super) fn is_on(properties: &Element, name: &str) -> bool {
    switch(properties, name).unwrap_or(false)
}

/// Returns the value of a toggle property; `None` if it is absent.
pub(super) fn switch(properties: &Element, name: &str) -> Option<bool> {
    let value = properties.find(name)?.get("w:val");
    Some(!matches!(value, Some("0" | "false" | "off" | "none")))
}

/// Returns the value of a property.
pub(super) fn value<'a>(properties: &'a Element, name: &str) -> Option<&'a str> {
    properties.find(name)?.get("w:val")
}

/// Reads run properties.
pub(super) fn run_style(properties: &Element, theme: &Theme) -> PartialStyle {
    let size = value(properties, "w:sz").and_then(|size| size.parse::<f32>().ok());
    let size = size.map(|half_points| half_points / 2.0);
    PartialStyle {
        font: font(properties, theme),
        size: size.filter(|size| (0.5..=2_000.0).contains(size)),
        bold: switch(properties, "w:b"),
        italic: switch(properties, "w:i"),
        underlined: switch(properties, "w:u"),
        strikethrough: switch(properties, "w:strike").or_else(|| switch(properties, "w:dstrike")),
        capitals: switch(properties, "w:caps"),
        hidden: switch(properties, "w:vanish"),
        script: value(properties, "w:vertAlign").map(script),
        color: value(properties, "w:color").map(units::color),
        monospaced: None,
    }
}

fn font(properties: &Element, theme: &Theme) -> Option<String> {
    let fonts = properties.find("w:rFonts")?;
    let themed = fonts.get("w:asciiTheme").and_then(|name| theme.font(name));
    let named = || fonts.get("w:ascii").or_else(|| fonts.get("w:hAnsi"));
    themed.or_else(named).map(partial_style::family)
}

fn script(value: &str) -> Script {
    match value {
        "superscript" => Script::Super,
        "subscript" => Script::Sub,
        _ => Script::None,
    }
}

/// Returns the alignment of a paragraph.
pub(super) fn alignment(properties: &Element) -> Option<Alignment> {
    Some(match value(properties, "w:jc")? {
        "center" => Alignment::Center,
        "right" | "end" => Alignment::End,
        "both" | "distribute" => Alignment::Justified,
        _ => Alignment::Start,
    })
}

/// Returns the left indent of a paragraph, points.
pub(super) fn indent(properties: &Element) -> Option<f32> {
    let indent = properties.find("w:ind")?;
    units::twips(indent.get("w:start").or_else(|| indent.get("w:left"))?)
}

/// Infers the quotation depth from the indents: each level indents the left side, all of them together the right side once.
pub(super) fn quotations(properties: &Element) -> Option<u8> {
    let indent = properties.find("w:ind")?;
    let side = |names: [&str; 2]| units::twips(names.iter().find_map(|name| indent.get(name))?);
    let (left, right) = (side(["w:start", "w:left"])?, side(["w:end", "w:right"])?);
    let is_indented = |depth: &u8| (left - f32::from(*depth) * QUOTATION).abs() < TOLERANCE;
    (1..=9)
        .find(is_indented)
        .filter(|_| (right - QUOTATION).abs() < TOLERANCE)
}

/// Returns the heading level, from 1, of an outline level; `Some(None)` means body text.
pub(super) fn outline(properties: &Element) -> Option<Option<u8>> {
    let level: u8 = value(properties, "w:outlineLvl")?.parse().ok()?;
    Some((level < 9).then_some(level + 1))
}
