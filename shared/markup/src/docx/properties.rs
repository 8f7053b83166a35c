//! What elements of properties say of characters and paragraphs.

use layout::{Alignment, Script};

use crate::look::{self, Look};
use crate::theme::Theme;
use crate::units;
use crate::xml::Element;

/// How far a quotation is indented in the one around it, and how unlike that an indent may be, points.
const QUOTATION: f32 = 28.35;
const NEAR: f32 = 0.5;

/// Whether a property is there and not switched off.
pub(super) fn is_on(properties: &Element, name: &str) -> bool {
    switch(properties, name).unwrap_or(false)
}

/// What a property that can be switched says; `None` if it is not there.
pub(super) fn switch(properties: &Element, name: &str) -> Option<bool> {
    let value = properties.find(name)?.get("w:val");
    Some(!matches!(value, Some("0" | "false" | "off" | "none")))
}

/// The value of a property.
pub(super) fn value<'a>(properties: &'a Element, name: &str) -> Option<&'a str> {
    properties.find(name)?.get("w:val")
}

/// What properties of runs say.
pub(super) fn look(properties: &Element, theme: &Theme) -> Look {
    let size = value(properties, "w:sz").and_then(|size| size.parse::<f32>().ok());
    let size = size.map(|half_points| half_points / 2.0);
    Look {
        font: font(properties, theme),
        size: size.filter(|size| (0.5..=2_000.0).contains(size)),
        bold: switch(properties, "w:b"),
        italic: switch(properties, "w:i"),
        underlined: switch(properties, "w:u"),
        struck: switch(properties, "w:strike").or_else(|| switch(properties, "w:dstrike")),
        capitals: switch(properties, "w:caps"),
        hidden: switch(properties, "w:vanish"),
        script: value(properties, "w:vertAlign").map(script),
        colour: value(properties, "w:color").map(units::colour),
        monospaced: None,
    }
}

fn font(properties: &Element, theme: &Theme) -> Option<String> {
    let fonts = properties.find("w:rFonts")?;
    let themed = fonts.get("w:asciiTheme").and_then(|name| theme.font(name));
    let named = || fonts.get("w:ascii").or_else(|| fonts.get("w:hAnsi"));
    themed.or_else(named).map(look::family)
}

fn script(value: &str) -> Script {
    match value {
        "superscript" => Script::Super,
        "subscript" => Script::Sub,
        _ => Script::None,
    }
}

/// How the lines of a paragraph stand.
pub(super) fn alignment(properties: &Element) -> Option<Alignment> {
    Some(match value(properties, "w:jc")? {
        "center" => Alignment::Centre,
        "right" | "end" => Alignment::End,
        "both" | "distribute" => Alignment::Justified,
        _ => Alignment::Start,
    })
}

/// How far a paragraph is indented, points.
pub(super) fn indent(properties: &Element) -> Option<f32> {
    let indent = properties.find("w:ind")?;
    units::twips(indent.get("w:start").or_else(|| indent.get("w:left"))?)
}

/// How many quotations the indents of a paragraph are those of; as deep as one is at the left, all of them are at the right.
pub(super) fn quotations(properties: &Element) -> Option<u8> {
    let indent = properties.find("w:ind")?;
    let side = |names: [&str; 2]| units::twips(names.iter().find_map(|name| indent.get(name))?);
    let (left, right) = (side(["w:start", "w:left"])?, side(["w:end", "w:right"])?);
    let is_indented = |depth: &u8| (left - f32::from(*depth) * QUOTATION).abs() < NEAR;
    (1..=9)
        .find(is_indented)
        .filter(|_| (right - QUOTATION).abs() < NEAR)
}

/// The level of a title, from 1, that an outline level from 0 says; `Some(None)` if it says that it is none.
pub(super) fn outline(properties: &Element) -> Option<Option<u8>> {
    let level: u8 = value(properties, "w:outlineLvl")?.parse().ok()?;
    Some((level < 9).then_some(level + 1))
}
