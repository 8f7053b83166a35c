//! Cell styles and number formats.

use std::collections::HashMap;

use layout::{Alignment, Style};

use super::strings;
use crate::number_format::NumberFormat;
use crate::number_format::conventions::Conventions;
use crate::sheet_cells::Overflow;
use crate::theme::Theme;
use crate::worksheet::{CellStyle, CellStyles};
use crate::xml::Element;

/// Reads the cell styles by number.
pub(super) fn read(root: &Element, theme: &Theme, conventions: &'static Conventions) -> CellStyles {
    let fonts: Vec<Style> = listed(root, "x:fonts")
        .map(|font| strings::font_style(font, theme).style())
        .collect();
    let formats: HashMap<u32, &str> = listed(root, "x:numFmts")
        .filter_map(|format| Some((format.number("numFmtId")?, format.get("formatCode")?)))
        .collect();
    let style = |text_style: &Element| {
        let font = text_style
            .number::<usize>("fontId")
            .and_then(|number| fonts.get(number));
        let number = text_style.number("numFmtId").unwrap_or(0);
        let code = formats.get(&number);
        let declared = text_style.find("x:alignment");
        CellStyle {
            style: font.cloned().unwrap_or_default(),
            format: code.map_or_else(
                || NumberFormat::built_in(number, conventions),
                |code| NumberFormat::parse(code, conventions),
            ),
            alignment: declared.map(alignment).unwrap_or_default(),
            overflow: declared.map(overflow).unwrap_or_default(),
        }
    };
    CellStyles::new(listed(root, "x:cellXfs").map(style).collect(), conventions)
}

fn listed<'a>(root: &'a Element, name: &str) -> impl Iterator<Item = &'a Element> {
    root.find(name).into_iter().flat_map(Element::elements)
}

fn alignment(element: &Element) -> Alignment {
    match element.get("horizontal") {
        Some("center" | "centerContinuous" | "distributed") => Alignment::Center,
        Some("right") => Alignment::End,
        Some("justify") => Alignment::Justified,
        _ => Alignment::Start,
    }
}

fn overflow(element: &Element) -> Overflow {
    let is_set = |name| matches!(element.get(name), Some("1" | "true"));
    let is_justified = matches!(
        element.get("horizontal"),
        Some("justify" | "distributed" | "fill")
    );
    Overflow::of(is_set("wrapText") || is_justified, is_set("shrinkToFit"))
}
